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

/// An element of an array: a lane's own, if it has a name.
struct own_element {
    std::string name;        // what is in its brackets, or its lane's number
    std::string bound = {};  // which that number is below here; empty if nothing is known
    bool is_upper = false;   // bound + name

    auto operator<=>(const own_element&) const = default;
    /// False if another lane's `other` of the same array is another element.
    bool may_be(const own_element& other) const {
        if (name.empty() || name != other.name) return true;
        return (is_upper || other.is_upper) && bound != other.bound;
    }
};

class own_elements {
public:
    /// Of a function with a body.
    own_elements(const source& file, const function& f);

    /// Of the access from `name` to `last`, if there is a lane's number plus something that does not change in its last
    /// brackets. Without a name if another lane may mean the same element.
    own_element element(size_t name, size_t last) const;
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
    own_element bounded_element(size_t name, size_t first, size_t last) const;
    bool is_lane_name(const std::string& name) const;
};

}  // namespace rewrite
