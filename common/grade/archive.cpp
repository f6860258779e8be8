// libarchive, without its functions that write files.
#include "grade/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace grade {

namespace {

constexpr size_t MOST_ENTRIES = 20'000;
// Unpacked, to get past it: a bomb of zeros takes a second or two.
constexpr uint64_t MOST_BYTES = uint64_t(512) << 20;

struct reader_closer {
    void operator()(archive* reader) const { archive_read_free(reader); }
};
using reader = std::unique_ptr<archive, reader_closer>;

reader open_archive(const std::filesystem::path& path, const std::string& inner) {
    reader in(archive_read_new());
    if (!in) throw std::runtime_error("no memory for an archive");
    archive_read_support_filter_gzip(in.get());
    archive_read_support_filter_bzip2(in.get());
    archive_read_support_filter_xz(in.get());
    archive_read_support_format_zip(in.get());
    archive_read_support_format_tar(in.get());
    constexpr size_t BLOCK = 65536;
    const int opened = inner.empty() ? archive_read_open_filename(in.get(), path.c_str(), BLOCK)
                                     : archive_read_open_memory(in.get(), inner.data(), inner.size());
    if (opened != ARCHIVE_OK) throw std::runtime_error("is no zip or tar that can be read");
    return in;
}

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts;
    size_t begin = 0;
    while (begin <= name.size()) {
        const size_t end = std::min(name.find('/', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        if (!part.empty() && part != "." && part != "..") parts.push_back(part);
        begin = end + 1;
    }
    return parts;
}

std::string name_of(archive_entry* entry) {
    // Names in no known encoding have bytes all the same.
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) name = archive_entry_pathname_utf8(entry);
    return name == nullptr ? "" : name;
}

/// All bytes of an entry, or a few more than `most` of a longer one.
std::string read_bytes(archive* in, uint64_t most) {
    std::string bytes;
    char piece[65536];
    while (bytes.size() <= most) {
        const la_ssize_t got = archive_read_data(in, piece, sizeof piece);
        if (got < 0) throw std::runtime_error("is damaged, or protected by a password");
        if (got == 0) break;
        bytes.append(piece, size_t(got));
    }
    return bytes;
}

std::string trouble_of(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK)
        return "is a link";
    return archive_entry_filetype(entry) == AE_IFREG ? "" : "is no regular file";
}

}  // namespace

std::vector<found_file> read_archive(const std::filesystem::path& path, const std::string& inner,
                                     const std::function<uint64_t(const std::string& name)>& most_kept) {
    const reader in = open_archive(path, inner);
    std::vector<found_file> files;
    uint64_t seen_bytes = 0;
    archive_entry* entry = nullptr;
    for (size_t entries = 0;; entries++) {
        const int got = archive_read_next_header(in.get(), &entry);
        if (got == ARCHIVE_EOF) return files;
        if (got < ARCHIVE_WARN) throw std::runtime_error("is damaged, or no zip or tar");
        if (entries == MOST_ENTRIES)
            throw std::runtime_error("holds more than " + std::to_string(MOST_ENTRIES) + " files");
        if (archive_entry_filetype(entry) == AE_IFDIR) continue;
        found_file file;
        file.path = parts_of(name_of(entry));
        if (file.path.empty()) continue;
        file.trouble = trouble_of(entry);
        file.modified = archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0;
        const uint64_t most = file.trouble.empty() ? most_kept(file.path.back()) : 0;
        if (most > 0) file.bytes = read_bytes(in.get(), most);
        file.size = std::max<uint64_t>(file.bytes.size(),
                                       uint64_t(std::max<la_int64_t>(0, archive_entry_size(entry))));
        seen_bytes += file.size;
        if (seen_bytes > MOST_BYTES)
            throw std::runtime_error("holds more than " + std::to_string(MOST_BYTES >> 20) + " MB");
        files.push_back(std::move(file));
    }
}

}  // namespace grade
