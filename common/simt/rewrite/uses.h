// What g++ remarks about marked functions and variables (sides.h): which uses are wrong, and in which words.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "simt/rewrite/sides.h"

namespace rewrite {

class use_judge {
public:
    /// The text that was rewritten must outlive the judge.
    explicit use_judge(std::string_view preprocessed);

    /// The remark "file:line:column: warning: 'declaration' is deprecated: simt: mark"; empty if the use is right.
    /// A template counts where it is instantiated.
    std::string judge(std::string_view location, std::string_view declaration, std::string_view mark,
                      bool in_instantiation) const;
    /// The same for "variable length array 'name' is used"; right in host code.
    std::string judge_array(std::string_view location, std::string_view name) const;

    /// The token of device code that a remark points at; NONE elsewhere.
    size_t token_in_device(std::string_view location) const;

private:
    source file_;
    function_table functions_;
    side_map sides_;
    std::map<std::pair<std::string_view, int>, std::vector<size_t>> tokens_of_line_;

    size_t token_at(std::string_view location) const;
    size_t name_at(size_t at, const std::string& name) const;
    bool is_unevaluated(size_t i) const;
    size_t after_name(size_t i) const;
    bool is_call(size_t at, std::string_view name) const;
    std::string judge_call(size_t at, const std::string& name, std::string_view mark) const;
    std::string judge_host_variable(size_t at, const std::string& name) const;
    std::string judge_constant(size_t at, const std::string& name) const;
    std::string judge_constant_memory(size_t at, const std::string& name) const;
    bool is_changed(size_t i) const;
    std::string judge_device_variable(size_t at, const std::string& name, bool is_array) const;
    bool takes_reference(size_t argument) const;
};

}  // namespace rewrite
