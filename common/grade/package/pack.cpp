// pack FOLDER FILE.zip - puts what is in a folder into a zip: the same files give the same bytes.
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "grade/program/store.h"

namespace fs = std::filesystem;

namespace {

struct writer_closer {
    void operator()(archive* writer) const { archive_write_free(writer); }
};
struct entry_closer {
    void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using writer = std::unique_ptr<archive, writer_closer>;

void require(archive* zip, la_ssize_t result) {
    if (result < ARCHIVE_OK) throw std::runtime_error(archive_error_string(zip));
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void add(archive* zip, const fs::path& file, const std::string& name) {
    constexpr time_t NO_MATTER_WHEN = 1767225600;  // the first day of 2026
    const std::string bytes = grade::read_whole(file);
    const std::unique_ptr<archive_entry, entry_closer> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), la_int64_t(bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    const bool runs = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    archive_entry_set_perm(entry.get(), runs ? 0755 : 0644);
    archive_entry_set_mtime(entry.get(), NO_MATTER_WHEN, 0);
    require(zip, archive_write_header(zip, entry.get()));
    require(zip, archive_write_data(zip, bytes.data(), bytes.size()));
}

void pack(const fs::path& folder, const fs::path& file) {
    const fs::path part = file.string() + ".part";
    const writer zip(archive_write_new());
    require(zip.get(), archive_write_set_format_zip(zip.get()));
    require(zip.get(), archive_write_open_filename(zip.get(), part.c_str()));
    for (const fs::path& one : files_in(folder))
        add(zip.get(), one, fs::relative(one, folder).generic_string());
    require(zip.get(), archive_write_close(zip.get()));
    fs::rename(part, file);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) throw std::invalid_argument("usage: pack FOLDER FILE.zip");
    pack(argv[1], argv[2]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "pack: %s\n", error.what());
    return 2;
}
