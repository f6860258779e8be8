// progress - a table of the labs with the points of their last runs: progress REPORTS LAB...
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "progress: usage: progress REPORTS LAB...\n");
        return 2;
    }
    double sum = 0;
    int tried = 0;
    for (int k = 2; k < argc; k++) {
        const std::string lab = argv[k], file = std::string(argv[1]) + "/" + lab + "/report.json";
        std::ifstream in(file);
        const auto report = nlohmann::json::parse(in, nullptr, false);
        if (!report.is_object() || !report.contains("points")) {
            std::printf("%-24s    -        make lab%s\n", lab.c_str(), lab.substr(0, 2).c_str());
            continue;
        }
        const double points = report["points"], of = report.value("of", 100.0);
        std::string next = points < of ? "make lab" + lab.substr(0, 2) : "done";
        const std::string state = report.value("state", "checked");
        if (state != "checked") next += ": " + report.value("message", state);
        for (const auto& check : report.value("checks", nlohmann::json::array()))
            if (state == "checked" && points < of && check.value("points", 0.0) < check.value("of", 0.0)) {
                next = "next: " + check.value("name", "");
                break;
            }
        std::printf("%-24s %3.0f/%-3.0f    %s\n", lab.c_str(), points, of, next.c_str());
        sum += points;
        tried++;
    }
    std::printf("%-24s %3.0f of %d   (%d of %d labs tried)\n", "all", sum, 100 * (argc - 2), tried, argc - 2);
    return 0;
}
