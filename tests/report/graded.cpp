// Tests of reading a report: what a judge writes is read, and what is no report is refused with a reason.
#include "report/graded.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "../support/hostile.h"
#include "call/plain_text.h"

using nlohmann::json;

static json a_report() {
    return json::parse(
        R"({"schema": "convolution-workbook/report/v1", "lab": "05_conv2d_naive", "state": "checked",
        "message": "", "points": 70, "of": 100, "device": "CPU backend", "checks": [
        {"name": "sizes", "points": 70, "of": 70, "ran": true, "passed": true, "how": "", "seconds": 0.5,
         "wrong_images": 0, "diagnoses": [], "messages": []},
        {"name": "counts", "points": 0, "of": 30, "ran": true, "passed": false, "how": "count", "seconds": 1,
         "messages": ["too many", "loads"]}]})");
}

static report::graded_lab read(const std::string& text) {
    const own_folder folder;
    return report::read_graded(folder.file("report.json", text));
}

/// Why it is refused; "" if it is not. The file's name comes first.
static std::string refusal(const std::string& text) {
    try {
        read(text);
        return "";
    } catch (const std::runtime_error& trouble) {
        const std::string said = trouble.what(), name = "report.json: ";
        REQUIRE(said.find(name) != std::string::npos);
        return said.substr(said.find(name) + name.size());
    }
}

/// The report with another value at a place.
static std::string with(const char* place, const json& value) {
    json changed = a_report();
    changed[json::json_pointer(place)] = value;
    return changed.dump();
}

TEST_CASE("a judge's report is read") {
    const report::graded_lab lab = read(a_report().dump());
    CHECK(lab.student.empty());
    CHECK(lab.lab == "05_conv2d_naive");
    CHECK(lab.state == "checked");
    CHECK(lab.points == 70);
    CHECK(lab.of == 100);
    REQUIRE(lab.checks.size() == 2);
    CHECK(lab.checks[0].passed);
    CHECK(lab.checks[0].seconds == 0.5);
    CHECK(lab.checks[1].how == "count");
    CHECK(lab.checks[1].messages == std::vector<std::string>{"too many", "loads"});
}

TEST_CASE("what the grader adds is read") {
    json more = a_report();
    more["student"] = "Ada", more["seconds"] = 2.5, more["source_hash"] = "ab",
    more["submitted"] = "2026-06-01";
    const report::graded_lab lab = read(more.dump());
    CHECK(lab.student == "Ada");
    CHECK(lab.seconds == 2.5);
    CHECK(lab.source_hash == "ab");
    CHECK(lab.submitted == "2026-06-01");
}

TEST_CASE("numbers out of range are refused") {
    CHECK(refusal(with("/points", -1)) == "points is -1, not 0.0 to 100.0");
    CHECK(refusal(with("/points", 101)) == "points is 101, not 0.0 to 100.0");
    CHECK(refusal(with("/of", 1001)) == "of is 1001, not 0.0 to 1000.0");
    CHECK(refusal(with("/points", "70")) == "points is not a number");
    CHECK(refusal(with("/points", nullptr)) == "points is not a number");  // how JSON says NaN
    CHECK(refusal(with("/checks/0/points", 71)) == "points is 71, not 0.0 to 70.0");
    CHECK(refusal(with("/checks/0/seconds", -1)) != "");
    CHECK(refusal(with("/seconds", 1e300)) != "");
    CHECK(refusal(with("/checks/1/of", -30)) != "");
}

TEST_CASE("points that no check gave are refused") {
    CHECK(refusal(with("/points", 71)) == "has more points than its checks give");
    CHECK(refusal(with("/checks", json::array())) == "has more points than its checks give");
    CHECK(refusal(with("/checks/0/ran", false)) == "a check that did not run gives points");
}

TEST_CASE("numbers that are none are refused") {
    const std::string text = a_report().dump(), points = "\"points\":70,\"schema\"";
    const size_t place = text.find(points);
    REQUIRE(place != std::string::npos);
    for (const std::string number : {"NaN", "nan", "Infinity", "-Infinity", "1e999", "0x46", "", "70 70"}) {
        std::string bad = text;
        bad.replace(place, points.size(), "\"points\":" + number + ",\"schema\"");
        CHECK_MESSAGE(refusal(bad) != "", number);
    }
}

TEST_CASE("what is no report is refused") {
    CHECK(refusal("") != "");
    CHECK(refusal("[]") != "");
    CHECK(refusal("{}") != "");
    CHECK(refusal(a_report().dump().substr(0, 100)) != "");
    CHECK(refusal(std::string(500'000, '[')) != "");
    CHECK(refusal(with("/state", "excellent")) == "state \"excellent\" is unknown");
    CHECK(refusal(with("/checks", "none")) == "checks is not a list");
    CHECK(refusal(with("/checks/0/messages", {1, 2})) != "");
    CHECK(refusal(with("/checks/0/name", 7)) != "");
    CHECK_THROWS_AS(report::read_graded("/nowhere/report.json"), std::runtime_error);
    CHECK_THROWS_AS(report::read_graded("/dev/zero"), std::runtime_error);
    CHECK_THROWS_AS(report::read_graded(fs::temp_directory_path()), std::runtime_error);
}

TEST_CASE("a report has at most 1 MB and 200 checks") {
    CHECK(refusal(with("/device", std::string(900'000, 'x'))).empty());
    CHECK(refusal(with("/device", std::string(1'000'000, 'x'))) == "is larger than 1 MB");
    const json check = a_report()["checks"][0];
    CHECK(refusal(with("/checks", json(std::vector<json>(200, check)))).empty());
    CHECK(refusal(with("/checks", json(std::vector<json>(201, check)))) == "holds more than 200 checks");
}

TEST_CASE("long texts are cut between characters, long lists of messages end") {
    std::string snakes;
    while (snakes.size() < 20'000)
        snakes += "🐍";
    const report::graded_lab lab = read(with("/message", "x" + snakes));
    CHECK(lab.message.size() < 8100);
    CHECK(lab.message.ends_with("🐍 [cut]"));
    CHECK(read(with("/student", std::string(100'000, 'x'))).student.size() < 300);
    CHECK(read(with("/checks/0/messages", std::vector<std::string>(60, "x"))).checks[0].messages.size() ==
          50);
}

TEST_CASE("whatever the bytes are, texts come out as UTF-8") {
    for (const std::string& text : hostile_texts()) {
        const std::string written =
            json{{"lab", "05_conv2d_naive"}, {"state", "crashed"}, {"of", 100}, {"points", 0},
                 {"checks", json::array()},  {"message", "HERE"}}
                .dump();
        std::string bytes;  // quoted for JSON, but else as they are
        for (const char c : text) {
            if (c == '"' || c == '\\') bytes += '\\';
            bytes += (unsigned char)c < 0x20 ? ' ' : c;
        }
        std::string report = written;
        report.replace(report.find("HERE"), 4, bytes);
        std::string read_back = read(report).message;
        for (std::string_view rest = read_back; !rest.empty();) {
            const size_t length = check::character_length(rest);
            REQUIRE_MESSAGE(length > 0, text);
            rest.remove_prefix(length);
        }
    }
}

TEST_CASE("pictures, counts and causes are read, and refused where they are none") {
    json whole = a_report();
    whole["checks"][1]["diagnoses"] =
        json::parse(R"([{"id": "x", "from": "output", "cases": 2, "text": "flipped"}])");
    whole["checks"][1]["counts"] = json::parse(
        R"([{"what": "naive: loads", "now": 8, "right": 1, "passes_at": 1.5, "at_least": false, "met": false}])");
    whole["checks"][1]["picture"] = json::parse(
        R"({"case": "naive", "width": 8, "height": 4, "cell_width": 2, "cell_height": 2, "rows": ["..x.", "?..."]})");
    const report::graded_check check = read(whole.dump()).checks[1];
    CHECK(check.causes == std::vector<std::string>{"flipped"});
    REQUIRE(check.counts.size() == 1);
    CHECK(check.counts[0].passes_at == 1.5);
    CHECK(check.picture.width == 8);
    CHECK(check.picture.rows == std::vector<std::string>{"..x.", "?..."});

    const auto with_other = [&](const char* place, const json& value) {
        json changed = whole;
        changed[json::json_pointer(place)] = value;
        return refusal(changed.dump());
    };
    CHECK(with_other("/checks/1/picture/rows", json::array()) != "");
    CHECK(with_other("/checks/1/picture/rows/0", "too long") != "");
    CHECK(with_other("/checks/1/picture/rows", json(std::vector<std::string>(101, "."))) != "");
    CHECK(with_other("/checks/1/picture/width", -1) != "");
    CHECK(with_other("/checks/1/counts/0/now", "8") != "");
}
