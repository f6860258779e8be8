#include "write.h"

#include <algorithm>

namespace fuzz {

namespace {

using std::to_string;

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& one : parts)
        text += (text.empty() ? "" : ", ") + one;
    return text;
}

class writer {
public:
    writer(program& what, std::string& text, int& line) : it(what), text(text), line(line) {}

    void write() {
        put("// program " + to_string(it.index) + ": SEED=" + to_string(it.seed) +
            (it.planted.empty() ? "" : ", planted: " + it.planted));
        for (const auto& one : it.structs)
            write_struct(*one);
        for (const array& one : it.arrays)
            write_variable(one);
        // Helpers, the last one first: none calls one that was made before it.
        for (size_t k = it.functions.size(); k-- > 0;)
            if (it.functions[k].what != function::kernel) write_function(it.functions[k]);
        for (function& one : it.functions)
            if (one.what == function::kernel) write_function(one);
        write_host();
    }

private:
    void put(const std::string& what) {
        text += std::string(depth * 4, ' ') + what + "\n";
        line++;
    }

    void write_struct(const type& one) {
        int natural = 1;
        for (const member& part : one.members)
            natural = std::max(natural, bytes_of(part.type));
        std::string all = one.align > natural ? "struct alignas(" + to_string(one.align) + ") " : "struct ";
        all += one.name + " {";
        for (const member& part : one.members)
            all += std::string(" ") + name_of(part.type) + " " + part.name + ";";
        put(all + " };");
    }

    void write_variable(const array& one) {
        if (one.where != space::device && one.where != space::constant) return;
        const std::string how = one.where == space::device ? "__device__" : "__constant__";
        put(how + " __align__(128) " + one.element->name + " " + one.name + "[" + to_string(one.count) +
            "];");
    }

    void write_shared(const array& one) {
        std::string size = "[" + to_string(one.count) + "]";
        if (one.columns > 0)
            size = "[" + to_string(one.count / one.columns) + "][" + to_string(one.columns) + "]";
        if (one.where == space::dynamic) size = "[]";
        const std::string before = one.where == space::dynamic ? "extern __shared__ " : "__shared__ ";
        const std::string align = one.element->bytes % 4 ? "__align__(4) " : "";
        put(before + align + one.element->name + " " + one.name + size + ";");
    }

    std::string parameter(const local& one) {
        const std::string constant = one.is_const ? "const " : "";
        if (one.how == local::pointer) return constant + one.is->name + "* " + one.name;
        if (one.how == local::reference) return constant + one.is->name + "& " + one.name;
        return one.is->name + " " + one.name;
    }

    void write_function(function& one) {
        now = &one;
        std::vector<std::string> parameters;
        for (int k = 0; k < one.parameters; k++)
            parameters.push_back(parameter(one.locals[k]));
        const std::string result = one.result ? one.result->name : "void";
        std::string before;
        switch (one.what) {
            case function::kernel:
                before = "__global__ ";
                parameters = kernel_parameters(one);
                break;
            case function::forced:
                before = "__device__ __forceinline__ ";
                break;
            case function::kept:
            case function::recursive:
                before = "__device__ __noinline__ ";
                break;
            case function::templated:
                before = "template <int K> __device__ ";
                break;
            default:
                before = "__device__ ";
        }
        put(before + result + " " + one.name + "(" + joined(parameters) + ") {");
        depth++;
        if (one.what == function::kernel) {
            for (const array& tile : it.arrays)
                if ((tile.where == space::shared || tile.where == space::dynamic) &&
                    &it.functions[tile.kernel] == &one)
                    write_shared(tile);
        }
        write_list(one.body);
        depth--;
        put("}");
    }

    std::vector<std::string> kernel_parameters(const function& one) {
        std::vector<std::string> parameters;
        for (const launch& run : it.launches) {
            if (&it.functions[run.kernel] != &one) continue;
            for (const int id : run.arrays) {
                const array& memory = it.arrays[id];
                const std::string type = (memory.is_written ? "" : "const ") + memory.element->name + "*";
                parameters.push_back(type + (memory.is_restricted ? " __restrict__ " : " ") + memory.name);
            }
            for (size_t k = 0; k < run.numbers.size(); k++)
                parameters.push_back("int " + one.locals[run.arrays.size() + k].name);
        }
        return parameters;
    }

    void write_list(std::vector<stmt>& list) {
        for (stmt& one : list)
            write_statement(one);
    }

    void write_block(std::vector<stmt>& list) {
        depth++;
        write_list(list);
        depth--;
    }

    void write_statement(stmt& one) {
        one.line = line;
        const auto text_of = [&](int k) { return write_expr(one.value[k]); };
        switch (one.what) {
            case stmt::declare:
                return write_declaration(one);
            case stmt::assign: {
                const std::string element = one.element >= 0 ? "[" + to_string(one.element) + "]" : "";
                return put(now->locals[one.slot].name + element + " = " + text_of(0) + ";");
            }
            case stmt::store:
                return put(write_place(one.target) + " " + one.op + " " + text_of(0) + ";");
            case stmt::atomic:
                return put("atomic" + one.op + "(&" + write_place(one.target) + ", " + text_of(0) + ");");
            case stmt::branch:
                put("if (" + text_of(0) + ") {");
                write_block(one.body);
                if (!one.other.empty()) {
                    put("} else {");
                    write_block(one.other);
                }
                return put("}");
            case stmt::loop: {
                const std::string& k = now->locals[one.slot].name;
                put("#pragma unroll 1");
                one.line = line;
                put("for (int " + k + " = " + text_of(0) + "; " + k + " < " + text_of(1) + "; " + k +
                    " += " + text_of(2) + ") {");
                write_block(one.body);
                return put("}");
            }
            case stmt::choice:
                put("switch (" + text_of(0) + ") {");
                depth++;
                for (size_t k = 0; k < one.cases.size(); k++) {
                    const bool is_last = k + 1 == one.cases.size();
                    put(is_last ? "default: {" : "case " + to_string(k) + ": {");
                    write_block(one.cases[k]);
                    put(is_last || !one.falls[k] ? "} break;" : "}");
                }
                depth--;
                return put("}");
            case stmt::leave:
                return put("break;");
            case stmt::next:
                return put("continue;");
            case stmt::give:
                return put(one.value.empty() ? "return;" : "return " + text_of(0) + ";");
            case stmt::barrier:
                return put("__syncthreads();");
            case stmt::warp_barrier:
                return put("__syncwarp();");
            case stmt::invoke:
                return put(text_of(0) + ";");
        }
    }

    void write_declaration(const stmt& one) {
        const local& variable = now->locals[one.slot];
        std::string before = variable.is->name + " " + variable.name;
        if (variable.how == local::list) return put(before + "[" + to_string(variable.count) + "];");
        if (variable.is_const) before = "const " + before;
        put(before + (one.value.empty() ? ";" : " = " + write_expr(one.value[0]) + ";"));
    }

    std::string write_place(const place& where) {
        std::string base = where.array >= 0 ? it.arrays[where.array].name : now->locals[where.slot].name;
        if (where.as) {
            const bool is_const =
                where.array >= 0 ? !it.arrays[where.array].is_written : now->locals[where.slot].is_const;
            if (where.shift) base += " + " + to_string(where.shift);
            base = std::string("reinterpret_cast<") + (is_const ? "const " : "") + where.as->name + "*>(" +
                   base + ")";
        }
        for (const expr& index : where.index)
            base += "[" + write_expr(index) + "]";
        const type* element = where.as           ? where.as
                              : where.array >= 0 ? it.arrays[where.array].element
                                                 : now->locals[where.slot].is;
        return where.member >= 0 ? base + "." + element->members[where.member].name : base;
    }

    std::vector<std::string> write_all(const std::vector<expr>& list) {
        std::vector<std::string> parts;
        for (const expr& one : list)
            parts.push_back(write_expr(one));
        return parts;
    }

    std::string write_expr(const expr& what) {
        const auto part = [&](int k) { return write_expr(what.of[k]); };
        switch (what.what) {
            case expr::literal:
                if (!what.op.empty()) return what.op;
                if (what.is == scalar_type(scalar::u32)) return to_string(what.value) + "u";
                if (what.is == scalar_type(scalar::f32)) return to_string(what.value) + ".0f";
                if (what.is == scalar_type(scalar::f64)) return to_string(what.value) + ".0";
                return to_string(what.value);
            case expr::local:
                return now->locals[what.slot].name;
            case expr::binary:
                return "(" + part(0) + " " + what.op + " " + part(1) + ")";
            case expr::convert:
                return "static_cast<" + what.is->name + ">(" + part(0) + ")";
            case expr::load:
                return write_place(what.from);
            case expr::cached_load:
                return "__ldg(&" + write_place(what.from) + ")";
            case expr::member_of:
                return part(0) + "." + what.of[0].is->members[what.value].name;
            case expr::element_of:
                return now->locals[what.slot].name + "[" + part(0) + "]";
            case expr::select:
                return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
            case expr::call: {
                const function& called = it.functions[what.callee];
                const bool is_template = called.what == function::templated;
                const std::string argument =
                    is_template ? "<" + to_string(called.template_argument) + ">" : "";
                return called.name + argument + "(" + joined(write_all(what.of)) + ")";
            }
            case expr::make:
                if (what.op == "{}") return "{" + joined(write_all(what.of)) + "}";
                if (what.is->is_own || what.op == "type{}")
                    return what.is->name + "{" + joined(write_all(what.of)) + "}";
                return "make_" + what.is->name + "(" + joined(write_all(what.of)) + ")";
            case expr::shuffle:
                return "__shfl" + (what.op.empty() ? "" : "_" + what.op) + "_sync(0xffffffffu, " + part(0) +
                       ", " + to_string(what.value) + ")";
            case expr::bind: {
                const bool is_local = what.from.array < 0;
                const bool is_element = !what.from.index.empty();
                if (is_element && what.op == "*") return "&" + write_place(what.from);
                return is_local ? now->locals[what.from.slot].name : write_place(what.from);
            }
        }
        return "";
    }

    /// "16 6:0 6:4": bytes of an element, then kinds and offsets of its members.
    static std::string layout(const type& one) {
        std::string text = to_string(one.bytes);
        for (const member& part : one.members)
            text += " " + to_string(int(part.type)) + ":" + to_string(part.offset);
        return "\"" + text + "\"";
    }

    void write_host() {
        put("void program_" + to_string(it.index) + "() {");
        depth++;
        for (const array& one : it.arrays) {
            const std::string name = "\"" + one.name + "\"", count = to_string(one.count);
            const std::string facts = to_string(one.id) + ", " + layout(*one.element) + ", " + count;
            if (one.where == space::global) {
                put("auto* " + one.name + " = static_cast<" + one.element->name + "*>(fuzz_array(" + name +
                    ", " + facts + ", " + (one.is_fresh ? "false" : "true") + "));");
            } else if (one.where == space::device || one.where == space::constant) {
                put("cudaMemcpyToSymbol(" + one.name + ", fuzz_contents(" + facts + "), sizeof " + one.name +
                    ");");
            }
        }
        for (const launch& run : it.launches)
            write_launch(run);
        for (const array& one : it.arrays) {
            if (!one.is_written) continue;
            const std::string facts =
                "\"" + one.name + "\", " + layout(*one.element) + ", " + to_string(one.count);
            if (one.where == space::global) put("fuzz_print(" + facts + ", " + one.name + ");");
            if (one.where == space::device) {
                put("cudaMemcpyFromSymbol(fuzz_buffer(sizeof " + one.name + "), " + one.name + ", sizeof " +
                    one.name + ");");
                put("fuzz_print(" + facts + ", nullptr);");
            }
        }
        depth--;
        put("}");
    }

    void write_launch(const launch& run) {
        int dynamic = 0;
        for (const array& one : it.arrays)
            if (one.where == space::dynamic && one.kernel == run.kernel) dynamic += one.bytes();
        std::vector<std::string> arguments;
        for (const int id : run.arrays)
            arguments.push_back(it.arrays[id].name);
        for (const int one : run.numbers)
            arguments.push_back(to_string(one));
        const auto dim = [](const shape& s) {
            return "dim3(" + to_string(s.x) + ", " + to_string(s.y) + ", " + to_string(s.z) + ")";
        };
        const std::string& name = it.functions[run.kernel].name;
        put(name + "<<<" + dim(run.grid) + ", " + dim(run.block) +
            (dynamic ? ", " + to_string(dynamic) : "") + ">>>(" + joined(arguments) + ");");
        put("fuzz_launched(\"fuzz_" + to_string(it.seed) + "\");");
    }

    program& it;
    std::string& text;
    int& line;
    int depth = 0;
    function* now = nullptr;
};

}  // namespace

std::string source_of(std::vector<program>& programs) {
    std::string text = "#include \"harness.h\"\n";
    int line = 2;
    std::string table = "const fuzz_program FUZZ_PROGRAMS[] = {";
    for (program& one : programs) {
        writer(one, text, line).write();
        table += "{" + to_string(one.index) + ", program_" + to_string(one.index) +
                 (one.planted.empty() ? ", true}, " : ", false}, ");
    }
    return text + table + "{-1, nullptr, false}};\n";
}

}  // namespace fuzz
