// Sorts what was found by students and labs.
#include "grade/submissions.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "call/plain_text.h"
#include "grade/found_files.h"
#include "grade/gradescope_names.h"
#include "grade/students.h"
#include "questions/answers.h"
#include "report/escape.h"

namespace grade {

namespace fs = std::filesystem;
using questions::LARGEST_ANSWERS;

namespace {

constexpr char ANSWERS[] = "answers.txt";

/// "conv2d_naive.cu" of "05_conv2d_naive".
std::string file_of(const std::string& lab) {
    return lab.substr(lab.find('_') + 1) + ".cu";
}

std::vector<std::string> files_of(const std::vector<std::string>& labs) {
    std::vector<std::string> files;
    for (const std::string& lab : labs)
        files.push_back(file_of(lab));
    files.emplace_back(ANSWERS);
    return files;
}

/// "05" of a file that answers question 05.a first; "" of one that answers none, as it lies in labs/
/// untouched.
std::string number_of(const std::string& answers) {
    static const std::regex answered("[ \\t]*([0-9]{2})\\.[a-z]+[ \\t]*:[ \\t]*[^ \\t\\r].*");
    std::istringstream lines(answers.substr(0, LARGEST_ANSWERS));
    std::smatch parts;
    for (std::string line; std::getline(lines, line);) {
        const std::string beginning = line.substr(0, 80);  // std::regex recurses on every character
        if (std::regex_match(beginning, parts, answered)) return parts[1];
    }
    return "";
}

/// Copies that nobody hands in: what the workbook keeps, and what systems leave beside files.
bool is_aside(const std::string& folder) {
    return folder.starts_with('.') || folder == "build" || folder == "solutions" || folder == "__MACOSX";
}

/// One file of a student: its place in what was handed in, and what was found there.
struct owned_file {
    std::vector<std::string> path;
    const found_file* found;

    std::string name() const { return path.empty() ? "" : path.back(); }
    std::string shown() const {
        std::string text;
        for (const std::string& part : path)
            text += (text.empty() ? "" : "/") + part;
        return report::visible(text, false);
    }
    bool in_folder(const std::string& lab) const { return path.size() > 1 && path[path.size() - 2] == lab; }
};

using owned_files = std::vector<owned_file>;

/// "2026-11-22T17:18:08Z"; "" of a time that nobody knows.
std::string iso_time(int64_t seconds) {
    const std::time_t time = seconds;
    std::tm parts{};
    char text[64];
    if (seconds <= 0 || gmtime_r(&time, &parts) == nullptr) return "";
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// "a.txt, labs/b.cu and 3 more", of what the student chose to name.
std::string list_of(const owned_files& files) {
    constexpr size_t SHOWN = 5;
    constexpr size_t LONGEST = 80;
    std::string text;
    for (size_t k = 0; k < std::min(SHOWN, files.size()); k++) {
        const std::string name = files[k].shown();
        const std::string end = name.size() > LONGEST ? "..." : "";
        text += (k > 0 ? ", " : "") + report::visible(name.substr(0, LONGEST), false) + end;
        if (!files[k].found->trouble.empty() && files[k].path.size() == 1)
            text += " (" + files[k].found->trouble + ")";
    }
    if (files.size() > SHOWN) text += " and " + std::to_string(files.size() - SHOWN) + " more";
    return text;
}

/// Those in labs/NN_name/, if there are such.
owned_files preferred(const owned_files& candidates, const std::string& lab) {
    owned_files better;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(better),
                 [&](const owned_file& one) { return one.in_folder(lab); });
    return better.empty() ? candidates : better;
}

/// The one of `name` that counts, among those that are of this lab.
template <class Test>
handed_file find_file(const owned_files& files, const std::string& lab, const std::string& name,
                      const Test& is_of_lab) {
    owned_files candidates;
    std::copy_if(files.begin(), files.end(), std::back_inserter(candidates), [&](const owned_file& one) {
        return without_copy_number(one.name()) == name && is_of_lab(one);
    });
    candidates = preferred(candidates, lab);
    handed_file result;
    if (candidates.empty()) {
        result.missing =
            files.empty() ? "nothing was handed in" : "no " + name + " was handed in, but " + list_of(files);
        return result;
    }
    const found_file& first = *candidates.front().found;
    const bool alike = std::all_of(candidates.begin(), candidates.end(), [&](const owned_file& one) {
        return one.found->bytes == first.bytes && one.found->trouble == first.trouble;
    });
    if (!alike) {
        result.ambiguous = true;
        result.missing = "which one counts? " + list_of(candidates);
    } else if (!first.trouble.empty()) {
        result.missing = candidates.front().shown() + " " + first.trouble;
    } else {
        result.bytes = first.bytes;
        result.submitted = iso_time(first.modified);
    }
    return result;
}

hand_in find_hand_in(const owned_files& files, const std::string& lab) {
    hand_in result;
    result.lab = lab;
    static_cast<handed_file&>(result) =
        find_file(files, lab, file_of(lab), [](const owned_file&) { return true; });
    result.answers = find_file(files, lab, ANSWERS, [&](const owned_file& one) {
        return number_of(one.found->bytes) == lab.substr(0, 2) ||
               (!one.found->trouble.empty() && one.in_folder(lab));
    });
    return result;
}

/// A whole tree of one student: labs/NN_name/... directly in the folder.
bool is_one_student(const std::vector<found_file>& files, const std::vector<std::string>& labs) {
    return std::any_of(files.begin(), files.end(), [&](const found_file& file) {
        return file.path.size() > 2 && file.path[0] == "labs" &&
               std::find(labs.begin(), labs.end(), file.path[1]) != labs.end();
    });
}

/// Gradescope puts all into a folder of this name.
void drop_wrapper(std::vector<found_file>& files) {
    static const std::regex pattern("assignment_[0-9]+_export");
    const auto wrapped = [](const found_file& file) {
        return file.path.size() > 1 && std::regex_match(file.path[0], pattern);
    };
    std::erase_if(files, [](const found_file& file) {
        return file.is_folder && std::regex_match(file.path[0], pattern);
    });
    if (!std::all_of(files.begin(), files.end(), wrapped)) return;
    for (found_file& file : files)
        file.path.erase(file.path.begin());
}

/// Of Gradescope's export: what its folders are to be called.
std::map<std::string, std::string> names_in(const std::vector<found_file>& files) {
    for (const found_file& file : files)
        if (file.path == std::vector<std::string>{GRADESCOPE_NAMES} && file.trouble.empty())
            return gradescope_names(file.bytes);
    return {};
}

class sorter {
public:
    sorter(std::string from, std::vector<std::string> hand_ins)
        : from_(std::move(from)), hand_ins_(std::move(hand_ins)) {}
    std::map<std::string, owned_files> students;

    void add(const found_file& file, bool one_student) {
        const bool directly = file.path.size() == 1 && !file.is_folder;
        const auto folders_end = file.path.end() - (file.is_folder ? 0 : 1);
        const std::string& top = file.path.front();
        // What begins with a dot may be a student's name, if a file lies there that is handed in.
        const bool is_named =
            !one_student && !directly && top.starts_with('.') && is_hand_in(file.path.back());
        if (std::any_of(file.path.begin() + (is_named ? 1 : 0), folders_end, is_aside)) return;
        if (one_student) return own(from_, file.path, file);
        if (!directly) {
            const std::vector<std::string> inside(file.path.begin() + 1, file.path.end());
            return own(read_folder_name(top).student, inside, file);
        }
        const std::string stem = archive_stem(top);  // one that could not be opened
        entry_name entry = stem.empty() ? read_file_name(top, hand_ins_) : read_folder_name(stem);
        if (!stem.empty()) entry.file = top;
        if (entry.student.empty() && is_hand_in(entry.file)) entry.student = from_;
        if (!entry.student.empty()) own(entry.student, {entry.file}, file);
    }

private:
    bool is_hand_in(const std::string& name) const {
        return std::find(hand_ins_.begin(), hand_ins_.end(), name) != hand_ins_.end();
    }

    void own(const std::string& student, const std::vector<std::string>& path, const found_file& file) {
        owned_files& files = students[check::plain_text(student, true)];
        if (!file.is_folder) files.push_back({path, &file});
    }

    std::string from_;
    std::vector<std::string> hand_ins_;
};

}  // namespace

submission find_submission(const fs::path& from, const std::string& student,
                           const std::vector<std::string>& labs) {
    const std::vector<std::string> hand_ins = files_of(labs);
    const std::vector<found_file> files = find_files(from, [&](const std::string& name) {
        return std::find(hand_ins.begin(), hand_ins.end(), without_copy_number(name)) != hand_ins.end();
    });
    owned_files owned;
    for (const found_file& file : files)
        if (!file.is_folder && std::none_of(file.path.begin(), file.path.end() - 1, is_aside))
            owned.push_back({file.path, &file});
    submission one{check::plain_text(student, true), {}};
    for (const std::string& lab : labs)
        one.labs.push_back(find_hand_in(owned, lab));
    return one;
}

std::vector<submission> find_submissions(const fs::path& from, const std::vector<std::string>& labs) {
    const std::vector<std::string> hand_ins = files_of(labs);
    // Flat files carry the student's name before the lab's.
    const auto wanted = [&](const std::string& name) {
        const std::string file = read_file_name(name, hand_ins).file;
        return name == GRADESCOPE_NAMES ||
               std::find(hand_ins.begin(), hand_ins.end(), file) != hand_ins.end();
    };
    std::vector<found_file> files = find_files(from, wanted);
    drop_wrapper(files);
    const std::map<std::string, std::string> names = names_in(files);
    const std::string own_name = fs::absolute(from / "").parent_path().filename().string();
    const std::string stem = archive_stem(own_name);
    sorter sorted(stem.empty() ? own_name : stem, hand_ins);
    const bool one_student = is_one_student(files, labs);
    for (const found_file& file : files)
        sorted.add(file, one_student);

    std::vector<submission> all;
    for (const auto& [student, owned] : sorted.students) {
        const auto known = names.find(student);
        submission one{
            known == names.end() ? student : check::plain_text(known->second, true) + " (" + student + ")",
            {}};
        for (const std::string& lab : labs)
            one.labs.push_back(find_hand_in(owned, lab));
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace grade
