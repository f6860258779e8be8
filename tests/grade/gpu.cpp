// A GPU for one job at a time, and judged on: with a stand-in for nvidia-smi, and for real where there is one.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <optional>
#include <stdexcept>

#include "class_folder.h"
#include "grade/gpu.h"

namespace {

/// A folder with nodes of two GPUs and an nvidia-smi that tells what `tell` was told last.
struct pretended_gpus {
    const fs::path root = fs::absolute("build/tmp/gpus-" + std::to_string(getpid()));
    const std::string path_before = std::getenv("PATH");

    pretended_gpus() {
        fs::create_directories(root);
        for (const char* node : {"nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"})
            author::write_text(root / node, "");
        author::write_text(root / "nvidia-smi",
                           "#!/bin/sh\ncase \"$*\" in\n*index*) printf '0\\n1\\n' ;;\n"
                           "*memory.used*) cat " +
                               (root / "used").string() +
                               " ;;\n"
                               "*compute-apps*) cat " +
                               (root / "apps").string() + " ;;\nesac\n");
        fs::permissions(root / "nvidia-smi", fs::perms::owner_all);
        setenv("PATH", (root.string() + ":" + path_before).c_str(), 1);
        tell("100", "");
    }
    ~pretended_gpus() {
        setenv("PATH", path_before.c_str(), 1);
        fs::remove_all(root);
    }
    pretended_gpus(const pretended_gpus&) = delete;

    void tell(const std::string& used, const std::string& apps) const {
        author::write_text(root / "used", used + "\n");
        author::write_text(root / "apps", apps);
    }
};

bool has_gpu() {
    const bool answers = grade::run_program({"nvidia-smi", "-L"}, 30).output.starts_with("GPU 0");
    if (!answers || std::getenv("NVCC") == nullptr) MESSAGE("skipped: no GPU or no nvcc here");
    return answers && std::getenv("NVCC") != nullptr;
}

}  // namespace

TEST_CASE("a GPU has one job at a time, two GPUs have two") {
    const pretended_gpus here;
    auto first = std::make_optional<grade::gpu_lease>(here.root);
    const grade::gpu_lease second(here.root);
    CHECK(first->number() == 0);
    CHECK(second.number() == 1);
    auto third = std::async(std::launch::async, [&] { return grade::gpu_lease(here.root).number(); });
    CHECK(third.wait_for(std::chrono::milliseconds(300)) == std::future_status::timeout);
    first.reset();
    CHECK(third.get() == 0);
}

TEST_CASE("what a job leaves on a GPU is noticed") {
    const pretended_gpus here;
    const grade::gpu_lease gpu(here.root);
    gpu.require_clean(0);
    here.tell("110", "");  // the driver's own
    gpu.require_clean(0);
    here.tell("300", "");
    CHECK_THROWS_WITH(gpu.require_clean(0),
                      "GPU 0 is not as it was before: 300 MiB are taken, 100 were; "
                      "nvidia-smi tells who has them");
    here.tell("100", "4711\n");
    CHECK_THROWS_AS(gpu.require_clean(0), std::runtime_error);
    here.tell("GPU is lost", "");
    CHECK_THROWS_WITH(gpu.require_clean(0), "nvidia-smi does not tell a number");
}

TEST_CASE("a box of a GPU's program has its node, and no other GPU's") {
    const pretended_gpus here;
    grade::box_contents what;
    what.devices = grade::parts_of_gpu(1, here.root).devices;
    const std::vector<std::string> line = grade::boxed(what, {"true"});
    const auto has = [&](const std::string& word) { return std::count(line.begin(), line.end(), word) == 2; };
    CHECK(has((here.root / "nvidia1").string()));
    CHECK(has((here.root / "nvidiactl").string()));
    CHECK_FALSE(has((here.root / "nvidia0").string()));
}

TEST_CASE("the driver's library is found where LD_LIBRARY_PATH alone names it") {
    const pretended_gpus here;
    const char* const named = std::getenv("LD_LIBRARY_PATH");
    const std::string before = named == nullptr ? "" : named;
    author::write_text(here.root / "libcuda.so.1", "");
    setenv("LD_LIBRARY_PATH", ("/nowhere::" + here.root.string()).c_str(), 1);
    const std::vector<fs::path> libraries = grade::parts_of_gpu(0, here.root).libraries;
    CHECK(std::count(libraries.begin(), libraries.end(), here.root) == 1);
    setenv("LD_LIBRARY_PATH", before.c_str(), 1);
}

TEST_CASE("without a GPU or its compiler one line says so") {
    if (!can_box()) return;
    const class_folder here;
    here.hand_in("right", here.right);
    std::vector<std::string> command = here.command();
    command.emplace_back("--gpu");
    const grade::program_end no_compiler = grade::run_program(command, 60);
    CHECK(no_compiler.code == 2);
    CHECK(no_compiler.output == "--gpu: NVCC does not name nvcc; make grade BACKEND=gpu does\n");
    if (fs::exists("/dev/nvidiactl")) return;
    const grade::program_end no_gpu = grade::run_program(command, 60, {"NVCC=/usr/bin/true"});
    CHECK(no_gpu.code == 2);
    CHECK(no_gpu.output.find("nvidia-smi could not be started") == 0);
}

TEST_CASE("on a GPU the lower result counts, and nothing is left") {
    if (!can_box() || !has_gpu()) return;
    const class_folder here;
    const std::string guard = "blockIdx.x * blockDim.x + threadIdx.x";
    REQUIRE(here.right.find(guard) != std::string::npos);
    std::string shifted = here.right;
    shifted.replace(shifted.find(guard), guard.size(), "HERE + " + guard);
    here.hand_in("right", here.right);
    here.hand_in("right_on_the_cpu",
                 "#ifdef __NVCC__\n#define HERE 1\n#else\n#define HERE 0\n#endif\n" + shifted);
    here.hand_in("builds_on_the_cpu", "#ifdef __NVCC__\n#error not here\n#endif\n" + here.right);
    std::vector<std::string> command = here.command();
    command.emplace_back("--gpu");
    const std::string capability =
        grade::run_program({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"}, 30).output;
    std::string arch = capability.substr(0, capability.find('\n'));
    arch.erase(std::remove(arch.begin(), arch.end(), '.'), arch.end());
    const grade::program_end end =
        grade::run_program(command, 300,
                           {"SEED=7", std::string("NVCC=") + std::getenv("NVCC"),
                            "NVCC_FLAGS=-std=c++20 -O3 -ccbin g++ -arch=sm_" + arch + " -Icommon"});
    CHECK_MESSAGE(end.code == 0, end.output);
    auto verdicts = here.verdicts();
    CHECK(verdicts["right"] == "checked 100");
    CHECK(verdicts["right_on_the_cpu"] != "checked 100");
    CHECK(here.messages["right_on_the_cpu"].find("on the GPU: ") == 0);
    CHECK(verdicts["builds_on_the_cpu"] == "does_not_build 0");
    CHECK(here.messages["builds_on_the_cpu"].find("on the GPU: ") == 0);
    grade::gpu_lease().require_clean();
}
