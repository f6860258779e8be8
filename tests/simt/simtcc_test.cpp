// The driver from end to end: what a student reads after a mistake, files that share symbols, the compilers
// that are installed. Run from the repository's root.
#include <string>

#include "command.h"

namespace {

outcome compile(const std::string& input, const std::string& output, const std::string& options = "") {
    return run("common/simt/simtcc -Icommon " + options + " '" + input + "' -o '" + output + "'");
}

/// Compiles one file; replaces the scratch folder's name, so that texts can be compared.
outcome compile_text(const std::string& text, const std::string& options = "") {
    const scratch_folder folder;
    write(folder / "a.cu", text);
    outcome result = compile(folder / "a.cu", folder / "a.o", options);
    CHECK(fs::exists(folder / "a.o") == (result.code == 0));
    const std::string prefix = folder / "";
    for (size_t at; (at = result.text.find(prefix)) != std::string::npos;)
        result.text.erase(at, prefix.size());
    return result;
}

const std::string KERNEL =
    "__global__ void k(float* out, const int* in, int n) {\n"
    "    __shared__ float tile[32], more[2];\n"
    "    tile[threadIdx.x] = in[threadIdx.x]; more[0] = n;\n"
    "    __syncthreads();\n"
    "    float sum = 0;\n"
    "    #pragma unroll\n"
    "    for (int i = 0; i < 32; i++) sum += tile[i];\n"
    "    if (threadIdx.x < blockDim.x - n) out[threadIdx.x] = sum + more[0];\n"
    "}\n";  // the next line is line 10

}  // namespace

TEST_CASE("right programs compile in silence, plain and inspected") {
    const std::string launch =
        "void f(float* out, int* in) {\n    k<<<dim3(2, 2), 32, 0, nullptr>>>(out, in, 3);\n    "
        "(void)cudaGetLastError();\n}\n";
    for (const std::string options : {"", "--inspect"}) {
        const outcome result =
            compile_text("#include \"lab/lab.h\"\n#include <vector>\n" + KERNEL + launch, options);
        CHECK(result.text == "");
        CHECK(result.code == 0);
    }
}

TEST_CASE("programs may ask for the runtime under the names that nvcc's headers have") {
    // One after the other in one file: none of them is in another's way.
    std::string includes;
    for (const fs::directory_entry& one : fs::directory_iterator("common/simt/include")) {
        const std::string name = one.path().filename().string();
        const std::string text = text_of(one.path().string());
        if (one.is_regular_file() && !contains(text, "#error")) includes += "#include <" + name + ">\n";
    }
    for (const char* header : {"cuda_runtime_api", "device_launch_parameters", "driver_types", "vector_types",
                               "builtin_types", "math_constants", "cuda_profiler_api"})
        CHECK(contains(includes, std::string("<") + header + ".h>"));
    const outcome result = compile_text(includes +
                                        "__global__ void add(float4* a) { a[threadIdx.x].x += 1; }\n"
                                        "void launch(float4* a) { add<<<1, 32>>>(a); }\n");
    CHECK(result.code == 0);
    CHECK(result.text == "");
}

TEST_CASE("programs know NVIDIA's headers by these names, and the CPU backend by its own") {
    std::string text;
    for (const char* name : {"__CUDACC__", "__CUDA_RUNTIME_H__", "__CUDA_RUNTIME_API_H__",
                             "__DRIVER_TYPES_H__", "__VECTOR_TYPES_H__", "__CUCC__"})
        text += std::string("#ifndef ") + name + "\n#error " + name + "\n#endif\n";
    CHECK(compile_text(
              "#include <math_constants.h>\n" + text +
              "static_assert(CUDART_PI_F == 3.14159274f && CUDART_PI == 3.141592653589793);\n"
              "static_assert(CUDART_INF_F > CUDART_MAX_NORMAL_F && CUDART_SQRT_TWO == __builtin_sqrt(2));\n"
              "__global__ void k(float* a) { *a = CUDART_NAN_F; }\n")
              .text == "");
}

TEST_CASE("a loop to unroll that g++ leaves as it is gives no warning, and others keep theirs") {
    const std::string text =
        "struct cut { int n; __host__ __device__ constexpr int twice() const { return 2 * n; } };\n"
        "template <cut S> __device__ void add(int (&sum)[S.n]) {\n"
        "#pragma unroll\n"
        "    for (int k = 0; k < S.twice() / 2; k++) sum[k]++;\n"
        "}\n"
        "__global__ void k(int* o) { int sum[1] = {}; add<cut{1}>(sum); o[0] = sum[0]; }\n";
    CHECK(compile_text(text).text == "");
    const std::string warned = compile_text(text + "void f() { int unused; }\n").text;
    CHECK(warned.find("In function 'void f()':") != std::string::npos);
    CHECK(warned.find("unused variable") != std::string::npos);
}

TEST_CASE("what nvcc finds no fault with gives no warning, and what it warns of does") {
    const std::string text =
        "enum class way { one, two };\n"
        "struct order { int a, b; __device__ order() : b(1), a(2) {} };\n"
        "__device__ int f(int a, int b, int c, way w, const int* p, char at) {\n"
        "    if (a) if (b && c || a) c = a + b << 1; else c = !a == b;\n"
        "    switch (w) { case way::one: return a & b == 0; }\n"
        "    while (a = b) return a * 2 ? p[at] : c;\n"
        "    return order().a;\n"
        "}\n"
        "__global__ void h(volatile float* s) {\n"
        "    __shared__ volatile float t[64];\n"
        "    t[threadIdx.x] = s[threadIdx.x];\n"
        "    while (s[0] != 2) s[0] = t[threadIdx.x];\n"
        "}\n";
    CHECK(compile_text(text).text == "");
    CHECK(
        contains(compile_text("__device__ int g(int a) { int left; return a; }\n").text, "unused variable"));
    CHECK(
        contains(compile_text("__device__ int g(int a) { if (a) return 1; }\n").text, "control reaches end"));
}

TEST_CASE("g++ points at the student's line and column, after edits on the same line too") {
    const outcome result =
        compile_text(KERNEL + "void f(float* out, int* in) {\n    k<<<1, 2>>>(out, in, wrong_name);\n}\n");
    CHECK(result.code == 1);
    CHECK(contains(result.text,
                   "a.cu:11:26: error: 'wrong_name' was not declared in this scope\n"
                   "   11 |     k<<<1, 2>>>(out, in, wrong_name);\n"
                   "      |                          ^~~~~~~~~~\n"));
}

TEST_CASE("a launch that does not fit is explained without the backend's headers") {
    const outcome result = compile_text(KERNEL +
                                        "void f(float* out, int* in) {\n    k<<<1, 2>>>(out, in);\n"
                                        "    k<<<1, 2>>>(in, out, 3);\n}\n");
    CHECK(result.code == 1);
    CHECK(contains(result.text,
                   "a.cu:11:16: error: the kernel takes (float*, const int*, int) but is launched with "
                   "(float*&, int*&)\n"));
    CHECK(contains(result.text, "a.cu:11:16: note: candidate expects 3 arguments, 2 provided\n"));
    CHECK(contains(result.text,
                   "a.cu:12:16: note: no known conversion for argument 1 from 'int*' to 'float*'\n"));
    CHECK_FALSE(contains(result.text, "simt/include"));
    CHECK_FALSE(contains(result.text, "prepare"));
}

TEST_CASE("an error in a header of the student's names that header") {
    const scratch_folder folder;
    write(folder / "h.cuh", "#pragma once\n__device__ int d() { return wrong; }\n");
    write(folder / "a.cu", "#include \"h.cuh\"\n");
    const outcome result = compile(folder / "a.cu", folder / "a.o");
    CHECK(result.code == 1);
    CHECK(contains(result.text, "h.cuh:2:29: error: 'wrong' was not declared in this scope"));
}

TEST_CASE("static shared memory above 48 KB in one kernel") {
    const auto with = [](const std::string& declarations) {
        return compile_text("template <class T> __global__ void k(T* out) {\n    " + declarations +
                            "\n    out[0] = a[0] + b[0];\n}\ntemplate __global__ void k<double>(double*);\n");
    };
    const outcome fits = with("__shared__ T a[3072], b[3072];");
    CHECK(fits.text == "");
    const outcome one = with("__shared__ T a[6145], b[1];");
    CHECK(one.code == 1);
    CHECK(contains(one.text,
                   "a.cu:2:37: error: static assertion failed: static shared memory is limited to 48 KB in a "
                   "block: use extern __shared__ and cudaFuncSetAttribute"));
    const outcome two = with("__shared__ T a[3072]; __shared__ T b[3073];");
    CHECK(two.code == 1);
    CHECK(contains(two.text, "limited to 48 KB"));
}

TEST_CASE("shared variables have no constructors") {
    const outcome result =
        compile_text("__global__ void k() {\n    __shared__ dim3 size;\n    size.x = 1;\n}\n");
    CHECK(result.code == 1);
    CHECK(contains(
        result.text,
        "a.cu:2:21: error: static assertion failed: a __shared__ variable has no constructor: assign "
        "to it in the kernel and call __syncthreads()"));
}

TEST_CASE("what only a GPU can run: exit code 2, or 1 for a header, one line, no object") {
    const outcome ptx = compile_text("\n__device__ void f() { asm volatile(\"mov\"); }\n");
    CHECK(ptx.code == 2);
    CHECK(ptx.text ==
          "a.cu:2: error: inline PTX runs on a GPU only: build with BACKEND=gpu, or keep it behind #ifdef "
          "__CUDA_ARCH__ "
          "with a portable twin\n");
    const outcome twin = compile_text(
        "__device__ int f() {\n#ifdef __CUDA_ARCH__\n    asm volatile(\"mov\");\n#endif\n    return 1;\n}\n");
    CHECK(twin.text == "");
    const outcome half = compile_text("#include <cuda/ptx>\n");
    CHECK(half.code != 0);
    CHECK(first_line(half.text) == "In file included from a.cu:1:");
    CHECK(contains(half.text, "<cuda/ptx>"));
    CHECK(contains(half.text, "on a GPU only: build with BACKEND=gpu, or "));
    const outcome thrust = compile_text("#include <thrust/device_vector.h>\n");
    if (!std::filesystem::exists("/usr/include/thrust"))
        CHECK(contains(thrust.text, "install libthrust-dev"));
    const outcome cub = compile_text("#include <cub/cub.cuh>\n");
    if (!std::filesystem::exists("/usr/include/cub")) CHECK(contains(cub.text, "install libcub-dev"));
}

TEST_CASE("headers of -isystem come after ours, which go on to them") {
    const scratch_folder folder;
    fs::create_directories(folder / "thrust");
    write(folder / "thrust/device_vector.h", "constexpr int GONE_ON_TO = 1;\n");
    write(folder / "cuda_runtime.h", "#error \"not ours\"\n");
    const outcome built = compile_text(
        "#include <cuda_runtime.h>\n#include <thrust/device_vector.h>\n"
        "__global__ void k(int* o) {\n    *o = GONE_ON_TO;\n}\n",
        "-isystem " + folder.path.string());
    CHECK_MESSAGE(built.code == 0, built.text);
    fs::create_directories(folder / "cub");
    write(folder / "cub/cub.cuh", "");
    write(folder / "cub/version.cuh", "#define CUB_VERSION 200000\n");
    const outcome newer = compile_text("#include <cub/cub.cuh>\n", "-isystem " + folder.path.string());
    CHECK(contains(newer.text, "use CUB 1.17"));
}

TEST_CASE("__CUDA_ARCH__ is a word of the preprocessor alone") {
    const outcome used = compile_text("__global__ void k(int* o) {\n    o[0] = __CUDA_ARCH__;\n}\n");
    CHECK(used.code == 2);
    CHECK(
        used.text ==
        "a.cu:2: error: __CUDA_ARCH__ is not defined where nvcc compiles the host's part, kernels included: "
        "use it in #if and #ifdef\n");
    CHECK(compile_text(
              "__global__ void k(int* o) {\n#ifdef __CUDA_ARCH__\n    o[0] = __CUDA_ARCH__;\n#endif\n}\n")
              .text == "");
}

TEST_CASE("wrong use of the driver") {
    CHECK(run("common/simt/simtcc").code == 2);
    CHECK(run("common/simt/simtcc a.cu").text ==
          "usage: simtcc [--judged | --separate] [--relaxed-constexpr] [--inspect] [-I.. -D..] FILE.cu -o "
          "FILE.o\n");
    const outcome missing = compile("no_such.cu", "/dev/null");
    CHECK(missing.code != 0);
    CHECK(contains(missing.text, "no_such.cu: No such file"));
    const outcome unbuilt = run("SIMT_REWRITE=/no/rewriter common/simt/simtcc a.cu -o a.o");
    CHECK(unbuilt.code == 2);
    CHECK(unbuilt.text == "simtcc: no rewriter at /no/rewriter: run make\n");
}

TEST_CASE("several files share symbols, with every compiler that is installed") {
    const std::string header =
        "#pragma once\n"
        "extern __constant__ float c_taps[3];\n"
        "extern __constant__ const int c_fixed[2];\n"
        "extern __device__ int total;\n"
        "inline __device__ int merged = 5;\n"
        "static __constant__ int own = 0;\n"
        "__device__ int twice(int x);\n"
        "template <class T> __global__ void shared_template(T* out) { __shared__ T s; s = 1; out[0] += s; }\n"
        "void launch(int* out);\n";
    const std::string one =
        "#include \"shared.cuh\"\n"
        "__constant__ float c_taps[3];\n"
        "__constant__ const int c_fixed[2] = {7, 8};\n"
        "__device__ int total;\n"
        "__device__ int twice(int x) { return 2 * x + own; }\n"
        "int main() {\n"
        "    const float taps[3] = {1, 2, 3};\n"
        "    int* out;\n"
        "    int result = 0, sum = 0;\n"
        "    cudaMalloc(&out, sizeof(int));\n"
        "    cudaMemset(out, 0, sizeof(int));\n"
        "    cudaMemcpyToSymbol(c_taps, taps, sizeof taps);\n"
        "    shared_template<<<1, 1>>>(out);\n"
        "    launch(out);\n"
        "    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);\n"
        "    cudaMemcpyFromSymbol(&sum, total, sizeof sum);\n"
        "    return result == 2 && sum == 3 + 8 + 5 + 4 ? 0 : 1;\n"
        "}\n";
    const std::string two =
        "#include \"shared.cuh\"\n"
        "namespace { __device__ int total_of_this_file = 1; }\n"
        "__global__ void k() { atomicAdd(&total, int(c_taps[2]) + c_fixed[1] + merged + twice(2) + own); "
        "total_of_this_file++; }\n"
        "void launch(int* out) { k<<<1, 1>>>(); shared_template<int><<<1, 1>>>(out); }\n";
    const scratch_folder folder;
    write(folder / "shared.cuh", header);
    write(folder / "one.cu", one);
    write(folder / "two.cu", two);
    for (const std::string compiler : {"g++", "g++-11", "g++-12", "g++-13"}) {
        if (run("command -v " + compiler).code != 0) continue;
        CAPTURE(compiler);
        for (const std::string name : {"one", "two"}) {
            const outcome result = run("CXX=" + compiler + " common/simt/simtcc '" + folder / (name + ".cu") +
                                       "' -o '" + folder / (name + ".o") + "'");
            CHECK(result.text == "");
            REQUIRE(result.code == 0);
        }
        const outcome link = run(compiler + " '" + folder / "one.o" + "' '" + folder / "two.o" + "' -o '" +
                                 folder / "both" + "' build/lib/libsimt.a @build/link.flags");
        REQUIRE_MESSAGE(link.code == 0, link.text);
        const outcome result = run("'" + folder / "both" + "'");
        CHECK(result.text == "");
        CHECK(result.code == 0);
    }
}

TEST_CASE("what files begin with is compiled once, and changes nothing") {
    const scratch_folder folder;
    write(folder / "a.cu", KERNEL + "int wrong = 2.5;\n");
    const outcome made =
        run("cd '" + folder / "" + "' && mkdir -p common/simt build/bin build/prelude && ln -s '" +
            fs::absolute("common/simt/include").string() + "' common/simt/include && cp '" +
            fs::absolute("common/simt/simtcc").string() + "' common/simt/ && ln -s '" +
            fs::absolute("build/bin/rewrite").string() + "' build/bin/");
    REQUIRE_MESSAGE(made.code == 0, made.text);
    const auto compiled_after = [&](const std::string& command) {
        const outcome result = run("cd '" + folder / "" + "' && { " + command + "; } && rm -f a.o && " +
                                   "common/simt/simtcc --judged --inspect a.cu -o a.o");
        CHECK(result.code == 0);
        return text_of(folder / "a.o") + result.text;
    };
    const std::string whole = compiled_after("true");
    const std::string make = "common/simt/simtcc --inspect --prelude build/prelude/inspect";
    CHECK(compiled_after(make) == whole);
    CHECK(compiled_after("echo '#pragma GCC poison once' >build/prelude/inspect.ii") ==
          whole);  // another text
    CHECK(compiled_after(make + "; for f in build/prelude/*.gch; do echo broken >$f; done") == whole);
    // It is taken, where nothing is in the way.
    const outcome used =
        run("cd '" + folder / "" + "' && " + make +
            " && common/simt/simtcc -E a.cu -o a.ii && build/bin/rewrite --inspect --prelude "
            "build/prelude/inspect.ii some.gch <a.ii | sed -n 2p");
    CHECK(used.text == "#pragma GCC pch_preprocess \"some.gch\"\n");

    // So is another header in front of the file, with what comes before it.
    write(folder / "first.h", "#include <stdexcept>\nstruct first {};\n");
    const auto behind_first = [&](const std::string& command) {
        const outcome result = run("cd '" + folder / "" + "' && { " + command + "; } && rm -f a.o && " +
                                   "common/simt/simtcc --judged --inspect -I. -include first.h a.cu -o a.o");
        CHECK(result.code == 0);
        return text_of(folder / "a.o") + result.text;
    };
    const std::string without = behind_first("rm build/prelude/*");
    CHECK(behind_first(make) == without);  // nor does that of others change anything
    const std::string make_of_lab =
        "common/simt/simtcc --inspect -I. -include first.h --prelude build/prelude/lab_inspect";
    CHECK(behind_first(make + " && " + make_of_lab) == without);
    const outcome taken =
        run("cd '" + folder / "" + "' && common/simt/simtcc -I. -include first.h -E a.cu -o a.ii && " +
            "build/bin/rewrite --inspect --prelude build/prelude/lab_inspect.ii some.gch <a.ii | sed -n 2p");
    CHECK(taken.text == "#pragma GCC pch_preprocess \"some.gch\"\n");
}
