// Counts mutants.
#include "author/mutants/tables.h"

#include <algorithm>
#include <cstdio>

namespace author {
namespace {

struct tally {
    int all = 0, stillborn = 0, equivalent = 0, killed = 0, known = 0, open = 0;
    int wrong = 0, named = 0;  // images; causes

    void add(const std::string& end, const verdict& seen) {
        all++;
        stillborn += end == "stillborn";
        equivalent += end == "equivalent";
        killed += end == "killed";
        known += end == "known";
        open += end == "open" || end == "failed";
        wrong += seen.wrong_images > 0;
        named += seen.wrong_images > 0 && !seen.diagnosed.empty();
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
    line(title, {"mutants", "stillborn", "equivalent", "killed", "known", "open", "score", "wrong", "named"});
    tally sum;
    const auto row = [&](const std::string& name, const tally& t) {
        line(name,
             {std::to_string(t.all), std::to_string(t.stillborn), std::to_string(t.equivalent),
              std::to_string(t.killed), std::to_string(t.known), std::to_string(t.open),
              percent(t.killed, t.killed + t.open), std::to_string(t.wrong), percent(t.named, t.wrong)});
    };
    for (const auto& [name, t] : rows) {
        row(name, t);
        for (int tally::*member : {&tally::all, &tally::stillborn, &tally::equivalent, &tally::killed,
                                   &tally::known, &tally::open, &tally::wrong, &tally::named})
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

std::string tables_of(const std::vector<settled_lab>& labs) {
    tallies by_lab, by_operator, by_region;
    for (const settled_lab& lab : labs) {
        for (size_t k = 0; k < lab.judged.mutants.size(); k++) {
            const mutant& one = lab.judged.mutants[k];
            const std::string region =
                one.region == "-" ? lab.judged.key.substr(0, 2) + " outside" : one.region;
            by_lab[lab.judged.key].add(lab.end_of(k), lab.judged.verdicts[k]);
            by_operator[one.change].add(lab.end_of(k), lab.judged.verdicts[k]);
            by_region[region].add(lab.end_of(k), lab.judged.verdicts[k]);
        }
    }
    return table("operator", by_operator) + "\n" + table("region", by_region) + "\n" + table("lab", by_lab);
}

std::string csv_of(const std::vector<settled_lab>& labs) {
    std::string text =
        "lab,id,operator,region,line,verdict,check,how,wrong_images,diagnosed,seconds,before,after\n";
    for (const settled_lab& lab : labs) {
        for (size_t k = 0; k < lab.judged.mutants.size(); k++) {
            const mutant& one = lab.judged.mutants[k];
            const verdict& seen = lab.judged.verdicts[k];
            for (const std::string& cell :
                 {lab.judged.key, one.id, one.change, one.region, std::to_string(one.line), lab.end_of(k),
                  seen.check, seen.how, std::to_string(seen.wrong_images), seen.diagnosed,
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
