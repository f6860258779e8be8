// A student's answers.txt: `name: Ada Lovelace` and a line `01.a: 42 bytes` for each question.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace questions {

constexpr size_t LARGEST_ANSWERS = 64 * 1024;  // bytes

struct answers {
    std::string name;
    std::map<std::string, std::string> given;  // by the question's id; some may be empty
};

/// Reads a stranger's file: at most 64 KiB and 400 characters a line, in UTF-8, no control characters. Lines
/// with a # in front are comments. Throws std::runtime_error "FILE:LINE: trouble and what to do" on other
/// text, on answers that come twice, and on a name that is missing.
answers read_answers(const std::filesystem::path& file);

/// The same of a file's bytes; `name` stands for it in messages.
answers answers_in(std::string text, const std::string& name);

}  // namespace questions
