// JSON that holds a student's words: no larger, longer or further out than said.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace report {

constexpr size_t LONGEST_NAME = 200, LONGEST_TEXT = 8000;  // bytes

/// A file of at most 1 MB, as valid UTF-8. Throws std::exception without the file's name.
nlohmann::json read_json(const std::filesystem::path& file);

/// Throws std::runtime_error naming the key of what is no number or out of range.
double number(const nlohmann::json& from, const char* key, double least, double most);

/// At most so many bytes of whole characters.
std::string cut(const std::string& text, size_t most);

/// What may be missing is "".
std::string optional_text(const nlohmann::json& from, const char* key, size_t most);

}  // namespace report
