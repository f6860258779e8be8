// Walks a folder of submissions.
#include "grade/found_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "call/descriptor.h"
#include "grade/archive.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t LARGEST_ARCHIVE = uint64_t(64) << 20;
constexpr size_t DEEPEST = 32;  // folders in folders

using name_test = std::function<bool(const std::string&)>;

/// The bytes of a regular file, at most one more than `most`. It is opened as it is found: no link, and no
/// pipe that would wait.
std::string read_file(const fs::path& path, uint64_t most) {
    const check::descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0) throw std::runtime_error("cannot be read");
    if (!S_ISREG(status.st_mode)) throw std::runtime_error("is no regular file");
    std::string bytes(size_t(std::min<uint64_t>(most + 1, uint64_t(status.st_size))), '\0');
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = read(file.get(), bytes.data() + done, bytes.size() - done);
        if (got <= 0) throw std::runtime_error("cannot be read");
        done += size_t(got);
    }
    return bytes;
}

class walk {
public:
    explicit walk(const name_test& wanted) : wanted_(wanted) {}
    std::vector<found_file> files;

    void folder(const fs::path& path, const std::vector<std::string>& above) {
        if (above.size() > DEEPEST) return;
        std::vector<fs::directory_entry> entries;
        for (const auto& entry : fs::directory_iterator(path))
            entries.push_back(entry);
        std::sort(entries.begin(), entries.end());
        for (const fs::directory_entry& entry : entries) {
            std::vector<std::string> here = above;
            here.push_back(entry.path().filename().string());
            const bool is_folder = !entry.is_symlink() && entry.is_directory();
            if (is_folder && above.empty()) add_folder(here);
            if (is_folder)
                folder(entry.path(), here);
            else
                one_file(entry.path(), here);
        }
    }

    /// What is in an archive, as if it were a folder of that name.
    void archive(const fs::path& path, const std::string& inner, const std::vector<std::string>& above,
                 bool open_more) {
        const auto most_kept = [&](const std::string& name) {
            if (open_more && !archive_stem(name).empty()) return LARGEST_ARCHIVE;
            return wanted_(name) ? LARGEST_HAND_IN : 0;
        };
        for (found_file& file : read_archive(path, inner, most_kept)) {
            file.path.insert(file.path.begin(), above.begin(), above.end());
            if (open_more && file.trouble.empty() && !archive_stem(file.path.back()).empty())
                opened(std::move(file));
            else
                keep(std::move(file));
        }
    }

private:
    void add_folder(const std::vector<std::string>& path) {
        found_file folder;
        folder.path = path;
        folder.is_folder = true;
        files.push_back(std::move(folder));
    }

    void keep(found_file file) {
        if (file.trouble.empty() && file.size > LARGEST_HAND_IN)
            file.trouble = "is larger than 1 MB";
        else if (file.trouble.empty() && file.size == 0)
            file.trouble = "is empty";
        files.push_back(std::move(file));
    }

    /// An archive in an archive.
    void opened(found_file file) {
        std::vector<std::string> inside = file.path;
        inside.back() = archive_stem(inside.back());
        try {
            if (file.size > LARGEST_ARCHIVE) throw std::runtime_error("is larger than 64 MB");
            const std::string bytes = std::move(file.bytes);
            archive({}, bytes, inside, false);
            if (inside.size() == 1) add_folder(inside);
        } catch (const std::exception& error) {
            file.trouble = error.what();
            files.push_back(std::move(file));
        }
    }

    void one_file(const fs::path& path, const std::vector<std::string>& here) {
        found_file file;
        file.path = here;
        struct stat status {};
        if (lstat(path.c_str(), &status) != 0)
            file.trouble = "cannot be read";
        else if (S_ISLNK(status.st_mode))
            file.trouble = "is a link";
        else if (!S_ISREG(status.st_mode))
            file.trouble = "is no regular file";
        file.size = uint64_t(status.st_size);
        file.modified = status.st_mtime;
        const std::string stem = archive_stem(here.back());
        try {
            if (file.trouble.empty() && !stem.empty()) {
                std::vector<std::string> inside = here;
                inside.back() = stem;
                archive(path, "", inside, false);
                if (inside.size() == 1) add_folder(inside);
                return;
            }
            if (file.trouble.empty() && wanted_(here.back())) file.bytes = read_file(path, LARGEST_HAND_IN);
        } catch (const std::exception& error) {
            file.trouble = error.what();
            files.push_back(std::move(file));
            return;
        }
        keep(std::move(file));
    }

    const name_test& wanted_;
};

}  // namespace

std::string archive_stem(const std::string& name) {
    for (const std::string ending : {".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz"}) {
        if (name.size() > ending.size() && name.ends_with(ending))
            return name.substr(0, name.size() - ending.size());
    }
    return "";
}

std::vector<found_file> find_files(const fs::path& from, const name_test& wanted) {
    walk found(wanted);
    try {
        if (fs::is_directory(from))
            found.folder(from, {});
        else
            found.archive(from, "", {}, true);
    } catch (const fs::filesystem_error& error) {
        throw std::runtime_error(error.path1().string() + ": cannot be read: " + error.code().message());
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(from.string() + ": " + error.what());
    }
    return std::move(found.files);
}

}  // namespace grade
