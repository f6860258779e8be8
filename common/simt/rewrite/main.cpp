// rewrite [--judged] [--separate] [--relaxed-constexpr] [--inspect | --wait-in-kernel] [--conversions PLACES]
//     [--prelude TEXT COMPILED]:
// CUDA C++ on standard input (the output of g++ -E) to C++ on standard output; --judged refuses what a student's file
// may not say, --separate lets kernels launch kernels, --relaxed-constexpr lets them call the host's constexpr functions,
// --wait-in-kernel makes barriers that are no calls. If the result
// begins with the file TEXT, the compiler is told to take the file COMPILED in its place.
// rewrite --directives FILE CONTRACT: refuses what it may not ask of the preprocessor, and does no more;
// --own-case FILE CONTRACT is for known-wrong cases and mutants.
// rewrite --host FILE: two outputs of g++ -E become one, the device's on standard input and the host's.
// rewrite --messages FILE PLACES: what g++ says about the rewritten FILE, without the backend's own headers in it;
// --errors: and without warnings.
// Where device code makes integers of numbers without a cast is written to PLACES; if there is something in it,
// --conversions PLACES rewrites FILE once more.
// rewrite --turns: assembly of an inspected file to the same with fewer calls of the inspector.
// Exit code 2 and one line per problem on standard error if the text cannot be run on the CPU backend.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "simt/rewrite/directives.h"
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

/// False, with a message, if it cannot be read.
bool read_file(const char* name, std::string& text) {
    std::FILE* file = std::fopen(name, "r");
    if (!file) {
        std::perror(name);
        return false;
    }
    text = read_all(file);
    std::fclose(file);
    return true;
}

int tidy(const std::string& messages, const std::string& preprocessed, const char* places, bool only_errors) {
    const rewrite::tidied left = rewrite::tidy_messages(messages, preprocessed, only_errors);
    std::ofstream file(places);
    for (const size_t at : left.conversions)
        file << at << '\n';
    file.close();
    const int written = write_all(left.text);
    return left.has_problems || !file ? 2 : written;
}

std::vector<size_t> read_places(const char* name) {
    std::ifstream file(name);
    return {std::istream_iterator<size_t>(file), {}};
}

/// What a text may begin with, and its precompiled form.
struct prelude {
    std::string text, compiled;
};

/// The text with what is compiled in place of its beginning, if that is the same. The first line names the file.
std::string with_compiled(std::string text, const prelude& known) {
    const std::string left = "# 0 \"<command-line>\" 2\n";  // is left by the compiler, too
    const std::string expected = known.text + left;
    const size_t begin = text.find('\n') + 1;
    if (known.text.empty() || text.compare(begin, expected.size(), expected) != 0) return text;
    return text.replace(begin, expected.size(), "#pragma GCC pch_preprocess \"" + known.compiled + "\"\n");
}

/// To standard error; returns the exit code.
int tell(const std::vector<rewrite::problem>& problems) {
    for (const rewrite::problem& p : problems)
        std::fprintf(stderr, "%s:%d: error: %s\n", p.file.c_str(), p.line, p.text.c_str());
    return problems.empty() ? 0 : 2;
}

/// False for a word that is no switch.
bool set(rewrite::options& how, const std::string& word) {
    static const std::map<std::string, bool rewrite::options::*> switches = {
        {"--judged", &rewrite::options::judged},
        {"--separate", &rewrite::options::separate},
        {"--relaxed-constexpr", &rewrite::options::relaxed_constexpr},
        {"--inspect", &rewrite::options::inspected},
        {"--wait-in-kernel", &rewrite::options::waits_in_kernel},
    };
    const auto found = switches.find(word);
    if (found != switches.end()) how.*found->second = true;
    return found != switches.end();
}

}  // namespace

int main(int argc, char** argv) {
    rewrite::options how;
    const std::string option = argc > 1 ? argv[1] : "";
    const bool own_case = option == "--own-case";
    if ((own_case || option == "--directives") && argc == 4)
        return tell(rewrite::check_directives(argv[2], argv[3], own_case));
    const bool tidies = option == "--messages" || option == "--errors";
    const bool has_file = (option == "--host" && argc == 3) || (tidies && argc == 4);
    if (option == "--turns" && argc == 2) return write_all(rewrite::without_quiet_blocks(read_all(stdin)));
    prelude early;
    bool known = true;
    for (int i = 1; i < argc && !has_file; i++) {
        const std::string word = argv[i];
        if (word == "--conversions" && i + 1 < argc)
            how.conversions = read_places(argv[++i]);
        else if (word == "--prelude" && i + 2 < argc) {
            known &= read_file(argv[++i], early.text);
            early.compiled = argv[++i];
        } else
            known &= set(how, word);
    }
    if (!known) {
        std::fprintf(
            stderr,
            "usage: rewrite [--judged] [--separate] [--relaxed-constexpr] [--inspect | --wait-in-kernel]\n"
            "               [--conversions PLACES] [--prelude TEXT COMPILED]\n"
            "       rewrite --directives FILE CONTRACT | --host FILE | --turns\n"
            "       rewrite --messages FILE PLACES | --errors FILE PLACES\n");
        return 2;
    }
    const std::string text = read_all(stdin);
    std::string other;
    if (has_file && !read_file(argv[2], other)) return 2;
    if (tidies) return tidy(text, other, argv[3], option == "--errors");
    const rewrite::result done =
        option == "--host" ? rewrite::with_host_bodies(text, other) : rewrite::rewrite_text(text, how);
    return done.problems.empty() ? write_all(with_compiled(done.text, early)) : tell(done.problems);
}
