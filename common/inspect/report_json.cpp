// Reports as JSON. Members stand in a fixed order, so that equal reports are equal bytes.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "inspect/report.h"

namespace inspect {

using json = nlohmann::ordered_json;

// ---- nlohmann finds these by argument-dependent lookup

static void to_json(json& j, const traffic& t) {
    j = {{"lanes", t.lanes},           {"bytes", t.bytes}, {"requests", t.requests}, {"sectors", t.sectors},
         {"wavefronts", t.wavefronts}, {"ideal", t.ideal}, {"worst", t.worst}};
}

static void from_json(const json& j, traffic& t) {
    j.at("lanes").get_to(t.lanes);
    j.at("bytes").get_to(t.bytes);
    j.at("requests").get_to(t.requests);
    j.at("sectors").get_to(t.sectors);
    j.at("wavefronts").get_to(t.wavefronts);
    j.at("ideal").get_to(t.ideal);
    j.at("worst").get_to(t.worst);
}

static void to_json(json& j, const memory_traffic& m) {
    j = {{"loads", m.loads}, {"stores", m.stores}, {"atomics", m.atomics}};
}

static void from_json(const json& j, memory_traffic& m) {
    j.at("loads").get_to(m.loads);
    j.at("stores").get_to(m.stores);
    j.at("atomics").get_to(m.atomics);
}

static void to_json(json& j, const counts& c) {
    j = {{"global", c.global}, {"shared", c.shared}, {"constant", c.constant}, {"texture", c.texture}};
}

static void from_json(const json& j, counts& c) {
    j.at("global").get_to(c.global);
    j.at("shared").get_to(c.shared);
    j.at("constant").get_to(c.constant);
    j.at("texture").get_to(c.texture);
}

static void to_json(json& j, const line_traffic& l) {
    j = {{"file", l.file},
         {"line", l.line},
         {"column", l.column},
         {"space", l.space},
         {"direction", l.direction},
         {"variable", l.variable},
         {"access_bytes", l.access_bytes},
         {"seen", l.seen}};
}

static void from_json(const json& j, line_traffic& l) {
    j.at("file").get_to(l.file);
    j.at("line").get_to(l.line);
    j.at("column").get_to(l.column);
    j.at("space").get_to(l.space);
    j.at("direction").get_to(l.direction);
    j.at("variable").get_to(l.variable);
    j.at("access_bytes").get_to(l.access_bytes);
    j.at("seen").get_to(l.seen);
}

static void to_json(json& j, const variable_traffic& v) {
    j = {{"name", v.name}, {"space", v.space}, {"seen", v.seen}};
}

static void from_json(const json& j, variable_traffic& v) {
    j.at("name").get_to(v.name);
    j.at("space").get_to(v.space);
    j.at("seen").get_to(v.seen);
}

static void to_json(json& j, const finding& f) {
    j = {{"kind", f.kind},
         {"is_error", f.is_error},
         {"text", f.text},
         {"file", f.file},
         {"line", f.line},
         {"column", f.column},
         {"other_file", f.other_file},
         {"other_line", f.other_line},
         {"times", f.times}};
}

static void from_json(const json& j, finding& f) {
    j.at("kind").get_to(f.kind);
    j.at("is_error").get_to(f.is_error);
    j.at("text").get_to(f.text);
    j.at("file").get_to(f.file);
    j.at("line").get_to(f.line);
    j.at("column").get_to(f.column);
    j.at("other_file").get_to(f.other_file);
    j.at("other_line").get_to(f.other_line);
    j.at("times").get_to(f.times);
}

static void to_json(json& j, const launch& l) {
    j = {{"kernel", l.kernel},
         {"grid", l.grid},
         {"block", l.block},
         {"inspected_blocks", l.inspected_blocks},
         {"dynamic_shared", l.dynamic_shared},
         {"total", l.total},
         {"lines", l.lines},
         {"variables", l.variables}};
}

static void from_json(const json& j, launch& l) {
    j.at("kernel").get_to(l.kernel);
    j.at("grid").get_to(l.grid);
    j.at("block").get_to(l.block);
    j.at("inspected_blocks").get_to(l.inspected_blocks);
    j.at("dynamic_shared").get_to(l.dynamic_shared);
    j.at("total").get_to(l.total);
    j.at("lines").get_to(l.lines);
    j.at("variables").get_to(l.variables);
}

std::string to_json(const report& what) {
    const json j = {{"inspected", what.inspected}, {"launches", what.launches}, {"findings", what.findings}};
    // File names and assertion texts may be no UTF-8: such bytes are replaced rather than refused.
    return j.dump(1, ' ', false, json::error_handler_t::replace);
}

report from_json(const std::string& text) {
    try {
        const json j = json::parse(text);
        report result;
        j.at("inspected").get_to(result.inspected);
        j.at("launches").get_to(result.launches);
        j.at("findings").get_to(result.findings);
        return result;
    } catch (const json::exception& error) {
        throw std::runtime_error(std::string("not an inspector's report: ") + error.what());
    }
}

}  // namespace inspect
