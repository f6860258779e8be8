// Writes archives for tests.
#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

/// A zip or tar with names that no tool for people would put in.
class archive_file {
public:
    archive_file(const std::filesystem::path& path, bool zip) : out_(archive_write_new()) {
        if (zip)
            archive_write_set_format_zip(out_);
        else
            archive_write_set_format_pax_restricted(out_);
        if (!zip) archive_write_add_filter_gzip(out_);
        REQUIRE(archive_write_open_filename(out_, path.c_str()) == ARCHIVE_OK);
    }
    ~archive_file() { archive_write_free(out_); }
    archive_file(const archive_file&) = delete;

    void add(const std::string& name, const std::string& text, const char* link = nullptr) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_filetype(entry, link != nullptr ? AE_IFLNK : AE_IFREG);
        if (link != nullptr) archive_entry_set_symlink(entry, link);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, link != nullptr ? 0 : la_int64_t(text.size()));
        archive_write_header(out_, entry);
        if (link == nullptr) archive_write_data(out_, text.data(), text.size());
        archive_entry_free(entry);
    }

private:
    archive* out_;
};
