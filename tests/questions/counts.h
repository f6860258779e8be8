// Keys of the questions, counted one by one: no formula, loops over threads, blocks, tiles and taps.
#pragma once
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "questions/expression.h"

/// What a question's key must be for these numbers, by the question's id.
using counts = std::map<std::string, std::function<double(const questions::variables&)>>;

/// How many k from `first` to `last` are `so`.
template <class So>
double how_many(int first, int last, const So& so) {
    double found = 0;
    for (int k = first; k <= last; k++)
        found += so(k) ? 1 : 0;
    return found;
}

/// The largest k from `first` to `last` that is `so`; NaN if none is.
template <class So>
double largest(int first, int last, const So& so) {
    for (int k = last; k >= first; k--)
        if (so(k)) return k;
    return __builtin_nan("");
}

/// The smallest.
template <class So>
double smallest(int first, int last, const So& so) {
    for (int k = first; k <= last; k++)
        if (so(k)) return k;
    return __builtin_nan("");
}

inline int whole(const questions::variables& numbers, const char* name) {
    return int(std::lround(numbers.at(name)));
}
