// A lower bound on the time of a launch on a named GPU.
#include "check/modes/bound.h"

#include <cxxabi.h>

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace check {

namespace {

constexpr double SECTORS_A_CLOCK = 4;  // of a first-level cache: 128 bytes

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

/// "3.95 ns", "41.2 us", "2.7 ms": three digits, more would pretend to be a measurement.
std::string time_text(double us) {
    const double ns = 1e3 * us;
    if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
    return us < 1e3 ? fmt::format("{:.3g} us", us) : fmt::format("{:.3g} ms", us / 1e3);
}

/// "void kernel<(way)1, 3>(float*, int)" is "kernel<(way)1, 3>" in a launch.
std::string without_parameters(std::string name) {
    if (name.starts_with("void ")) name.erase(0, 5);
    int depth = 0;
    for (size_t k = 0; k < name.size(); k++) {
        depth += (name[k] == '<') - (name[k] == '>');
        if (name[k] == '(' && depth == 0) return name.substr(0, k);
    }
    return name;
}

/// A line of the file by its column names.
class gpu_line {
public:
    gpu_line(const std::string& place, const std::vector<std::string>& names, const std::string& line)
        : place_(place) {
        std::istringstream stream(line);
        for (const std::string& name : names)
            std::getline(stream, cells_[name], ',');
    }
    const std::string& text(const std::string& name) const { return cells_.at(name); }
    double number(const std::string& name) const {
        const std::string& cell = cells_.at(name);
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        if (cell.empty() || *end != '\0' || !(value >= 0))
            throw std::runtime_error(
                fmt::format("{}: {} is '{}', expected a number of 0 or more", place_, name, cell));
        return value;
    }

private:
    std::string place_;
    std::map<std::string, std::string> cells_;
};

using launches_alike = std::vector<const inspect::launch*>;

/// Elements of a variable that the launch touched, 4 bytes each.
double touched_elements(const inspect::launch& launch, const std::string& variable, size_t all) {
    for (const inspect::element_map& map : launch.drawn.elements) {
        if (map.variable != variable) continue;
        double touched = 0;
        for (size_t k = 0; k < map.loads.size(); k++)
            touched += map.loads[k] + map.stores[k] > 0;
        return touched;
    }
    for (const inspect::variable_traffic& seen : launch.variables) {
        if (seen.name == variable && seen.space == "global") return double(all);
    }
    return 0;
}

/// Of several launches: what two of them touch, the halo of a strip, may cross the memory once.
double touched_elements(const launches_alike& alike, const std::string& variable, size_t all) {
    double touched = 0;
    for (const inspect::launch* one : alike)
        touched += touched_elements(*one, variable, all);
    return alike.size() > 1 ? std::min(touched, double(all)) : touched;
}

/// Multiplications that no kernel can do without: one a tap inside the image, or along rows and then along columns
/// where the filter is, or may be taken for, a column times a row.
double fewest_products(const problem_2d& problem) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    if (f.column.empty() && problem.left_out == 0) return inside_taps(problem);
    const double along_rows = double(valid_taps(in.width, f.width / 2)) * in.height;
    const double along_columns = double(valid_taps(in.height, f.height / 2)) * in.width;
    return std::min(inside_taps(problem), (along_rows + along_columns) * in.channels);
}

}  // namespace

std::vector<gpu_facts> read_gpus(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    std::vector<gpu_facts> gpus;
    std::vector<std::string> names;
    std::string line;
    for (int number = 1; std::getline(file, line); number++) {
        if (line.empty() || line[0] == '#') continue;
        if (names.empty()) {
            std::istringstream stream(line);
            for (std::string name; std::getline(stream, name, ',');)
                names.push_back(name);
            continue;
        }
        const gpu_line cells(path + ":" + std::to_string(number), names, line);
        gpu_facts gpu;
        gpu.key = cells.text("key");
        gpu.name = cells.text("name");
        gpu.compute_capability = cells.text("compute_capability");
        gpu.source = cells.text("source");
        gpu.multiprocessors = int(cells.number("multiprocessors"));
        gpu.fp32_lanes = int(cells.number("fp32_lanes"));
        gpu.boost_mhz = cells.number("boost_mhz");
        gpu.memory_gb_s = cells.number("memory_gb_s");
        gpu.threads = int(cells.number("threads"));
        gpu.blocks = int(cells.number("blocks"));
        gpu.registers = int(cells.number("registers"));
        gpu.shared_bytes = size_t(cells.number("shared_kb")) * 1024;
        gpu.shared_bytes_of_block = size_t(cells.number("shared_kb_block")) * 1024;
        gpu.reserved_bytes = size_t(cells.number("reserved_bytes"));
        gpus.push_back(gpu);
    }
    if (gpus.empty()) throw std::runtime_error(path + ": no GPU in it");
    return gpus;
}

const gpu_facts& find_gpu(const std::vector<gpu_facts>& gpus, const std::string& wanted) {
    const std::string key = lower(wanted);
    for (const gpu_facts& gpu : gpus) {
        if (gpu.key == key) return gpu;
    }
    for (const gpu_facts& gpu : gpus) {
        if (!key.empty() && (lower(gpu.name).find(key) != std::string::npos ||
                             key.find(lower(gpu.name)) != std::string::npos))
            return gpu;
    }
    std::vector<std::string> keys;
    for (const gpu_facts& gpu : gpus)
        keys.push_back(gpu.key);
    throw std::invalid_argument(
        fmt::format("GPU={}: not among those of data/gpus.csv: {}", wanted, fmt::join(keys, ", ")));
}

double time_bound::us() const {
    return std::max({memory_us, arithmetic_us, shared_us, cache_us});
}

std::string time_bound::slowest() const {
    if (us() == memory_us) return "device memory";
    if (us() == arithmetic_us) return "arithmetic";
    return us() == shared_us ? "shared memory" : "the first-level cache";
}

time_bound bound_of(const std::vector<const inspect::launch*>& alike, const problem_2d& problem,
                    const gpu_facts& gpu) {
    const size_t values = problem.in.pixels.size();
    const double bytes =
        sizeof(float) * (touched_elements(alike, "in", values) + touched_elements(alike, "out", values) +
                         touched_elements(alike, "filter", problem.filter.taps.size()));
    inspect::counts total;
    for (const inspect::launch* one : alike)
        total += one->total;
    const inspect::memory_traffic &global = total.global, &shared = total.shared;
    const double sectors = double(global.loads.sectors + global.stores.sectors + global.atomics.sectors);
    const double wavefronts =
        double(shared.loads.wavefronts + shared.stores.wavefronts + shared.atomics.wavefronts);
    const double clocks_a_us = gpu.multiprocessors * gpu.boost_mhz;  // of all multiprocessors together
    time_bound bound;
    bound.memory_us = bytes / (gpu.memory_gb_s * 1e3);
    bound.arithmetic_us = 2.0 * fewest_products(problem) / (gpu.peak_gflops() * 1e3);
    bound.shared_us = wavefronts / clocks_a_us;
    bound.cache_us = sectors / SECTORS_A_CLOCK / clocks_a_us;
    return bound;
}

std::vector<kernel_registers> read_registers(const std::string& text) {
    const std::string entry = "Compiling entry function '", used = "Used ";
    std::vector<kernel_registers> kernels;
    std::string name;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (const size_t from = line.find(entry); from != std::string::npos) {
            const size_t begin = from + entry.size();
            const std::string mangled = line.substr(begin, line.find('\'', begin) - begin);
            int status = -1;
            char* const readable = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
            name = status == 0 ? readable : mangled;
            std::free(readable);
            name = without_parameters(name);
        }
        const size_t at = line.find(used);
        if (at == std::string::npos || name.empty() || line.find("registers", at) == std::string::npos)
            continue;
        const int registers = std::atoi(line.c_str() + at + used.size());
        const auto known =
            std::find_if(kernels.begin(), kernels.end(), [&](const auto& one) { return one.kernel == name; });
        if (known == kernels.end())
            kernels.push_back({name, registers});
        else
            known->registers = std::max(known->registers, registers);
        name.clear();
    }
    return kernels;
}

std::string text_of_bounds(const inspect::report& seen, const problem_2d& problem, const gpu_facts& gpu,
                           const std::vector<kernel_registers>& registers) {
    std::string text;
    const std::vector<std::vector<const inspect::launch*>> all = seen.launches_alike();
    for (const std::vector<const inspect::launch*>& alike : all) {
        const inspect::launch& launch = *alike[0];
        const int threads = int(launch.block[0] * launch.block[1] * launch.block[2]);
        const size_t shared = launch.static_shared + launch.dynamic_shared;
        const auto known = std::find_if(registers.begin(), registers.end(), [&](const kernel_registers& one) {
            return one.kernel == launch.kernel;
        });
        const int used = known == registers.end() ? 0 : known->registers;
        const occupancy held = occupancy_of(gpu, threads, shared, used);
        const std::string of_registers = used > 0 ? fmt::format("{} registers a thread", used)
                                                  : "registers unknown: counted without them, at most";
        text += fmt::format(
            "  {}{} on the GPU {}: {} blocks a multiprocessor, {} of {} warps, occupancy {:.0f} %\n",
            launch.kernel, alike.size() > 1 ? fmt::format(" ({} launches)", alike.size()) : "", gpu.name,
            held.blocks, held.warps, held.most_warps, 100.0 * held.share());
        text += fmt::format("      blocks of {} threads, {} bytes of shared memory, {}; the limit is {}\n",
                            threads, shared, of_registers, held.limit);
        uint64_t blocks = 0;
        for (const inspect::launch* one : alike)
            blocks = std::max(blocks, one->blocks());
        if (blocks < uint64_t(gpu.multiprocessors)) {
            text += fmt::format(
                "      {} block{} not fill the {} multiprocessors: too few for a bound on the time\n", blocks,
                blocks == 1 ? " does" : "s do", gpu.multiprocessors);
            continue;
        }
        time_bound bound = bound_of(alike, problem, gpu);
        // Of several kernels, which share is this one's? And of tensor cores data/gpus.csv says nothing.
        const bool is_multiplying = all.size() == 1 && launch.total.matrix_products == 0;
        if (!is_multiplying) bound.arithmetic_us = 0;
        text += fmt::format(
            "      at least {} (bound, not a measurement), by {}:\n"
            "          device memory {}, {}shared memory {}, first-level cache {}\n",
            time_text(bound.us()), bound.slowest(), time_text(bound.memory_us),
            is_multiplying ? "arithmetic " + time_text(bound.arithmetic_us) + ", " : "",
            time_text(bound.shared_us), time_text(bound.cache_us));
    }
    return text;
}

}  // namespace check
