// Text on a terminal.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace check {

inline constexpr size_t TERMINAL_COLUMNS = 80;

/// The text with every line that is longer broken at spaces; what goes on stands two columns further in. Bytes that
/// only colour are not counted.
std::string wrapped(const std::string& text, size_t columns);

/// The same for standard output, if that is a terminal; else the text as it is.
std::string for_terminal(const std::string& text);

inline constexpr const char *RED = "\033[31m", *GREEN = "\033[32m", *BOLD = "\033[1m";

/// True if standard output is a terminal and nobody has set NO_COLOR.
bool colour_wanted();

/// The text in this colour where colours are wanted; else as it is.
std::string painted(const std::string& text, const char* colour);

/// Says on a terminal what takes long, once it has taken some seconds, until it is destroyed.
class progress_line {
public:
    explicit progress_line(std::string what);
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

private:
    void tell();

    std::string what_;
    std::mutex mutex_;
    std::condition_variable ends_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace check
