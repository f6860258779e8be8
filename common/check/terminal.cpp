// Lines of 80 columns, and a line that says what is going on.
#include "check/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace check {

namespace {

constexpr int QUIET_SECONDS = 3;

/// Columns that bytes take: one a character, none for ESC [ ... m.
size_t columns_of(const std::string& text) {
    size_t columns = 0;
    bool in_colour = false;
    for (const char c : text) {
        in_colour = in_colour || c == '\033';
        const bool goes_on = (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // within a character of UTF-8
        columns += !in_colour && !goes_on;
        in_colour = in_colour && c != 'm';
    }
    return columns;
}

std::string wrapped_line(const std::string& line, size_t columns) {
    if (columns_of(line) <= columns) return line;
    const std::string indent = line.substr(0, line.find_first_not_of(' ')) + "  ";
    std::string text, row;
    for (size_t begin = 0; begin < line.size();) {
        const size_t word = std::min(line.find_first_not_of(' ', begin), line.size());
        const size_t end = std::min(line.find(' ', word), line.size());
        if (begin > 0 && columns_of(row) + columns_of(line.substr(begin, end - begin)) > columns) {
            text += row + "\n";
            row = indent + line.substr(word, end - word);
        } else {
            row += line.substr(begin, end - begin);
        }
        begin = end;
    }
    return text + row;
}

}  // namespace

std::string wrapped(const std::string& text, size_t columns) {
    std::string result;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = text.find('\n', begin);
        const bool is_last = end == std::string::npos;
        result += wrapped_line(text.substr(begin, is_last ? end : end - begin), columns);
        if (is_last) break;
        result += '\n';
        begin = end + 1;
    }
    return result;
}

std::string for_terminal(const std::string& text) {
    return isatty(STDOUT_FILENO) ? wrapped(text, TERMINAL_COLUMNS) : text;
}

bool colour_wanted() {
    return isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
}

std::string painted(const std::string& text, const char* colour) {
    return colour_wanted() ? colour + text + "\033[0m" : text;
}

progress_line::progress_line(std::string what) : what_(std::move(what)) {
    if (isatty(STDOUT_FILENO)) thread_ = std::thread([this] { tell(); });
}

progress_line::~progress_line() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    ends_.notify_one();
    thread_.join();
}

void progress_line::tell() {
    bool told = false;
    std::unique_lock lock(mutex_);
    for (int seconds = 1; !ends_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; });
         seconds++) {
        if (seconds < QUIET_SECONDS) continue;
        std::printf("\r  %3d s         %.60s", seconds, what_.c_str());
        std::fflush(stdout);
        told = true;
    }
    if (told) std::printf("\r\033[K");
}

}  // namespace check
