// Which element of an array is a lane's own: in blocks of one dimension s[t], where t is threadIdx.x, or goes on from there
// by blockDim.x.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simt/rewrite/functions.h"
#include "simt/rewrite/source.h"

namespace rewrite {

class own_elements {
public:
    /// Of a function with a body.
    own_elements(const source& file, const function& f);

    /// Of the access from `name` to `last`: what is in its last brackets, if that is a lane's number plus something that
    /// does not change. Empty if another lane may mean the same element.
    std::string element(size_t name, size_t last) const;
    /// False if a lane's own `one` and another lane's own `other`, both of the same array, are different elements.
    static bool may_be_others(const std::string& one, const std::string& other);
    /// True if from `first` on, up to the end of the statement, a lane's number is multiplied: each has a part of its own.
    bool is_part(size_t first) const;

private:
    /// if (name == value): there x[value] is x[name]; or if (name < value).
    struct condition {
        size_t begin = NONE, end = NONE;
        std::string name;
        std::string_view value;
    };
    const source& file_;
    std::set<std::string_view> lanes_;     // names of threadIdx.x
    std::set<std::string_view> changing_;  // names of what is changed after it is made
    std::vector<condition> conditions_, bounds_;

    bool is_thread(size_t i) const;
    bool is_lane(size_t first, size_t end) const;
    void note_condition(size_t i);
    bool goes_on_by_blocks(size_t sign) const;
    std::string bounded_element(size_t name, size_t first, size_t last) const;
    bool is_lane_name(const std::string& name) const;
};

}  // namespace rewrite
