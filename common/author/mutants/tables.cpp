// Counts mutants.
#include "author/mutants/tables.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace author {
namespace {

constexpr std::array NAMINGS = {"unjudged", "unnamed", "right", "wrong"};

struct tally {
    int all = 0, stillborn = 0, equivalent = 0, killed = 0, known = 0, open = 0;
    int wrong = 0;  // images, and what their named causes are worth:
    int true_ones = 0, false_ones = 0, unnamed = 0, unjudged = 0;

    void add(const std::string& end, const verdict& seen, naming worth) {
        all++;
        stillborn += end == "stillborn";
        equivalent += end == "equivalent";
        killed += end == "killed";
        known += end == "known";
        open += end == "open" || end == "failed";
        if (seen.wrong_images == 0) return;
        wrong++;
        true_ones += worth == naming::right;
        false_ones += worth == naming::wrong;
        unnamed += worth == naming::unnamed;
        unjudged += worth == naming::unjudged;
    }
};

using tallies = std::map<std::string, tally>;

std::string percent(int part, int all) {
    char text[16] = "-";
    if (all > 0) std::snprintf(text, sizeof text, "%.1f %%", 100.0 * part / all);
    return text;
}

std::string table(const std::string& title, const tallies& rows) {
    std::string text;
    const auto line = [&](const std::string& name, const std::vector<std::string>& cells) {
        text += name + std::string(std::max<size_t>(25, name.size() + 1) - name.size(), ' ');
        for (const std::string& cell : cells)
            text += std::string(std::max<size_t>(11, cell.size() + 1) - cell.size(), ' ') + cell;
        text += "\n";
    };
    line(title, {"mutants", "stillborn", "equivalent", "killed", "known", "open", "score", "wrong",
                 "true cause", "false", "unnamed", "unjudged"});
    tally sum;
    const auto row = [&](const std::string& name, const tally& t) {
        line(name, {std::to_string(t.all), std::to_string(t.stillborn), std::to_string(t.equivalent),
                    std::to_string(t.killed), std::to_string(t.known), std::to_string(t.open),
                    percent(t.killed, t.killed + t.open), std::to_string(t.wrong),
                    percent(t.true_ones, t.wrong - t.unjudged), percent(t.false_ones, t.wrong - t.unjudged),
                    percent(t.unnamed, t.wrong - t.unjudged), std::to_string(t.unjudged)});
    };
    for (const auto& [name, t] : rows) {
        row(name, t);
        for (int tally::*member :
             {&tally::all, &tally::stillborn, &tally::equivalent, &tally::killed, &tally::known, &tally::open,
              &tally::wrong, &tally::true_ones, &tally::false_ones, &tally::unnamed, &tally::unjudged})
            sum.*member += t.*member;
    }
    if (rows.size() > 1) row("all", sum);
    return text;
}

std::string quoted(const std::vector<std::string>& lines) {
    std::string text = "\"";
    for (size_t k = 0; k < lines.size(); k++) {
        if (k) text += ' ';
        for (const char c : lines[k])
            text += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return text + "\"";
}

}  // namespace

std::string settled_lab::end_of(size_t k) const {
    const std::string& result = judged.verdicts[k].result;
    if (result != "survived") return result;
    return known.count(judged.mutants[k].id) ? "known" : "open";
}

std::string tables_of(const std::vector<settled_lab>& labs, const std::vector<true_cause>& causes) {
    tallies by_lab, by_operator, by_region;
    for (const settled_lab& lab : labs) {
        for (size_t k = 0; k < lab.judged.mutants.size(); k++) {
            const mutant& one = lab.judged.mutants[k];
            const std::string region =
                one.region == "-" ? lab.judged.key.substr(0, 2) + " outside" : one.region;
            const verdict& seen = lab.judged.verdicts[k];
            const naming worth = judge_naming(seen.diagnosed, one, lab.judged.key, causes);
            for (tally* row : {&by_lab[lab.judged.key], &by_operator[one.change], &by_region[region]})
                row->add(lab.end_of(k), seen, worth);
        }
    }
    return table("operator", by_operator) + "\n" + table("region", by_region) + "\n" + table("lab", by_lab);
}

std::string csv_of(const std::vector<settled_lab>& labs, const std::vector<true_cause>& causes) {
    std::string text =
        "lab,id,operator,region,line,verdict,check,how,wrong_images,diagnosed,naming,seconds,before,after\n";
    for (const settled_lab& lab : labs) {
        for (size_t k = 0; k < lab.judged.mutants.size(); k++) {
            const mutant& one = lab.judged.mutants[k];
            const verdict& seen = lab.judged.verdicts[k];
            const naming worth = judge_naming(seen.diagnosed, one, lab.judged.key, causes);
            for (const std::string& cell :
                 {lab.judged.key, one.id, one.change, one.region, std::to_string(one.line), lab.end_of(k),
                  seen.check, seen.how, std::to_string(seen.wrong_images), seen.diagnosed,
                  seen.wrong_images > 0 ? std::string(NAMINGS[size_t(worth)]) : "",
                  std::to_string(seen.seconds), quoted(one.before)})
                text += cell + ",";
            text += quoted(one.after) + "\n";
        }
    }
    return text;
}

std::vector<std::string> complaints_of(const settled_lab& lab) {
    std::vector<std::string> all;
    const std::string solution = "solutions/" + lab.judged.key + "/";
    for (size_t k = 0; k < lab.judged.mutants.size(); k++) {
        const mutant& one = lab.judged.mutants[k];
        const std::string end = lab.end_of(k);
        const std::string place = solution + lab.judged.key.substr(3) + ".cu:" + std::to_string(one.line);
        if (end == "failed")
            all.push_back(place + ": " + one.id + " was not judged: build/mutants/" + lab.judged.key + "/" +
                          one.id + ".log");
        if (end == "open") all.push_back(place + ": survives:\n" + paragraph_for(one));
        const auto reason = lab.known.find(one.id);
        if (reason != lab.known.end() && end != "known" && end != "failed")
            all.push_back(reason->second.where + ": its mutant does not survive, it is " + end +
                          ": take it out");
    }
    return all;
}

}  // namespace author
