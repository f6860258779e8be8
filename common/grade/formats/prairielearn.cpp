// results.json of PrairieLearn.
#include <algorithm>

#include "grade/formats/formats.h"
#include "grade/formats/json.h"
#include "report/words.h"

namespace grade {

std::string prairielearn_json(const report::graded_lab& lab) {
    if (!report::has_mark(lab)) return "";
    nlohmann::ordered_json result;
    result["score"] = lab.of > 0 ? std::clamp(lab.points / lab.of, 0.0, 1.0) : 0.0;
    result["message"] = json_text(report::sentence_of(lab));
    result["tests"] = nlohmann::ordered_json::array();
    for (size_t k = 0; k < lab.checks.size(); k++) {
        const report::graded_check& check = lab.checks[k];
        result["tests"].push_back(
            {{"name", json_line(report::name_of(lab, k))},
             {"points", check.points},
             {"max_points", check.of},
             {"message",
              json_text(check.messages.empty() ? report::outcome_word(check) : report::messages_of(check))}});
    }
    return json_file(result);
}

}  // namespace grade
