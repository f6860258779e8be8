// Reads answers with limits: the file is a stranger's.
#include "questions/answers.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "call/plain_text.h"
#include "questions/text.h"

namespace questions {
namespace {

constexpr size_t LONGEST = 400;  // bytes

std::string contents_of(const std::filesystem::path& file) {
    std::ifstream in;
    // Not opened if it is no file: a named pipe would have us wait for who writes into it.
    if (std::filesystem::is_regular_file(file)) in.open(file, std::ios::binary);
    if (!in.is_open()) throw std::runtime_error(file.string() + ": cannot be read");
    std::string text(LARGEST_ANSWERS + 1, '\0');
    in.read(text.data(), std::streamsize(text.size()));
    text.resize(size_t(in.gcount()));
    return text;
}

void take(answers& into, const std::string& line) {
    if (line.size() > LONGEST) throw std::runtime_error("more than 400 characters: write a shorter answer");
    if (check::plain_text(line, true) != line)
        throw std::runtime_error("not plain text in UTF-8: save the file as such");
    if (trimmed(line).empty() || line.front() == '#') return;
    const size_t colon = line.find(':');
    if (colon == std::string::npos)
        throw std::runtime_error("no ':' in this line: an answer is written as 01.a: 42 bytes");
    const std::string id = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
    if (id == "name" && !into.name.empty()) throw std::runtime_error("a second name: leave one");
    if (id == "name")
        into.name = value;
    else if (!into.given.emplace(id, value).second)
        throw std::runtime_error("a second answer to " + id.substr(0, 20) + ": leave one");
}

}  // namespace

answers answers_in(std::string text, const std::string& file) {
    if (text.size() > LARGEST_ANSWERS)
        throw std::runtime_error(file + ": more than 64 KiB: write one line an answer");
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    answers result;
    int number = 0;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.pop_back();
        number++;
        try {
            take(result, line);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(file + ":" + std::to_string(number) + ": " + error.what());
        }
        begin = end + 1;
    }
    if (result.name.empty()) throw std::runtime_error(file + ":1: write your name behind 'name:'");
    return result;
}

answers read_answers(const std::filesystem::path& file) {
    return answers_in(contents_of(file), file.string());
}

}  // namespace questions
