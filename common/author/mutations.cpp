// Reads wrong.txt: the kernels' names, their keys and their edits.
#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>

#include "author/edits.h"
#include "author/known_wrong.h"

namespace fs = std::filesystem;

namespace author {
namespace {

const std::regex NAME_LINE(R"(^\[(\w+)\]$)");
const std::regex KEY_LINE(R"(^([a-z]+):\s*(.*)$)");
const std::regex MORE_LINE(R"(^  \s*(\S.*)$)");
const std::regex EDIT_LINE(R"(^[-+]( .*)?$)");

struct mutation {
    std::string name;
    int line = 0;
    std::map<std::string, std::string> keys;
    std::vector<edit> edits;
};

/// Reads the file line by line.
class mutation_reader {
public:
    explicit mutation_reader(const fs::path& file) : file_(file) {}

    std::vector<mutation> read() {
        for (const std::string& raw : lines_of(read_text(file_))) {
            number_++;
            const std::string line = raw.substr(0, raw.find_last_not_of(" \t\r") + 1);
            if (line.starts_with('#')) continue;
            read_line(line);
        }
        finish_kernel();
        return std::move(kernels_);
    }

private:
    enum class expected { key, old_text, more_old_text, new_text };

    void read_line(const std::string& line) {
        std::smatch match;
        if (std::regex_match(line, match, NAME_LINE)) return begin_kernel(match[1]);
        if (line.empty()) return end_edit();
        if (kernels_.empty()) fail(number_, "'" + line + "' stands before the first [name]");
        if (std::regex_match(line, EDIT_LINE)) return read_edit(line);
        if (std::regex_match(line, match, KEY_LINE)) return read_key(match[1], match[2]);
        if (std::regex_match(line, match, MORE_LINE) && last_key_) {
            *last_key_ += (last_key_->empty() ? "" : " ") + match[1].str();
            return;
        }
        fail(number_, "'" + line + "' must be [name], a key, '- old text' or '+ new text'");
    }

    void begin_kernel(const std::string& name) {
        finish_kernel();
        for (const mutation& other : kernels_)
            if (other.name == name)
                fail(number_, name + " is there twice, first in line " + std::to_string(other.line));
        kernels_.push_back({name, number_, {}, {}});
    }

    void read_key(const std::string& key, const std::string& value) {
        mutation& kernel = kernels_.back();
        if (key != "fails" && key != "wrong" && key != "diagnosed")
            fail(number_, "'" + key + ":' must be fails, wrong or diagnosed");
        if (!kernel.edits.empty()) fail(number_, "'" + key + ":' stands after an edit");
        if (kernel.keys.count(key)) fail(number_, "'" + key + ":' is there twice");
        last_key_ = &(kernel.keys[key] = value);
    }

    void read_edit(const std::string& line) {
        std::vector<edit>& edits = kernels_.back().edits;
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

    void finish_kernel() {
        end_edit();
        if (kernels_.empty()) return;
        const mutation& kernel = kernels_.back();
        for (const char* key : {"fails", "wrong"}) {
            const auto found = kernel.keys.find(key);
            if (found == kernel.keys.end() || found->second.empty())
                fail(kernel.line, kernel.name + " has no line '" + key + ": ..'");
        }
        if (kernel.edits.empty()) fail(kernel.line, kernel.name + " changes nothing: it has no edits");
    }

    [[noreturn]] void fail(int line, const std::string& trouble) const {
        throw std::runtime_error(file_.string() + ":" + std::to_string(line) + ": " + trouble);
    }

    fs::path file_;
    int number_ = 0;
    std::vector<mutation> kernels_;
    std::string* last_key_ = nullptr;  // which the next line may go on with
    bool in_edit_ = false;
};

}  // namespace

std::vector<known_wrong> mutations_of(const fs::path& wrong_txt, const fs::path& solution) {
    const editable_text original(solution, code_of(read_solution(solution)));
    std::vector<known_wrong> kernels;
    std::string troubles;
    for (const mutation& read : mutation_reader(wrong_txt).read()) {
        const auto value = [&](const char* key) { return read.keys.count(key) ? read.keys.at(key) : ""; };
        const std::string where = wrong_txt.string() + ":" + std::to_string(read.line) + ": " + read.name;
        kernels.push_back({read.name, where, value("fails"), value("wrong"), ids_in(value("diagnosed")), ""});
        try {
            kernels.back().text = original.with(read.edits, wrong_txt);
        } catch (const std::runtime_error& error) {
            troubles += (troubles.empty() ? "" : "\n") + std::string(error.what());
        }
    }
    if (!troubles.empty()) throw std::runtime_error(troubles);
    return kernels;
}

}  // namespace author
