// A folder with scripts under test and pretended versions of the programs that they call.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "author/regions.h"

/// A folder of the test's own with copies of the workbook's `files`; removed at the end.
struct pretended_workbook {
    std::filesystem::path root;

    pretended_workbook(const std::string& name, std::initializer_list<const char*> files)
        : root(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()))) {
        std::filesystem::remove_all(root);
        for (const std::filesystem::path file : files) {
            std::filesystem::create_directories((root / file).parent_path());
            std::filesystem::copy_file(file, root / file);
        }
    }
    ~pretended_workbook() { std::filesystem::remove_all(root); }
    pretended_workbook(const pretended_workbook&) = delete;

    /// A program that is this text for bash.
    void tool(const std::string& name, const std::string& script) const {
        author::write_text(root / name, "#!/bin/bash\n" + script + "\n");
        std::filesystem::permissions(root / name, std::filesystem::perms::owner_all);
    }
    /// What `command` returns; its tools come first on the path, and `said` holds what it printed.
    int run(const std::string& command) const {
        const std::string enter = "cd " + root.string() + " && PATH=" + root.string() + "/bin:$PATH ";
        return std::system((enter + command + " >said 2>&1 </dev/null").c_str());
    }
    std::string text(const std::string& name) const { return author::read_text(root / name); }
};
