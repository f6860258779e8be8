// cucc from end to end: programs of one file and of several, nvcc's options, what inspected programs report. Run from
// the repository's root.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "command.h"

namespace {

outcome cucc(const scratch_folder& folder, const std::string& arguments) {
    return run("cd '" + folder.path.string() + "' && '" + fs::current_path().string() +
               "/common/simt/cucc' " + arguments);
}

outcome run_in(const scratch_folder& folder, const std::string& program) {
    return run("cd '" + folder.path.string() + "' && " + program);
}

/// The program that the arguments make, run: nothing may be said while it is made.
outcome build_and_run(const scratch_folder& folder, const std::string& arguments) {
    const outcome built = cucc(folder, arguments + " -o program");
    CHECK_MESSAGE(built.text == "", arguments);
    REQUIRE(built.code == 0);
    return run_in(folder, "./program");
}

/// Adds 1 to 100 numbers, or to one more than there are.
std::string adding(bool has_mistake) {
    return "#include <cstdio>\n"
           "__global__ void add(float* a, int n) {\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (i < n) a[i] += 1;\n"  // line 4
           "}\n"
           "int main() {\n"
           "    float h[100] = {}, *d = nullptr;\n"
           "    cudaMalloc(&d, sizeof h);\n"
           "    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
           "    for (int i = 0; i < 3; i++) add<<<4, 32>>>(d, " +
           std::string(has_mistake ? "101" : "100") +
           ");\n"
           "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
           "    cudaFree(d);\n"
           "    std::printf(\"%g\\n\", h[99]);\n"
           "    return h[99] == 3 ? 7 : 1;\n"
           "}\n";
}

}  // namespace

TEST_CASE("a program is built with whatever nvcc would be told, and ends as it says") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(false));
    for (const std::string options :
         {"", "-O3 -g -lineinfo -w", "-arch=sm_90 -Xcompiler -O3,-Wall -Xcompiler=-fopenmp -lm",
          "-gencode arch=compute_75,code=sm_75 -gencode=arch=compute_90,code=sm_90 --use_fast_math",
          "--gpu-architecture compute_80 -rdc=true --extended-lambda --expt-relaxed-constexpr -lcudart "
          "-lcudadevrt",
          "-maxrregcount=32 --ptxas-options=-v -Xptxas -v --fmad=false -ftz=true -Wno-deprecated-gpu-targets",
          "-std=c++14 -G",
          "-std c++20 -cudart static -t 4 --default-stream=per-thread -diag-suppress 177,550",
          "-I. -I . -DA=1 -D B='1 2' -UA -L. -Xlinker -O1 -Wl,-O1 -m64 -ccbin g++ -x cu"}) {
        CAPTURE(options);
        const outcome result = build_and_run(folder, options + " a.cu");
        CHECK(result.text == "3\n");
        CHECK(result.code == 7);
    }
}

TEST_CASE("CUDA, C++ and C in several files and folders, one after the other or at once") {
    const scratch_folder folder;
    fs::create_directories(folder.path / "with blank");
    fs::create_directories(folder.path / "objects");
    write(folder / "with blank/shared.h",
          "#pragma once\n#include <cuda_runtime.h>\nextern \"C\" int seven(void);\nint on_device(int);\n");
    write(
        folder / "a.cu",
        "#include <shared.h>\n__device__ int plus(int);\n__global__ void k(int* o, int x) { *o = plus(x); }\n"
        "int on_device(int x) {\n    int* d; int h = 0;\n    cudaMalloc(&d, 4); k<<<1, 1>>>(d, x);\n"
        "    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d);\n    return h;\n}\n");
    write(folder / "b.cu", "__device__ int plus(int x) { return x + PLUS; }\n");
    write(folder / "main.cpp",
          "#include <shared.h>\nint main() {\n    int devices = 0;\n    cudaGetDeviceCount(&devices);\n"
          "    return on_device(seven()) + devices;\n}\n");
    write(folder / "seven.c", "int seven(void) { int class = 7; return class; }\n");
    const std::string options = "-I 'with blank' -D PLUS='(30 + 4)' ";
    CHECK(build_and_run(folder, options + "a.cu b.cu main.cpp seven.c").code == 42);

    CHECK(cucc(folder, options + "-dc a.cu b.cu -odir objects").text == "");
    CHECK(cucc(folder, options + "-c -o main.o main.cpp").text == "");
    CHECK(cucc(folder, options + "--compile seven.c").text == "");
    CHECK(build_and_run(folder, "objects/a.o objects/b.o main.o seven.o").code == 42);
    CHECK(cucc(folder, options + "-c a.cu b.cu -o one.o").text == "cucc: -o one.o for 2 files\n");
}

TEST_CASE("kernels launch kernels, which begin when the grid has ended, up to a depth") {
    const scratch_folder folder;
    write(folder / "tree.cu",
          "#include <cstdio>\n"
          "__device__ int noted[64], notes;\n"
          "__global__ void note(int what) { noted[notes++] = what; }\n"
          "__global__ void tree(int depth) {\n"
          "    if (threadIdx.x != 0) return;\n"
          "    note<<<1, 1, 0, cudaStreamTailLaunch>>>(-depth);\n"
          "    note<<<1, 1>>>(10 * depth + blockIdx.x);\n"
          "    if (depth > 0) tree<<<2, 32>>>(depth - 1);\n"
          "}\n"
          "__global__ void endless() { note<<<1, 1>>>(1); endless<<<1, 1>>>(); }\n"
          "__global__ void too_large() { note<<<1, 2000>>>(1); }\n"
          "__global__ void add(int* sum) { *sum += 1; }\n"
          "__global__ void own() { __shared__ int sum; add<<<1, 1>>>(&sum); }\n"
          "int main() {\n"
          "    tree<<<1, 32>>>(1);\n"
          "    int seen[64], count = 0;\n"
          "    cudaMemcpyFromSymbol(seen, noted, sizeof seen);\n"
          "    cudaMemcpyFromSymbol(&count, notes, sizeof count);\n"
          "    for (int k = 0; k < count; k++) std::printf(\"%d \", seen[k]);\n"
          "    endless<<<1, 1>>>();\n"
          "    cudaMemcpyFromSymbol(&count, notes, sizeof count);\n"
          "    std::printf(\"%d %s\\n\", count, cudaGetErrorName(cudaGetLastError()));\n"
          "    too_large<<<1, 1>>>();\n"
          "    std::printf(\"%s\\n\", cudaGetErrorName(cudaGetLastError()));\n"
          "    own<<<1, 1>>>();\n"
          "    std::printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n"
          "}\n");
    for (const std::string options : {"-rdc=true ", "-rdc=true --inspect "}) {
        const outcome result = build_and_run(folder, options + "tree.cu");
        // 24 kernels and the first one note something.
        CHECK(contains(result.text, "10 0 1 0 0 -1 30 cudaErrorLaunchMaxDepthExceeded\n"));
        CHECK(contains(result.text, "cudaErrorInvalidConfiguration\ncudaErrorIllegalAddress\n"));
        CHECK(contains(result.text, "tree.cu:11: launch-error: a block of (2000,1,1) threads"));
        CHECK(contains(
            result.text,
            "tree.cu:13: illegal-address: a kernel passes a pointer to shared memory or to a local"));
    }
    CHECK(contains(cucc(folder, "tree.cu").text, "launching a kernel from device code needs cucc -rdc=true"));
}

TEST_CASE("below a program's first array lies memory, as on a GPU, which only --inspect tells of") {
    const scratch_folder folder;
    write(folder / "below.cu",
          "#include <cstdio>\n"
          "__global__ void look(const int* from, long index, int* sum) { *sum += from[index] == 12345; }\n"
          "int main() {\n"
          "    int *from, *sum;\n"
          "    cudaMalloc(&from, 100); cudaMalloc(&sum, 4);\n"
          "    cudaMemset(from, 0, 100); cudaMemset(sum, 0, 4);\n"
          "    for (long megabytes : {17, 1 << 20}) {\n"
          "        look<<<1, 1>>>(from, -megabytes * (1 << 18), sum);\n"
          "        std::printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n"
          "    }\n"
          "}\n");
    CHECK(contains(build_and_run(folder, "below.cu").text, "cudaSuccess\ncudaErrorIllegalAddress\n"));
    CHECK(contains(build_and_run(folder, "--inspect below.cu").text,
                   "below.cu:2: out-of-bounds: reads element -4456448 of allocation #1 of 100 bytes"));
}

TEST_CASE("Thrust works on memory of cudaMalloc, of which then nobody knows what is not written") {
    if (!fs::exists("/usr/include/thrust")) return;
    const scratch_folder folder;
    write(folder / "sums.cu",
          "#include <cstdio>\n#include <thrust/execution_policy.h>\n#include <thrust/scan.h>\n"
          "int main() {\n"
          "    int h[4] = {1, 2, 3, 4}, *x, *y;\n"
          "    cudaMalloc(&x, sizeof h); cudaMalloc(&y, sizeof h);\n"
          "    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);\n"
          "    thrust::inclusive_scan(thrust::device, x, x + 4, y);\n"
          "    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);\n"
          "    std::printf(\"%d %d\\n\", h[1], h[3]);\n"
          "    cudaFree(x); cudaFree(y);\n"
          "}\n");
    CHECK(build_and_run(folder, "sums.cu").text == "3 10\n");
    CHECK(contains(build_and_run(folder, "--inspect sums.cu").text, "no findings"));
}

TEST_CASE("kernels copy and set memory, which is done when the grid has ended, in the order of launches") {
    const scratch_folder folder;
    write(folder / "copies.cu",
          "#include <cstdio>\n"
          "__global__ void add(int* n) { n[threadIdx.x] += 1; }\n"
          "__global__ void k(int* to, int* from) {\n"
          "    cudaMemcpyAsync(to, from, 1000 * sizeof(int), cudaMemcpyDeviceToDevice, 0);\n"
          "    cudaMemsetAsync(to + 1, 255, 2 * sizeof(int));\n"
          "    add<<<1, 2>>>(to);\n"
          "    from[999] = 7;\n"
          "}\n"
          "__global__ void own(int* from) { int mine; cudaMemcpyAsync(&mine, from, 4, "
          "cudaMemcpyDeviceToDevice, 0); }\n"
          "int main() {\n"
          "    int h[1000], *to, *from;\n"
          "    for (int i = 0; i < 1000; i++) h[i] = 10 * i;\n"
          "    cudaMalloc(&to, sizeof h); cudaMalloc(&from, sizeof h);\n"
          "    cudaMemcpy(from, h, sizeof h, cudaMemcpyHostToDevice);\n"
          "    k<<<1, 1>>>(to, from);\n"
          "    cudaMemcpy(h, to, sizeof h, cudaMemcpyDeviceToHost);\n"
          "    std::printf(\"%d %d %d %d %d\\n\", h[0], h[1], h[2], h[3], h[999]);\n"
          "    own<<<1, 1>>>(from);\n"
          "    std::printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n"
          "}\n");
    for (const std::string options : {"-rdc=true ", "-rdc=true --inspect "}) {
        const outcome result = build_and_run(folder, options + "copies.cu");
        CHECK(contains(result.text, "1 0 -1 30 7\ncudaErrorIllegalAddress\n"));
        CHECK(!contains(result.text, "race"));
    }
}

TEST_CASE("a kernel that waits for the host, which waits for it, is told of") {
    const scratch_folder folder;
    write(folder / "waits.cu",
          "__global__ void wait(volatile int* go) { while (*go == 0); }\n"
          "int main(int count, char**) {\n"
          "    int* go; cudaHostAlloc(&go, 4, cudaHostAllocMapped); *go = 0;\n"
          "    wait<<<1, 32>>>(go); *go = count > 1;\n"
          "    return cudaDeviceSynchronize();\n"
          "}\n");
    const std::string told = "simt: wait has waited for 5 s for somebody to write";
    REQUIRE(cucc(folder, "waits.cu -o waits").code == 0);
    CHECK(run_in(folder, "timeout 8 ./waits flag").text == "");
    CHECK(contains(run_in(folder, "timeout 8 ./waits").text, told));
    // Nobody could watch while the host goes on.
    REQUIRE(cucc(folder, "--inspect waits.cu -o inspected").code == 0);
    CHECK(contains(run_in(folder, "timeout 8 ./inspected flag").text, told));
}

TEST_CASE("what a kernel printed and nobody waited for is lost, as on a GPU") {
    const scratch_folder folder;
    const auto printing = [&](const std::string& last) {
        write(folder / "a.cu",
              "#include <cstdio>\n"
              "__global__ void hello() { printf(\"hello\\nworld\\n\"); }\n"
              "int main() {\n"
              "    hello<<<1, 1>>>();\n"
              "    " +
                  last +
                  "\n"
                  "}\n");
        return build_and_run(folder, "a.cu").text;
    };
    CHECK(printing("cudaDeviceSynchronize();") == "hello\nworld\n");
    CHECK(printing("return 0;") ==
          "simt: lost: what a kernel printed (\"hello\", ...) and nobody waited for; call "
          "cudaDeviceSynchronize() before the program ends\n");
}

TEST_CASE("managed memory that the host uses before it has waited") {
    const scratch_folder folder;
    const auto findings = [&](const std::string& body) {
        write(folder / "managed.cu",
              "#include <cstdio>\n"
              "__global__ void twice(int* to, const int* from) { to[threadIdx.x] = 2 * from[threadIdx.x]; }\n"
              "__global__ void count(int* to) { atomicAdd_system(to, 1); }\n"
              "int main() {\n"
              "    int *to, *from, back = 0, sum = 0;\n"
              "    cudaMallocManaged(&to, 12000); cudaMallocManaged(&from, 12000);\n"
              "    for (int i = 0; i < 3000; i++) to[i] = from[i] = i;\n"
              "    cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
              "    cudaEvent_t e; cudaEventCreate(&e);\n"
              "    twice<<<1, 64>>>(to, from);\n" +
                  body +
                  "    std::printf(\"sum %d\\n\", sum + back);\n"
                  "    cudaDeviceSynchronize(); cudaEventDestroy(e); cudaStreamDestroy(s);\n"
                  "    cudaFree(to); cudaFree(from);\n"
                  "}\n");
        const std::string text = build_and_run(folder, "--inspect managed.cu").text;
        size_t count = 0;
        for (size_t at = text.find("stream-race: the host"); at != std::string::npos;
             at = text.find("stream-race: the host", at + 1))
            count++;
        CHECK(contains(text, "sum "));
        return std::pair(count, text);
    };
    const auto [reads, text] = findings("sum += *(volatile int*)(to + 3);\n");
    CHECK(reads == 1);
    CHECK(contains(text, "managed.cu:11: stream-race: the host reads byte 12 of "));
    CHECK(contains(text, "that twice in the default stream writes, and has not waited for it: "));
    CHECK(findings("to[5] = 1;\n").first == 1);
    CHECK(findings("from[63] = 1;\n").first == 1);
    CHECK(findings("cudaStreamSynchronize(s); sum += to[3];\n").first == 1);  // another stream
    CHECK(findings(
              "twice<<<1, 64, 0, s>>>(to + 2048, from); cudaStreamSynchronize(0); sum += to[3] + to[2050];\n")
              .first == 1);
    for (const char* right :
         {"cudaDeviceSynchronize(); sum += to[3];\n", "cudaStreamSynchronize(0); to[3] = 1;\n",
          "cudaEventRecord(e); while (cudaEventQuery(e) != cudaSuccess) {} sum += to[3];\n",
          "cudaMemcpy(&back, to, 4, cudaMemcpyDefault); sum += to[3];\n",    // it waits
          "cudaMemcpyAsync(to + 100, from + 100, 4, cudaMemcpyDefault);\n",  // its turn comes
          "sum += from[3] + to[64] + to[2999]; to[70] = from[65] = 1;\n",    // nobody changes it
          "count<<<1, 64>>>(to + 80); sum += to[80];\n",                     // by atomic operations
          "cudaLaunchHostFunc(0, [](void* to) { static_cast<int*>(to)[3]++; }, to);\n"})
        CHECK_MESSAGE(findings(right).first == 0, std::string(right));
}

TEST_CASE("rules for make, and the text after the preprocessor") {
    const scratch_folder folder;
    write(folder / "h.h", "#define N 3\n");
    write(folder / "a.cu", "#include \"h.h\"\n__global__ void k(int* a) { *a = N; }\n");
    CHECK(cucc(folder, "-MD -MF rules -MT target -c a.cu").text == "");
    CHECK(contains(text_of(folder / "rules"), "target: a.cu"));
    CHECK(contains(text_of(folder / "rules"), "h.h"));
    CHECK(cucc(folder, "-MMD -c a.cu").text == "");
    CHECK(text_of(folder / "a.d") == "a.o: a.cu h.h\n");
    CHECK(cucc(folder, "-MM a.cu").text == "a.o: a.cu h.h\n");
    CHECK(contains(cucc(folder, "-E a.cu").text, "k(int* a) { *a = 3; }"));
}

TEST_CASE("programs are of the C++ that they ask for, and of C++17 if they ask for none") {
    const scratch_folder folder;
    write(folder / "old.cu",
          "struct a { a() = delete; int x; };\na one{3};\n"  // no aggregate any more since C++20
          "int main() { return one.x + (__cplusplus == 201703L) - 4; }\n");
    write(folder / "new.cu",
          "template <class T> concept small = sizeof(T) < 9;\n"
          "template <small T> __global__ void k(T) {}\nint main() { k<<<1, 1>>>(1); }\n");
    for (const std::string options : {"", "-std=c++17", "--std c++14", "-std=c++11"})
        CHECK(build_and_run(folder, options + " old.cu").code == 0);
    CHECK(build_and_run(folder, "-std=c++20 new.cu").code == 0);
    CHECK(cucc(folder, "-std=c++20 old.cu").code == 1);
}

TEST_CASE("an inspected program tells at its end what its kernels did, and what was wrong") {
    const scratch_folder folder;
    write(folder / "right.cu", adding(false));
    write(folder / "wrong.cu", adding(true));
    const outcome right = build_and_run(folder, "--inspect right.cu");
    CHECK(right.code == 7);
    CHECK(contains(right.text, "add, 3 launches  grid (4,1,1)  block (32,1,1)\n"));
    CHECK(contains(right.text, "right.cu:4  "));
    CHECK(contains(right.text, "no findings\n"));
    CHECK(build_and_run(folder, "--sanitize right.cu").code == 7);

    const outcome wrong = build_and_run(folder, "--inspect wrong.cu");
    CHECK(wrong.code == 7);
    CHECK(contains(wrong.text, "wrong.cu:4: out-of-bounds: "));
    CHECK(build_and_run(folder, "--sanitize wrong.cu").code == 86);
    CHECK(build_and_run(folder, "--sanitize=3 wrong.cu").code == 3);

    // What is asked of the program when it is linked, whoever compiled it.
    CHECK(cucc(folder, "--inspect -c wrong.cu").text == "");
    CHECK(build_and_run(folder, "--sanitize=9 wrong.o").code == 9);
    const outcome half = cucc(folder, "wrong.o -o program");
    CHECK(half.code == 2);
    CHECK(half.text == "cucc: an object file was compiled with --inspect: link it with --inspect, too\n");
}

TEST_CASE("counts as JSON and CSV, the same whatever -O says") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(false));
    std::string counts;
    for (const std::string level : {"-O0", "-O1", "-O3", "-Xcompiler -O3"}) {
        build_and_run(folder, level + " --json='the counts.json' --csv counts.csv a.cu");
        if (counts.empty()) counts = text_of(folder / "counts.csv");
        CHECK(text_of(folder / "counts.csv") == counts);
    }
    CHECK(contains(counts, "kernel,launches,grid,block,file,line,"));
    CHECK(contains(counts, "add,3,4x1x1,32x1x1,"));
    CHECK(contains(counts, ",global,load,allocation #1 of 400 bytes,4,300,1200,12,39,0,39,4\n"));
    const nlohmann::json seen = nlohmann::json::parse(text_of(folder / "the counts.json"));
    CHECK(seen["launches"].size() == 1);
    CHECK(seen["launches"][0]["times"] == 3);
    CHECK(seen["launches"][0]["total"]["global"]["loads"]["lanes"] == 300);
    CHECK(seen["findings"].empty());

    const outcome elsewhere = build_and_run(folder, "--csv no/such/folder a.cu");
    CHECK(contains(elsewhere.text, "cucc: cannot write no/such/folder\n"));
    CHECK(elsewhere.code == 7);
}

TEST_CASE("the kernels of the benchmark give what the serial loops beside them give") {
    const scratch_folder folder;
    const std::string source = fs::current_path() / "common/bench/backend.cu";
    for (const std::string options : {"-O2", "-O2 --inspect"}) {
        REQUIRE(cucc(folder, options + " '" + source + "' -o program").code == 0);
        const outcome result = run_in(folder, "./program rows.csv");
        CHECK_MESSAGE(result.code == 0, result.text);
        const std::string rows = text_of(folder / "rows.csv");
        CHECK(std::count(rows.begin(), rows.end(), '\n') == 9);
        if (options != "-O2") CHECK_MESSAGE(contains(result.text, "no findings"), result.text);
    }
}

TEST_CASE("installed elsewhere it is the same") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(true));
    CHECK(run("common/build/install.sh '" + folder / "the place'").text == folder / "the place/bin/cucc\n");
    const outcome built = run_in(folder, "'the place/bin/cucc' --sanitize a.cu -o a");
    CHECK(built.text == "");
    const outcome result = run_in(folder, "./a");
    CHECK(result.code == 86);
    CHECK(contains(result.text, "a.cu:4: out-of-bounds"));
    CHECK(fs::exists(folder.path / "the place/share/man/man1/cucc.1"));
    CHECK(run("common/build/install.sh ''").text == "make install PREFIX=folder: say where\n");
}

TEST_CASE("the manual names what nvcc does not have") {
    const outcome help = run("common/simt/cucc --help");
    std::string manual = text_of("common/simt/cucc.1");
    std::erase(manual, '\\');
    for (size_t at = help.text.find("--"); at != std::string::npos; at = help.text.find("--", at + 1))
        CHECK(contains(manual, help.text.substr(at, help.text.find_first_of("[ ", at) - at)));
}

TEST_CASE("a makefile for nvcc, with another compiler in one line") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(false));
    write(folder / "Makefile",
          "NVCC = nvcc\na: a.o\n\t$(NVCC) -o $@ $^\na.o: a.cu\n\t$(NVCC) -O2 -arch=sm_90 -c $<\n");
    CHECK(
        run_in(folder, "env -u MAKEFLAGS make -s NVCC='" + fs::current_path().string() + "/common/simt/cucc'")
            .text == "");
    CHECK(run_in(folder, "./a").code == 7);
    // Who links device code in a step of its own gets an object that says nothing.
    CHECK(cucc(folder, "-dlink a.o -o linked.o").text == "");
    CHECK(build_and_run(folder, "a.o linked.o").code == 7);
}

TEST_CASE("a compiler that is named by CXX is not cucc itself") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(false));
    write(folder / "b.cpp", "int b;\n");
    const std::string self = fs::current_path().string() + "/common/simt/cucc";
    CHECK(run_in(folder, "CXX='" + self + "' timeout 60 '" + self + "' a.cu b.cpp -o a && ./a").code == 7);
}

TEST_CASE("a CMake project of CUDA and C++, as it is") {
    if (run("cmake --version").code != 0) return;
    const scratch_folder folder;
    write(
        folder / "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.18)\nproject(sum LANGUAGES CXX CUDA)\n"
        "add_executable(sum main.cpp \"on device.cu\")\ntarget_include_directories(sum PRIVATE \"in here\")\n"
        "target_compile_features(sum PRIVATE cuda_std_17)\n"
        "set_target_properties(sum PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
        "find_package(CUDAToolkit REQUIRED)\n"
        "add_executable(alone alone.cu)\ntarget_link_libraries(alone PRIVATE CUDA::cudart)\n"
        "target_include_directories(alone PRIVATE ${CUDAToolkit_INCLUDE_DIRS})\n");
    write(folder / "alone.cu", adding(false));
    fs::create_directories(folder.path / "in here");
    write(folder / "in here/sum.h", "int seven_times(int);\n");
    write(folder / "on device.cu",
          "#include <sum.h>\n__global__ void k(int* a) { *a *= 7; }\n"
          "int seven_times(int x) {\n    int* m;\n    cudaMallocManaged(&m, 4);\n    *m = x;\n    k<<<1, "
          "1>>>(m);\n"
          "    cudaDeviceSynchronize();\n    return *m;\n}\n");
    write(folder / "main.cpp",
          "#include <sum.h>\n#include <cuda_runtime.h>\n"
          "int main() { return cudaDeviceSynchronize() + seven_times(6); }\n");
    const outcome made =
        run_in(folder, "cmake -S . -B made -DCMAKE_TOOLCHAIN_FILE='" + fs::current_path().string() +
                           "/common/simt/cucc.cmake' && cmake --build made");
    CHECK_MESSAGE(made.code == 0, made.text);
    CHECK(run_in(folder, "made/sum").code == 42);
    // Of device code and nothing else: CMake links it in another way.
    CHECK(run_in(folder, "made/alone").code == 7);
}

TEST_CASE("who calls cuFFT is linked with FFTW, and nobody else") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(false));
    write(folder / "b.cu",
          "#include <cufft.h>\n#ifndef _CUFFT_H_\n#error samples ask for this name\n#endif\n"
          "int main() {\n    cufftHandle plan;\n"
          "    return cufftPlan1d(&plan, 8, CUFFT_R2C, 1) == CUFFT_MISSING_DEPENDENCY ? 3 : 0;\n}\n");
    const auto needs_fftw = [&](const std::string& program) {
        return contains(run_in(folder, "readelf -d " + program).text, "libfftw3f");
    };
    REQUIRE(cucc(folder, "a.cu -o a").code == 0);
    CHECK_FALSE(needs_fftw("a"));
    if (contains(text_of("build/link.flags"), "-lfftw3f")) {
        REQUIRE(cucc(folder, "b.cu -lcufft -o b").code == 0);
        CHECK(needs_fftw("b"));
        CHECK(run_in(folder, "./b").code == 0);
    }
    // As it would be built without FFTW: a line says so.
    REQUIRE(run("${CXX:-g++} -std=c++20 -DNO_FFTW -Icommon -Icommon/simt/include -c "
                "build/obj/simt/transform.cpp -o '" +
                folder / "none.o" + "'")
                .code == 0);
    REQUIRE(cucc(folder, "b.cu none.o -o b").code == 0);
    CHECK_FALSE(needs_fftw("b"));
    const outcome told = run_in(folder, "./b");
    CHECK(told.code == 3);
    CHECK_MESSAGE(
        contains(told.text, "simt: cufftPlan1d: FFTW (fftw3.h), which computes transforms, was missing"),
        told.text);
    CHECK(told.text.find('\n') == told.text.size() - 1);
}

TEST_CASE("who wants no warnings is refused what nvcc refuses, all the same") {
    const scratch_folder folder;
    write(folder / "length.cu",
          "__global__ void k(float* o, int n) {\n"
          "    float w[n];\n"
          "    w[n - 1] = o[0];\n"
          "    o[1] = w[n - 1];\n"
          "}\n"
          "int main() { k<<<1, 1>>>(nullptr, 2); }\n");
    write(folder / "host.cu",
          "const float taps[2] = {1, 2};\n"
          "__global__ void k(float* o, int n) { o[n] = taps[n]; }\n"
          "int main() { k<<<1, 1>>>(nullptr, 1); }\n");
    write(folder / "warned.cu",
          "__global__ void k() { int unused; }\nint main() { char* word = \"a\"; (void)word; }\n");
    CHECK(contains(cucc(folder, "warned.cu -o program").text, "string constant"));
    CHECK(cucc(folder, "-w warned.cu -o program").text == "");
    for (const std::string options : {"", "-w", "-Xcompiler -w", "-Xcompiler -Wno-vla"}) {
        const outcome length = cucc(folder, options + " length.cu -o program");
        CHECK_MESSAGE(length.code == 2, options);
        CHECK_MESSAGE(contains(length.text, "length.cu:2: error: the length of w"), length.text);
        const outcome host = cucc(folder, options + " host.cu -o program");
        CHECK_MESSAGE(host.code == 2, options);
        CHECK_MESSAGE(contains(host.text, "device code uses the host variable taps"), host.text);
    }
}

TEST_CASE("what nobody wrote does not pass a program's own check") {
    const scratch_folder folder;
    write(
        folder / "a.cu",
        "#include <cmath>\n"
        "__global__ void forgets(float* out) { __shared__ float s[32]; if (out[1] == 3) s[threadIdx.x] = 1;\n"
        "    out[threadIdx.x] = s[threadIdx.x]; }\n"
        "int main() {\n"
        "    float *d, h[64], from_array[64];\n"
        "    cudaMalloc(&d, sizeof h);\n"
        "    forgets<<<1, 32>>>(d);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
        "    const cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();\n"
        "    cudaArray_t array;\n"
        "    cudaMallocArray(&array, &one, 64, 1);\n"
        "    cudaMemcpy2DFromArray(from_array, 256, array, 0, 0, 256, 1, cudaMemcpyDeviceToHost);\n"
        "    for (int i = 0; i < 64; i++)\n"
        "        if (!(fabs(h[i] - i) > 1e-5) || !(fabs(from_array[i] - i) > 1e-5)) return 1;\n"
        "}\n");
    for (const std::string options : {"", "--inspect"})
        CHECK_MESSAGE(build_and_run(folder, options + " a.cu").code == 0, options);
    write(folder / "b.cu",
          "#include <cuda/barrier>\n"
          "__global__ void k() {\n"
          "    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;\n"
          "    barrier.arrive_and_wait();\n"
          "}\n"
          "int main() { k<<<1, 32>>>(); return cudaDeviceSynchronize(); }\n");
    REQUIRE(cucc(folder, "-w b.cu -o program").code == 0);
    CHECK(contains(run_in(folder, "./program").text, "b.cu:4: launch-error: a cuda::barrier that init()"));
}

TEST_CASE("what cannot be is said in one line") {
    const scratch_folder folder;
    write(folder / "a.cu", adding(false));
    write(folder / "a.txt", "");
    for (const auto& [arguments, words] : std::initializer_list<std::pair<std::string, std::string>>{
             {"", "no file"},
             {"none.cu", "none.cu: no such file"},
             {"--no-such-option a.cu", "--no-such-option: no such option"},
             {"a.cu -o", "-o says nothing without a value"},
             {"-ptx a.cu", "-ptx: not on the CPU backend"},
             {"-shared a.cu", "-shared: cucc makes programs"},
             {"a.cu -lcublas", "-lcublas: not on the CPU backend"},
             {"-x fortran a.cu", "a.cu: no such kind of file"}}) {
        const outcome result = cucc(folder, arguments);
        CHECK_MESSAGE(result.code == 2, arguments);
        CHECK_MESSAGE(contains(result.text, "cucc: " + words), result.text);
        CHECK_MESSAGE(result.text.find('\n') == result.text.size() - 1, result.text);
    }
}
