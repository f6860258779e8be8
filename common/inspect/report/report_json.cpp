// Reports as JSON. Members are sorted by name, so that equal reports are equal bytes.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "inspect/report/possible.h"
#include "inspect/report/report.h"

namespace inspect {

// nlohmann finds these by argument-dependent lookup; a member that is missing or of another type is refused.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(traffic, lanes, bytes, requests, sectors, wavefronts, ideal, worst)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(memory_traffic, loads, stores, atomics)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(counts, global, shared, constant, texture, matrix_products)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(line_traffic, file, line, column, space, direction, variable, access_bytes,
                                   seen)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(variable_traffic, name, space, seen, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(finding, kind, is_error, text, file, line, column, other_file, other_line,
                                   times, space, direction, variable, variable_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(element_map, variable, row_bytes, pitch, loads, stores, loader)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(request_sample, file, line, column, space, direction, variable,
                                   access_bytes, block, warp, mask, offsets, cost)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(sketch, block, elements, samples)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(launch, kernel, grid, block, inspected_blocks, static_shared,
                                   dynamic_shared, total, lines, variables, drawn)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(value_origin, values, of_host, first_of_host, sent_by_host)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(guessed_array, name, memory)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(operation, what, name, line, device, stream, bytes, host_waits, overlaps,
                                   slot)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(transform, kind, is_inverse, in_place, sizes, batch, line, stream, device)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(report, inspected, launches, findings, origin, guesses, operations,
                                   transforms, zero_constants)

using nlohmann::json;

std::string to_json(const report& what) {
    // File names and assertion texts may be no UTF-8: such bytes are replaced rather than refused.
    return json(what).dump(1, ' ', false, json::error_handler_t::replace);
}

/// Counts are whole numbers; where the conversion meets another, anything may come of it.
static bool require_whole_numbers(int, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::value && parsed.is_number_float())
        throw std::runtime_error("not an inspector's report: " + parsed.dump() + " is no count");
    return true;
}

report from_json(const std::string& text) {
    require_possible_size(text);
    try {
        const report result = json::parse(text, require_whole_numbers);
        require_possible(result);
        return result;
    } catch (const json::exception& error) {
        throw std::runtime_error(std::string("not an inspector's report: ") + error.what());
    }
}

}  // namespace inspect
