// Results as files.
#include "grade/program/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "grade/program/workbook.h"
#include "report/escape.h"
#include "report/words.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

nlohmann::ordered_json to_json(const report::graded_count& count) {
    return {{"what", count.what},           {"now", count.now},           {"right", count.right},
            {"passes_at", count.passes_at}, {"at_least", count.at_least}, {"met", count.met}};
}

nlohmann::ordered_json to_json(const report::graded_picture& picture) {
    return {{"case", picture.subject},
            {"width", picture.width},
            {"height", picture.height},
            {"cell_width", picture.cell_width},
            {"cell_height", picture.cell_height},
            {"rows", picture.rows}};
}

nlohmann::ordered_json to_json(const report::graded_check& check) {
    nlohmann::ordered_json entry = {{"name", check.name},       {"points", check.points},
                                    {"of", check.of},           {"ran", check.ran},
                                    {"passed", check.passed},   {"how", check.how},
                                    {"seconds", check.seconds}, {"messages", check.messages}};
    for (const std::string& cause : check.causes)
        entry["diagnoses"].push_back({{"text", cause}});
    for (const report::graded_count& count : check.counts)
        entry["counts"].push_back(to_json(count));
    if (check.picture.width > 0) entry["picture"] = to_json(check.picture);
    return entry;
}

/// As read_graded() reads it.
std::string to_text(const report::graded_lab& lab) {
    nlohmann::ordered_json text = {{"schema", "convolution-workbook/report/v1"},
                                   {"student", lab.student},
                                   {"lab", lab.lab},
                                   {"state", lab.state},
                                   {"message", lab.message},
                                   {"points", lab.points},
                                   {"of", lab.of},
                                   {"seconds", lab.seconds},
                                   {"source_hash", lab.source_hash},
                                   {"submitted", lab.submitted}};
    text["checks"] = nlohmann::ordered_json::array();
    for (const report::graded_check& check : lab.checks)
        text["checks"].push_back(to_json(check));
    return text.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<report::graded_lab> read_if_there(const fs::path& file) {
    if (!fs::exists(file)) return std::nullopt;
    try {
        return report::read_graded(file);
    } catch (const std::runtime_error&) {
        return std::nullopt;  // a disk that was full: judged again
    }
}

/// 53 random bits: JSON keeps them.
std::string draw_seed() {
    std::random_device source;
    return std::to_string((uint64_t(source()) << 32 | source()) >> 11);
}

}  // namespace

void write_whole(const fs::path& file, const std::string& text, const fs::path& given_part) {
    const fs::path part = given_part.empty() ? fs::path(file.string() + ".part") : given_part;
    std::ofstream out(part, std::ios::binary);
    out << text;
    out.close();
    if (!out || std::rename(part.c_str(), file.c_str()) != 0) {
        const std::string reason = std::strerror(errno);
        std::remove(part.c_str());
        throw std::runtime_error(file.string() + ": cannot be written: " + reason);
    }
}

std::string read_whole(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) throw std::runtime_error(file.string() + ": cannot be read");
    return text;
}

store::store(const fs::path& folder, const fs::path& work) : folder_(fs::absolute(folder)), work_(work) {}

store::store(const fs::path& folder) : store(folder, fs::absolute(folder) / "work") {
    std::error_code error;
    for (const char* part : {"results", "students", "work"})
        if (!error) fs::create_directories(folder_ / part, error);
    if (error) throw std::runtime_error("OUT=" + folder.string() + ": cannot be made: " + error.message());
    lock_ = check::descriptor(open((folder_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock_.get() < 0) throw std::runtime_error("OUT=" + folder.string() + ": cannot be written");
    if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
        throw std::runtime_error("OUT=" + folder.string() + ": another make grade works in it");
}

fs::path store::keep_seed(const std::string& given) {
    const fs::path file = seed_file();
    if (given.empty() && fs::exists(file)) return file;
    const mode_t before = umask(0077);  // for the grader's eyes
    write_whole(file, (given.empty() ? draw_seed() : given) + "\n");
    umask(before);
    return file;
}

std::optional<report::graded_lab> store::known(const std::string& hash) const {
    return read_if_there(folder_ / "results" / (hash + ".json"));
}

size_t store::count_known(const std::set<std::string>& hashes) const {
    size_t count = 0;
    // Shared file systems are asked anew for the names in a folder, not for a name that was missing.
    for (const auto& entry : fs::directory_iterator(folder_ / "results"))
        count += entry.path().extension() == ".json" ? hashes.count(entry.path().stem().string()) : 0;
    return count;
}

void store::keep(const std::string& hash, const report::graded_lab& result) const {
    const std::string name = hash + ".json";
    // Two tasks of a cluster may have the same file when one of them is taken for lost.
    if (report::has_mark(result))
        write_whole(folder_ / "results" / name, to_text(result), work_ / (name + ".part"));
}

store::counting store::count(const report::graded_lab& now) const {
    // Two students' names can look alike as names of files.
    constexpr size_t DIGITS = 8;
    const std::string name = report::safe_name(now.student) + "-" + sha256(now.student).substr(0, DIGITS);
    const fs::path folder = folder_ / "students" / name,
                   file = folder / (report::lab_number(now.lab) + ".json");
    if (!report::has_mark(now)) {
        if (const auto earlier = read_if_there(file)) return {*earlier, true};
    }
    fs::create_directories(folder);
    write_whole(file, to_text(now));
    return {now, false};
}

}  // namespace grade
