// Marks an answer.
#pragma once
#include <string>

#include "questions/draw.h"
#include "questions/question.h"

namespace questions {

constexpr size_t MOST_OPTIONS = 6;

enum class verdict { right, wrong, unreadable, kept, empty };

struct marked {
    verdict is = verdict::empty;
    std::string note;  // why it cannot be read, or what becomes of it
};

/// Numbers are compared on a scale whose steps are an eighth of the tolerance, and never themselves: what is compared
/// are sums of the steps, so that a release can have the sums and not the numbers. Units, fractions, percentages
/// and groups of digits are read (questions/expression.h). What a person reads, and letters in a release, are
/// `kept`.
marked mark(const question& which, int variant, const std::string& answer);

/// The sum that stands for the key of this form.
std::string digest_of(const question& which, int variant);

/// An answer that marks as right: the key's value with 9 digits, its formula or its letter; empty for a text.
std::string right_answer(const question& which, int variant);

/// The same of a wrong one.
std::string wrong_answer(const question& which, int variant, const std::string& wrong);

}  // namespace questions
