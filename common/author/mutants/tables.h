// What came of mutants: tables for the reader, a file for programs.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "author/mutants/judge.h"
#include "author/mutants/survivors.h"
#include "author/mutants/true_causes.h"

namespace author {

/// A lab whose survivors were looked up.
struct settled_lab {
    judged_lab judged;
    std::map<std::string, survivor> known;  // survivors.txt

    /// killed, open, known, stillborn, equivalent, or failed.
    std::string end_of(size_t k) const;
};

/// Mutants by operator, by region and by lab: how many there are and what became of them; the score, which
/// is the share of killed ones among those that ought to be; how many gave wrong images, and of these whether
/// the likely cause that was named is the true one, is another, or none was named. Shares are of those that
/// true_causes.txt says something of; the others are unjudged.
std::string tables_of(const std::vector<settled_lab>& labs, const std::vector<true_cause>& causes);

/// A line for every mutant: lab,id,operator,region,line,verdict,check,how,wrong_images,diagnosed,naming,seconds,
/// before,after
std::string csv_of(const std::vector<settled_lab>& labs, const std::vector<true_cause>& causes);

/// What must change until all is well: mutants that survive without a reason, each as a paragraph for
/// survivors.txt, and reasons for mutants that do not survive.
std::vector<std::string> complaints_of(const settled_lab& lab);

}  // namespace author
