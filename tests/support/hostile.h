// What a student may call himself, and a folder for a test's files.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

/// Names and messages that each break one format if they are written as they are.
inline std::vector<std::string> hostile_texts() {
    return {"",
            " ",
            "O'Brien, \"Bob\"",
            "two\nlines\r\nand\ttabs",
            "<script>alert(1)</script>",
            "</pre></body><img src=x onerror=alert(1)>",
            "=cmd|' /C calc'!A0",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1+1",
            "\r=1+1",
            " =1+1",
            "\"=1+1",
            "a;=1+1",
            "＝1+1",
            "\x1b[2J\x1b]0;title\x07",
            "\u009b2J",
            "right\u202eteftel\u2066isolated",
            "line\u2028and\u2029paragraph",
            "zero\u200bwidth\ufeff",
            "\xff\xfe invalid \xc3( \xe2\x80",
            "surrogate \xed\xa0\x80, overlong \xc0\xaf, beyond \xf4\x90\x80\x80",
            std::string("nul\0inside", 10),
            "]]> and <![CDATA[ and <!-- --> and <?xml ?> and &amp; &#0;",
            "\ufffe\uffff no characters",
            "`code` ```fence``` **bold** [link](http://example.org) @somebody #1 <b>",
            "out` <b> `again",
            "out\n```\n<b>\n```text",
            "../../etc/passwd",
            "/etc/passwd",
            "{{7*7}} ${x} %s %n {0}",
            "José, 李雷, محمد",
            std::string(100'000, 'x')};
}

/// A folder of its own, gone in the end.
struct own_folder {
    fs::path root = fs::temp_directory_path() / ("grade-" + std::to_string(getpid()));
    own_folder() { fs::create_directories(root); }
    ~own_folder() { fs::remove_all(root); }

    /// Writes a file into it.
    fs::path file(const std::string& name, std::string_view text) const {
        std::ofstream(root / name, std::ios::binary) << text;
        return root / name;
    }
};

inline std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
