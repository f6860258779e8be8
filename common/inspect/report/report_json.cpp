// Reports as JSON. Members stand in a fixed order, so that equal reports are equal bytes.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "inspect/report/report.h"

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
         {"times", f.times},
         {"space", f.space},
         {"direction", f.direction},
         {"variable", f.variable}};
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
    j.at("space").get_to(f.space);
    j.at("direction").get_to(f.direction);
    j.at("variable").get_to(f.variable);
}

static void to_json(json& j, const element_map& m) {
    j = {{"variable", m.variable}, {"row_bytes", m.row_bytes}, {"pitch", m.pitch},
         {"loads", m.loads},       {"stores", m.stores},       {"loader", m.loader}};
}

static void from_json(const json& j, element_map& m) {
    j.at("variable").get_to(m.variable);
    j.at("row_bytes").get_to(m.row_bytes);
    j.at("pitch").get_to(m.pitch);
    j.at("loads").get_to(m.loads);
    j.at("stores").get_to(m.stores);
    j.at("loader").get_to(m.loader);
}

static void to_json(json& j, const request_sample& s) {
    j = {{"file", s.file},
         {"line", s.line},
         {"column", s.column},
         {"space", s.space},
         {"direction", s.direction},
         {"variable", s.variable},
         {"access_bytes", s.access_bytes},
         {"block", s.block},
         {"warp", s.warp},
         {"mask", s.mask},
         {"offsets", s.offsets},
         {"cost", s.cost}};
}

static void from_json(const json& j, request_sample& s) {
    j.at("file").get_to(s.file);
    j.at("line").get_to(s.line);
    j.at("column").get_to(s.column);
    j.at("space").get_to(s.space);
    j.at("direction").get_to(s.direction);
    j.at("variable").get_to(s.variable);
    j.at("access_bytes").get_to(s.access_bytes);
    j.at("block").get_to(s.block);
    j.at("warp").get_to(s.warp);
    j.at("mask").get_to(s.mask);
    j.at("offsets").get_to(s.offsets);
    j.at("cost").get_to(s.cost);
    if (s.offsets.size() != 32) throw std::runtime_error("not an inspector's report: a warp has 32 lanes");
}

static void to_json(json& j, const sketch& s) {
    j = {{"block", s.block}, {"elements", s.elements}, {"samples", s.samples}};
}

static void from_json(const json& j, sketch& s) {
    j.at("block").get_to(s.block);
    j.at("elements").get_to(s.elements);
    j.at("samples").get_to(s.samples);
}

static void to_json(json& j, const launch& l) {
    j = {{"kernel", l.kernel},
         {"grid", l.grid},
         {"block", l.block},
         {"static_shared", l.static_shared},
         {"inspected_blocks", l.inspected_blocks},
         {"dynamic_shared", l.dynamic_shared},
         {"total", l.total},
         {"lines", l.lines},
         {"variables", l.variables}};
    if (!l.drawn.empty()) j["drawn"] = l.drawn;
}

static void from_json(const json& j, launch& l) {
    j.at("kernel").get_to(l.kernel);
    j.at("grid").get_to(l.grid);
    j.at("block").get_to(l.block);
    j.at("static_shared").get_to(l.static_shared);
    j.at("inspected_blocks").get_to(l.inspected_blocks);
    j.at("dynamic_shared").get_to(l.dynamic_shared);
    j.at("total").get_to(l.total);
    j.at("lines").get_to(l.lines);
    j.at("variables").get_to(l.variables);
    if (j.contains("drawn")) j.at("drawn").get_to(l.drawn);
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
