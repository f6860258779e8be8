// All formats of a class, as files.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "grade/formats/class_files.h"
#include "grade/formats/formats.h"
#include "grade/formats/question_lab.h"
#include "report/escape.h"
#include "report/student_page.h"
#include "report/words.h"

namespace fs = std::filesystem;

namespace grade {
namespace {

/// Nothing is written where there is nothing to say.
void write(const fs::path& file, const std::string& text) {
    if (text.empty()) return;
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw std::runtime_error(file.string() + ": cannot be written: " + std::strerror(errno));
}

/// Names for files, no two of them alike, not even where capitals do not count.
class unique_names {
public:
    std::string of(const std::string& text) {
        const std::string name = report::safe_name(text);
        std::string unique = name;
        for (int n = 2; !taken_.insert(small(unique)).second; n++)
            unique = name + "-" + std::to_string(n);
        return unique;
    }

private:
    static std::string small(std::string name) {
        for (char& c : name)
            c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
        return name;
    }
    std::set<std::string> taken_;
};

void write_lab(const report::graded_lab& lab, const fs::path& folder, const fs::path& student,
               const std::string& name) {
    write(folder / "gradescope" / student / (name + ".json"), gradescope_json(lab));
    write(folder / "classroom50" / student / (name + ".json"), classroom50_json(lab, local_run(lab)));
    write(folder / "classroom50" / student / (name + ".md"), classroom50_page(lab));
    write(folder / "junit" / student / (name + ".xml"), junit_xml(lab));
    write(folder / "autolab" / student / (name + ".txt"), autolab_line(lab));
    write(folder / "prairielearn" / student / (name + ".json"), prairielearn_json(lab));
}

void write_student(const std::vector<report::graded_lab>& labs, const fs::path& folder,
                   const std::string& name) {
    write(folder / "html" / (name + ".html"), report::student_html(labs.front().student, labs));
    unique_names files;
    for (const report::graded_lab& lab : labs) {
        const std::string number = files.of(report::lab_number(lab.lab));
        write_lab(lab, folder, name, number);
        if (lab.answers) write_lab(question_lab(lab), folder, name, files.of(number + "-questions"));
    }
}

void write_all(const std::vector<report::graded_lab>& all, const fs::path& folder) {
    write(folder / "results.csv", results_csv(all));
    write(folder / "gradebook.csv", gradebook_csv(all));
    std::map<std::string, std::vector<report::graded_lab>> students;
    for (const report::graded_lab& lab : all)
        students[lab.student].push_back(lab);
    unique_names names;
    std::vector<class_row> rows;
    for (const auto& [student, labs] : students) {
        rows.push_back({student, names.of(student), labs});
        write_student(labs, folder, rows.back().file);
    }
    write(folder / "students.html", class_html(rows));
}

fs::path beside(const fs::path& folder, const char* ending) {
    // "formats/" ends with an empty name.
    const fs::path plain = folder.has_filename() ? folder : folder.parent_path();
    return plain.string() + ending;
}

}  // namespace

void write_formats(const std::vector<report::graded_lab>& all, const fs::path& folder) {
    const fs::path fresh = beside(folder, ".part"), old = beside(folder, ".old");
    try {
        fs::remove_all(fresh);  // of a run that was killed
        fs::remove_all(old);
        write_all(all, fresh);
        if (fs::exists(folder)) fs::rename(folder, old);
        fs::rename(fresh, folder);
        fs::remove_all(old);
    } catch (const fs::filesystem_error& trouble) {
        throw std::runtime_error(trouble.what());
    }
}

}  // namespace grade
