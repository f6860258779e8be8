// A student's own numbers: the name draws one of 64 forms of a question, and that form its numbers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "questions/expression.h"
#include "questions/question.h"

namespace questions {

constexpr int VARIANTS = 64;

/// By which a name draws: small letters, one blank between words.
std::string plain_name(const std::string& name);

/// The forms that a question has: VARIANTS, or 1 where nothing is drawn.
int variants(const question& which);

/// Which form a student gets, 0 .. variants - 1. Names that differ in case and blanks alone are the same.
int variant_of(const question& which, const std::string& name);

/// What is drawn and computed for a form.
variables numbers_of(const question& which, int variant);

/// Values for a formula's names, a few points that everybody's is held against.
std::vector<variables> points_of(const question& which);

/// The sentences to choose from, A first.
std::vector<std::string> options_of(const question& which, int variant);

/// The text with its numbers in place of what is in braces. Throws std::runtime_error naming what cannot be
/// computed.
std::string text_with_numbers(const std::string& text, const variables& numbers);

/// The text with names in place of numbers, as a page for everybody shows it.
std::string text_with_names(const std::string& text);

/// FNV-1a of the text, the same on every machine.
uint64_t hash_of(const std::string& text);

}  // namespace questions
