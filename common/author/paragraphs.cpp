// Reads files of named changes line by line.
#include "author/paragraphs.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace fs = std::filesystem;

namespace author {
namespace {

const std::regex NAME_LINE(R"(^\[(\w+)\]$)");
const std::regex KEY_LINE(R"(^([a-z]+):\s*(.*)$)");
const std::regex MORE_LINE(R"(^  \s*(\S.*)$)");
const std::regex EDIT_LINE(R"(^[-+]( .*)?$)");

class paragraph_reader {
public:
    paragraph_reader(const fs::path& file, const paragraph_keys& keys) : file_(file), keys_(keys) {}

    std::vector<paragraph> read() {
        for (const std::string& raw : lines_of(read_text(file_))) {
            number_++;
            const std::string line = raw.substr(0, raw.find_last_not_of(" \t\r") + 1);
            if (line.starts_with('#')) continue;
            read_line(line);
        }
        finish();
        return std::move(read_);
    }

private:
    void read_line(const std::string& line) {
        std::smatch match;
        if (std::regex_match(line, match, NAME_LINE)) return begin(match[1]);
        if (line.empty()) return end_edit();
        if (read_.empty()) fail(number_, "'" + line + "' stands before the first [name]");
        if (std::regex_match(line, EDIT_LINE)) return read_edit(line);
        if (std::regex_match(line, match, KEY_LINE)) return read_key(match[1], match[2]);
        if (std::regex_match(line, match, MORE_LINE) && last_key_) {
            *last_key_ += (last_key_->empty() ? "" : " ") + match[1].str();
            return;
        }
        fail(number_, "'" + line + "' must be [name], a key, '- old text' or '+ new text'");
    }

    void begin(const std::string& name) {
        finish();
        for (const paragraph& other : read_)
            if (other.name == name)
                fail(number_, name + " is there twice, first in line " + std::to_string(other.line));
        read_.push_back({name, number_, {}, {}});
    }

    void read_key(const std::string& key, const std::string& value) {
        paragraph& current = read_.back();
        if (!is_known(key)) fail(number_, "'" + key + ":' must be " + known_keys());
        if (!current.edits.empty()) fail(number_, "'" + key + ":' stands after an edit");
        if (current.keys.count(key)) fail(number_, "'" + key + ":' is there twice");
        last_key_ = &(current.keys[key] = value);
    }

    bool is_known(const std::string& key) const {
        const auto has = [&](const auto& list) {
            return std::find(list.begin(), list.end(), key) != list.end();
        };
        return has(keys_.needed) || has(keys_.optional);
    }

    /// "fails, wrong or diagnosed".
    std::string known_keys() const {
        std::vector<std::string> all = keys_.needed;
        all.insert(all.end(), keys_.optional.begin(), keys_.optional.end());
        std::string text = all.front();
        for (size_t k = 1; k < all.size(); k++)
            text += (k + 1 < all.size() ? ", " : " or ") + all[k];
        return text;
    }

    void read_edit(const std::string& line) {
        std::vector<edit>& edits = read_.back().edits;
        last_key_ = nullptr;
        const code_line read{number_, line.size() > 2 ? line.substr(2) : ""};
        if (line[0] == '-') {
            if (!in_edit_ || !edits.back().after.empty()) edits.emplace_back();
            edits.back().before.push_back(read);
        } else {
            if (!in_edit_) fail(number_, "an edit begins with its old text, '- ..'");
            edits.back().after.push_back(read);
        }
        in_edit_ = true;
    }

    void end_edit() {
        in_edit_ = false;
        last_key_ = nullptr;
    }

    void finish() {
        end_edit();
        if (read_.empty()) return;
        const paragraph& last = read_.back();
        for (const std::string& key : keys_.needed)
            if (last.value(key).empty()) fail(last.line, last.name + " has no line '" + key + ": ..'");
        if (last.edits.empty()) fail(last.line, last.name + " changes nothing: it has no edits");
    }

    [[noreturn]] void fail(int line, const std::string& trouble) const {
        throw std::runtime_error(file_.string() + ":" + std::to_string(line) + ": " + trouble);
    }

    fs::path file_;
    const paragraph_keys& keys_;
    int number_ = 0;
    std::vector<paragraph> read_;
    std::string* last_key_ = nullptr;  // which the next line may go on with
    bool in_edit_ = false;
};

}  // namespace

std::vector<paragraph> read_paragraphs(const fs::path& file, const paragraph_keys& keys) {
    return paragraph_reader(file, keys).read();
}

}  // namespace author
