// Occupancy and bounds on time: numbers worked out by hand, files that are not what they should be.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "check/modes/bound.h"

using namespace check;

namespace {

const std::vector<gpu_facts> GPUS = read_gpus("data/gpus.csv");

std::string held(const std::string& gpu, int threads, size_t shared, int registers) {
    const occupancy seen = occupancy_of(find_gpu(GPUS, gpu), threads, shared, registers);
    return std::to_string(seen.blocks) + " " + std::to_string(seen.warps) + "/" +
           std::to_string(seen.most_warps) + " " + seen.limit;
}

/// What a file of GPUs with this text is refused with.
std::string refusal(const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / ("gpus-" + std::to_string(getpid()));
    std::ofstream(path) << text;
    std::string message;
    try {
        read_gpus(path);
    } catch (const std::runtime_error& error) {
        message = std::string(error.what()).substr(path.string().size());
    }
    std::filesystem::remove(path);
    return message;
}

}  // namespace

TEST_CASE("occupancy by each of the limits") {
    CHECK(held("h200", 256, 0, 32) == "8 64/64 threads");
    CHECK(held("h200", 256, 0, 0) == "8 64/64 threads");
    CHECK(held("h200", 256, 0, 64) == "4 32/64 registers");  // 65536 / (64 * 32) = 32 warps
    CHECK(held("h200", 256, 0, 33) == "6 48/64 registers");  // 33 * 32 is rounded up to 1280: 51 warps
    CHECK(held("h200", 32, 0, 32) == "32 32/64 blocks");
    CHECK(held("h200", 256, 48 * 1024, 32) == "4 32/64 shared memory");  // 228 / (48 + 1)
    CHECK(held("h200", 1024, 227 * 1024, 32) == "1 32/64 shared memory");
    CHECK(held("h200", 1024, 228 * 1024, 32) == "0 0/64 shared memory");  // more than a block may have
    CHECK(held("h200", 33, 0, 0) == "32 64/64 blocks");  // two warps a block, the second nearly empty
    CHECK(held("t4", 1024, 0, 32) == "1 32/32 threads");
    CHECK(held("t4", 256, 48 * 1024, 32) == "1 8/32 shared memory");  // nothing reserved there
    CHECK(held("rtx4090", 1024, 0, 32) == "1 32/48 threads");         // 1536 threads are not two blocks
    CHECK(held("h200", 1024, 0, 128) == "0 0/64 registers");          // does not start at all
}

TEST_CASE("the GPUs of the table") {
    CHECK(find_gpu(GPUS, "H200").key == "h200");
    CHECK(find_gpu(GPUS, "NVIDIA A100-SXM4-80GB").key == "a100");
    CHECK(find_gpu(GPUS, "h200").peak_gflops() == doctest::Approx(66908).epsilon(0.001));
    CHECK(find_gpu(GPUS, "t4").peak_gflops() == doctest::Approx(8141).epsilon(0.001));
    CHECK(find_gpu(GPUS, "a100").peak_gflops() == doctest::Approx(19491).epsilon(0.001));
    CHECK(find_gpu(GPUS, "rtx4090").peak_gflops() == doctest::Approx(82575).epsilon(0.001));
    CHECK_THROWS_WITH_AS(find_gpu(GPUS, "banana"),
                         doctest::Contains("GPU=banana: not among those of data/gpus.csv: t4, "),
                         std::invalid_argument);
    CHECK_THROWS(find_gpu(GPUS, ""));
    for (const gpu_facts& gpu : GPUS) {
        CHECK(!gpu.source.empty());
        CHECK(gpu.shared_bytes_of_block + gpu.reserved_bytes <= gpu.shared_bytes);
    }
}

TEST_CASE("tables that are no tables") {
    const std::string head =
        "key,name,compute_capability,multiprocessors,fp32_lanes,boost_mhz,memory_gb_s,threads,blocks,"
        "registers,"
        "shared_kb,shared_kb_block,reserved_bytes,source\n";
    CHECK(refusal("") == ": no GPU in it");
    CHECK(refusal("# nothing\n" + head) == ": no GPU in it");
    CHECK(refusal(head + "x,X,9.0,many,128,1,1,1,1,1,1,1,1,s\n") ==
          ":2: multiprocessors is 'many', expected a number of 0 or more");
    CHECK(refusal(head + "x,X,9.0,1\n") == ":2: fp32_lanes is '', expected a number of 0 or more");
    CHECK_THROWS(read_gpus("no/such/file"));
}

TEST_CASE("a bound by each of the machine's parts") {
    const gpu_facts gpu = find_gpu(GPUS, "h200");
    const problem_2d p{noise_image(1000, 1000), random_filter(3, 3)};
    inspect::launch launch;
    launch.variables = {{"in", "global", {}}, {"out", "global", {}}};
    time_bound bound = bound_of({&launch}, p, gpu);
    CHECK(bound.memory_us == doctest::Approx(8e6 / 4.8e6));  // 8 MB at 4.8 TB/s
    CHECK(bound.arithmetic_us == doctest::Approx(2.0 * 2998 * 2998 / (132 * 128 * 2 * 1980.0)));
    CHECK(bound.slowest() == "device memory");
    launch.total.shared.loads.wavefronts = 132 * 1980 * 10;
    bound = bound_of({&launch}, p, gpu);
    CHECK(bound.us() == doctest::Approx(10));
    CHECK(bound.slowest() == "shared memory");
    launch.total.global.loads.sectors = uint64_t(4) * 132 * 1980 * 20;
    CHECK(bound_of({&launch}, p, gpu).us() == doctest::Approx(20));
    CHECK(bound_of({&launch}, p, gpu).slowest() == "the first-level cache");
    // A column times a row needs no product a tap.
    const problem_2d factors{noise_image(1000, 1000), separable_filter(43, 43)};
    CHECK(bound_of({&launch}, factors, gpu).arithmetic_us ==
          doctest::Approx(2.0 * 2 * 42538 * 1000 / (132 * 128 * 2 * 1980.0)));
    // Only what was touched crosses the memory: half of in.
    inspect::element_map in{"in", 0, 0, std::vector<uint32_t>(1000000), std::vector<uint32_t>(1000000), {}};
    std::fill(in.loads.begin(), in.loads.begin() + 500000, 9);
    launch.drawn.elements.push_back(in);
    CHECK(bound_of({&launch}, p, gpu).memory_us == doctest::Approx(6e6 / 4.8e6));
    // Two strips that touch it together do not bring it in twice.
    CHECK(bound_of({&launch, &launch}, p, gpu).memory_us == doctest::Approx(8e6 / 4.8e6));
    CHECK(bound_of({&launch, &launch}, p, gpu).us() == doctest::Approx(40));
}

TEST_CASE("registers as ptxas tells them") {
    const std::vector<kernel_registers> told = read_registers(
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function '_Z6kernelILi3EEvPfPKfi' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z6kernelILi3EEvPfPKfi\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 40 registers, used 0 barriers, 380 bytes cmem[0]\n"
        "ptxas info    : Compiling entry function '_Z5plainPfi' for 'sm_90'\n"
        "ptxas info    : Used 18 registers\n"
        "ptxas info    : Compiling entry function '_Z6chosenIL3way1ELi0EEvPf' for 'sm_90'\n"
        "ptxas info    : Used 22 registers\n");
    REQUIRE(told.size() == 3);
    CHECK(told[2].kernel == "chosen<(way)1, 0>");
    CHECK(told[0].kernel == "kernel<3>");
    CHECK(told[0].registers == 40);
    CHECK(told[1].kernel == "plain");
    CHECK(told[1].registers == 18);
    CHECK(read_registers("error: no\n").empty());
}

TEST_CASE("bounds in words") {
    inspect::report seen;
    seen.launches.emplace_back();
    inspect::launch& launch = seen.launches[0];
    launch.kernel = "plain";
    launch.grid[0] = 4, launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = 256, launch.block[1] = launch.block[2] = 1;
    launch.dynamic_shared = 4000, launch.static_shared = 96;
    launch.variables = {{"in", "global", {}}};
    const problem_2d p{noise_image(1024, 1), random_filter(3, 1)};
    const std::string known = text_of_bounds(seen, p, find_gpu(GPUS, "h200"), {{"plain", 40}});
    CHECK(known.find("plain on the GPU H200: 6 blocks a multiprocessor, 48 of 64 warps, occupancy 75 %") !=
          std::string::npos);
    CHECK(known.find("4096 bytes of shared memory, 40 registers a thread; the limit is registers") !=
          std::string::npos);
    CHECK(known.find("4 blocks do not fill the 132 multiprocessors: too few for a bound on the time\n") !=
          std::string::npos);
    CHECK(known.find("at least") == std::string::npos);
    launch.grid[0] = 132;
    const std::string full = text_of_bounds(seen, p, find_gpu(GPUS, "h200"), {{"plain", 40}});
    CHECK(full.find("(bound, not a measurement)") != std::string::npos);
    CHECK(full.find("do not fill") == std::string::npos);
    // Four strips are one kernel: told once, with the blocks of the largest.
    launch.grid[0] = 4;
    for (const unsigned blocks : {4u, 4u, 2u}) {
        seen.launches.push_back(seen.launches[0]);
        seen.launches.back().grid[0] = blocks;
    }
    const std::string strips = text_of_bounds(seen, p, find_gpu(GPUS, "h200"), {{"plain", 40}});
    CHECK(strips.starts_with("  plain (4 launches) on the GPU H200: 6 blocks a multiprocessor"));
    CHECK(std::count(strips.begin(), strips.end(), '\n') == 3);
    CHECK(strips.find("      4 blocks do not fill the 132 multiprocessors") != std::string::npos);
    // Another kernel stands by itself, and nobody knows which share of the arithmetic is its.
    seen.launches.resize(2);
    seen.launches[0].grid[0] = seen.launches[1].grid[0] = 132;
    seen.launches[1].kernel = "other";
    const std::string two = text_of_bounds(seen, p, find_gpu(GPUS, "h200"), {});
    CHECK(two.find("  other on the GPU H200") != std::string::npos);
    CHECK(two.find("arithmetic") == std::string::npos);
    seen.launches.resize(1);
    // Tensor cores multiply faster than what the table knows.
    seen.launches[0].total.matrix_products = 1;
    CHECK(text_of_bounds(seen, p, find_gpu(GPUS, "h200"), {}).find("arithmetic") == std::string::npos);
    const std::string unknown = text_of_bounds(seen, p, find_gpu(GPUS, "h200"), {{"other", 40}});
    CHECK(unknown.find("registers unknown") != std::string::npos);
    CHECK(unknown.find("occupancy 100 %") != std::string::npos);
}
