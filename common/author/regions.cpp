// Reads region markers and cuts skeletons and variants from a solution.
#include "author/regions.h"
#include "call/code_line.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace author {
namespace {

constexpr size_t LINE_LIMIT = 110;  // ColumnLimit of .clang-format: a longer TODO would be reflowed

const std::regex BEGIN_LINE(R"(^(\s*)//\s*begin (\d\d\.\d+)(?:\s+(.*\S))?\s*$)");
const std::regex END_LINE(R"(^\s*//\s*end (\d\d\.\d+)\s*$)");
const std::regex SOMETHING_LIKE_A_MARKER(R"(^\s*//\s*(begin|end)\b.*\d+\.\d+.*$)");
const std::regex COMMENT(R"(^\s*//\s*(.*\S)\s*$)");
const std::regex STAND_IN(R"(^\s*// skeleton:\s?(.*)$)");

/// Reads a file line by line and keeps the place for error messages.
class reader {
public:
    explicit reader(const std::filesystem::path& file) : file_(file), lines_(lines_of(read_text(file))) {
        const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
        if (std::regex_match(folder, std::regex(R"(\d\d_.*)"))) lab_ = folder.substr(0, 2);
    }

    solution read() {
        solution pieces;
        while (next_ < lines_.size()) {
            const std::string& line = lines_[next_++];
            std::smatch begin;
            if (std::regex_match(line, begin, BEGIN_LINE)) {
                pieces.push_back({true, read_region(begin[1], begin[2], begin[3]), {}});
            } else if (std::regex_match(line, SOMETHING_LIKE_A_MARKER)) {
                fail(next_, "'" + trimmed(line) + "' does not belong to a region");
            } else {
                pieces.push_back({false, {}, {int(next_), line}});
            }
        }
        return pieces;
    }

private:
    region read_region(const std::string& indent, const std::string& id, const std::string& sentence) {
        const size_t start = next_;
        if (!lab_.empty() && id.substr(0, 2) != lab_) fail(start, "region " + id + " stands in lab " + lab_);
        if (!ids_.insert(id).second) fail(start, "region " + id + " is there twice");
        region found{id, sentence, indent, {}, {}};
        std::smatch more;
        while (!found.sentence.ends_with('.')) {
            if (next_ == lines_.size() || !std::regex_match(lines_[next_], more, COMMENT))
                fail(start, "region " + id + " needs a sentence that ends with a full stop");
            found.sentence += (found.sentence.empty() ? "" : " ") + more[1].str();
            next_++;
        }
        while (next_ < lines_.size()) {
            const std::string& line = lines_[next_++];
            std::smatch match;
            if (std::regex_match(line, match, END_LINE)) {
                if (match[1] != id) fail(next_, "region " + id + " is closed by end " + match[1].str());
                if (found.code_lines() == 0) fail(start, "region " + id + " holds no code");
                return found;
            }
            if (std::regex_match(line, SOMETHING_LIKE_A_MARKER))
                fail(next_, "a marker inside region " + id + ": regions do not nest");
            if (std::regex_match(line, match, STAND_IN))
                found.stand_in.push_back(match[1].str().empty() ? "" : indent + match[1].str());
            else
                found.code.push_back({int(next_), line});
        }
        fail(start, "region " + id + " has no end");
    }

    [[noreturn]] void fail(size_t line, const std::string& trouble) const {
        throw std::runtime_error(file_.string() + ":" + std::to_string(line) + ": " + trouble);
    }

    std::filesystem::path file_;
    std::vector<std::string> lines_;
    std::string lab_;
    std::set<std::string> ids_;
    size_t next_ = 0;
};

/// `// TODO 01.2 (about 2 lines) Sentence.`, wrapped at the line limit.
std::string todo(const region& what) {
    const int count = what.code_lines();
    std::string line = what.indent + "// TODO " + what.id + " (about " + std::to_string(count) +
                       (count == 1 ? " line)" : " lines)");
    std::string text;
    std::istringstream words(what.sentence);
    for (std::string word; words >> word;) {
        if (line.size() + 1 + word.size() > LINE_LIMIT) {
            text += line + "\n";
            line = what.indent + "// " + word;
        } else {
            line += " " + word;
        }
    }
    text += line + "\n";
    for (const std::string& stand_in : what.stand_in)
        text += stand_in + "\n";
    return text;
}

std::string original(const region& what) {
    std::string text = what.indent + "// " + what.id + " " + what.sentence + "\n";
    for (const code_line& line : what.code)
        text += line.text + "\n";
    return text;
}

/// The text with the TODO lines of the regions that `is_open` says, and all others as they are.
template <class function>
std::string cut(const solution& what, const function& is_open) {
    std::string text;
    for (const piece& part : what) {
        if (!part.is_region)
            text += part.line.text + "\n";
        else
            text += is_open(part.inside) ? todo(part.inside) : original(part.inside);
    }
    return text;
}

/// 12 of "01.12".
int place_of(const std::string& id) {
    return std::stoi(id.substr(id.find('.') + 1));
}

}  // namespace

int region::code_lines() const {
    return int(std::count_if(code.begin(), code.end(),
                             [](const code_line& line) { return !check::code_in(line.text).empty(); }));
}

solution read_solution(const std::filesystem::path& file) {
    return reader(file).read();
}

std::string skeleton_of(const solution& what) {
    return cut(what, [](const region&) { return true; });
}

std::string without_region(const solution& what, const std::string& id) {
    return cut(what, [&](const region& one) { return one.id == id; });
}

std::string up_to_region(const solution& what, const std::string& id) {
    return cut(what, [&](const region& one) { return place_of(one.id) > place_of(id); });
}

std::vector<std::string> working_order(const solution& what) {
    std::vector<std::string> ids;
    for (const region& one : regions_of(what))
        ids.push_back(one.id);
    std::sort(ids.begin(), ids.end(),
              [](const std::string& a, const std::string& b) { return place_of(a) < place_of(b); });
    return ids;
}

std::vector<region> regions_of(const solution& what) {
    std::vector<region> found;
    for (const piece& part : what)
        if (part.is_region) found.push_back(part.inside);
    return found;
}

std::vector<code_line> code_of(const solution& what) {
    std::vector<code_line> code;
    for (const piece& part : what) {
        if (part.is_region)
            code.insert(code.end(), part.inside.code.begin(), part.inside.code.end());
        else
            code.push_back(part.line);
    }
    return code;
}

std::filesystem::path solution_in(const std::filesystem::path& folder) {
    // "solutions/01_conv1d_basic/" ends in an empty name.
    const std::filesystem::path clean = folder.filename().empty() ? folder.parent_path() : folder;
    const std::string key = clean.filename().string();
    if (key.size() < 4 || key[2] != '_')
        throw std::runtime_error(clean.string() + ": a lab's folder is called NN_name");
    return clean / (key.substr(3) + ".cu");
}

std::vector<std::filesystem::path> kernels_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::is_directory(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in && std::filesystem::file_size(file) > 0) text << in.rdbuf();
    if (!in || !text) throw std::runtime_error(file.string() + ": cannot be read");
    return text.str();
}

bool write_text(const std::filesystem::path& file, const std::string& text) {
    if (std::filesystem::exists(file) && read_text(file) == text) return false;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    const std::filesystem::path temporary = file.string() + ".tmp";
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw std::runtime_error(file.string() + ": cannot be written (is the disk full?)");
    }
    std::filesystem::rename(temporary, file);
    return true;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace author
