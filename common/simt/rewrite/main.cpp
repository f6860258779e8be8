// rewrite [--inspect]: CUDA C++ on standard input (the output of g++ -E) to C++ on standard output.
// rewrite --messages: what g++ says about such a file, without the backend's own headers in it.
// Exit code 2 and one line per problem on standard error if the text cannot be run on the CPU backend.
#include <cstdio>
#include <cstring>
#include <string>

#include "simt/rewrite/rewrite.h"

namespace {

std::string read_all(std::FILE* in) {
    std::string text;
    char buffer[65536];
    for (size_t got; (got = std::fread(buffer, 1, sizeof buffer, in)) > 0;)
        text.append(buffer, got);
    return text;
}

/// To standard output; returns the exit code.
int write_all(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return 0;
    std::perror("rewrite: cannot write the result");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    rewrite::options how;
    bool messages = false;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--inspect") == 0) {
            how.inspected = true;
        } else if (std::strcmp(argv[i], "--messages") == 0) {
            messages = true;
        } else {
            std::fprintf(stderr, "rewrite: unknown option %s: use rewrite [--inspect | --messages]\n",
                         argv[i]);
            return 2;
        }
    }
    const std::string text = read_all(stdin);
    if (messages) return write_all(rewrite::tidy_messages(text));
    const rewrite::result done = rewrite::rewrite_text(text, how);
    for (const rewrite::problem& p : done.problems) {
        std::fprintf(stderr, "%s:%d: error: %s\n", p.file.c_str(), p.line, p.text.c_str());
    }
    return done.problems.empty() ? write_all(done.text) : 2;
}
