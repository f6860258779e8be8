// The launch rewriter on small texts: what comes out, letter by letter, and what is refused with which words.
#include "simt/rewrite/rewrite.h"

#include <doctest/doctest.h>

#include <string>

namespace {

const std::string KERNEL = "__global__ void k(int* o);\n";
const std::string KERNEL_OUT = "__attribute__((noinline,noclone)) void k(int* o);\n";
const std::string TOO_LARGE =
    "\"static shared memory is limited to 48 KB in a block: use extern __shared__ and "
    "cudaFuncSetAttribute\");";
const std::string CONSTRUCTOR =
    "\"a __shared__ variable has no constructor: assign to it in the kernel and call __syncthreads()\");";

std::string rewritten(const std::string& text, bool inspected = false) {
    const rewrite::result done = rewrite::rewrite_text(text, {.inspected = inspected, .realign = false});
    for (const rewrite::problem& p : done.problems)
        FAIL_CHECK(p.line << ": " << p.text);
    return done.text;
}

/// What a statement of a host function becomes; k is a kernel.
std::string statement(const std::string& text) {
    const std::string out = rewritten(KERNEL + "void f() {\n" + text + "\n}\n");
    const std::string head = KERNEL_OUT + "void f() {\n";
    REQUIRE(out.substr(0, head.size()) == head);
    return out.substr(head.size(), out.size() - head.size() - 3);
}

/// What a statement of a device function becomes.
std::string in_device(const std::string& text) {
    const std::string out = rewritten("__device__ void f() {\n" + text + "\n}\n");
    const std::string head = " void f() {\n";
    REQUIRE(out.substr(0, head.size()) == head);
    return out.substr(head.size(), out.size() - head.size() - 3);
}

/// All problems as "line: text", one below the other.
std::string problems(const std::string& text) {
    std::string all;
    for (const rewrite::problem& p : rewrite::rewrite_text(text, {}).problems) {
        all += (all.empty() ? "" : "\n") + std::to_string(p.line) + ": " + p.text;
    }
    return all;
}

std::string generic(const std::string& name, const std::string& call) {
    return "::simt::prepare_generic(\"" + name +
           "\", [=](auto... simt_a) __attribute__((no_sanitize_thread)) { " + call + "(simt_a...); }";
}

/// Passes through unchanged.
void unchanged(const std::string& text) {
    CHECK(rewritten(text) == text);
}

}  // namespace

TEST_CASE("launches become calls") {
    CHECK(statement("k<<<1, 2>>>(o);") == "::simt::prepare(k, ::simt::launch_config(1, 2))(o);");
    CHECK(statement("k<<<g, b, s, st>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config(g, b, s, st))(o);");
    CHECK(statement("::n::k<<<1, 2>>>();") == "::simt::prepare(::n::k, ::simt::launch_config(1, 2))();");
    CHECK(statement("if (x) k<<<1, 2>>>(o); else k<<<3, 4>>>(o);") ==
          "if (x) ::simt::prepare(k, ::simt::launch_config(1, 2))(o); else ::simt::prepare(k, "
          "::simt::launch_config(3, 4))(o);");
    CHECK(statement("x ? k<<<1, 2>>>(o) : k<<<3, 4>>>(o);") ==
          "x ? ::simt::prepare(k, ::simt::launch_config(1, 2))(o) : ::simt::prepare(k, "
          "::simt::launch_config(3, 4))(o);");
    CHECK(statement("run([&] { k<<<1, 2>>>(o); });") ==
          "run([&] { ::simt::prepare(k, ::simt::launch_config(1, 2))(o); });");
}

TEST_CASE("a launch may span lines and its line ends stay") {
    CHECK(statement("k<<<1,\n    2\n>>>(o,\n p);") ==
          "::simt::prepare(k, ::simt::launch_config(1,\n    2\n))(o,\n p);");
}

TEST_CASE("the end of the configuration is told from templates and shifts") {
    CHECK(statement("k<<<1, size<int>>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config(1, size<int>))(o);");
    CHECK(statement("k<<<1, n >> 2>>>(o);") == "::simt::prepare(k, ::simt::launch_config(1, n >> 2))(o);");
    CHECK(statement("k<<<1 << 3, (a > b) ? 1 : 2>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config(1 << 3, (a > b) ? 1 : 2))(o);");
    CHECK(statement("k<<<1, sizeof(v<v<v<int>>>)>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config(1, sizeof(v<v<v<int>>>)))(o);");
    CHECK(statement("k<<<a<b<c<1>>>::v, 32>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config(a<b<c<1>>>::v, 32))(o);");
    CHECK(statement("k<<<pair<1, 2>::v, 32>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config(pair<1, 2>::v, 32))(o);");
    CHECK(statement("k<<<[](int a) { return a; }(1), 32>>>(o);") ==
          "::simt::prepare(k, ::simt::launch_config([](int a) { return a; }(1), 32))(o);");
}

TEST_CASE("kernels may be computed") {
    CHECK(statement("a[i]<<<1, 2>>>(o);") == "::simt::prepare(a[i], ::simt::launch_config(1, 2))(o);");
    CHECK(statement("a[i][j]<<<1, 2>>>(o);") == "::simt::prepare(a[i][j], ::simt::launch_config(1, 2))(o);");
    CHECK(statement("(*f)<<<1, 2>>>(o);") == "::simt::prepare((*f), ::simt::launch_config(1, 2))(o);");
    CHECK(statement("h.k<<<1, 2>>>(o);") == "::simt::prepare(h.k, ::simt::launch_config(1, 2))(o);");
    CHECK(statement("h->t[2].k<<<1, 2>>>(o);") ==
          "::simt::prepare(h->t[2].k, ::simt::launch_config(1, 2))(o);");
    CHECK(statement("pick(3)<<<1, 2>>>(o);") == "::simt::prepare(pick(3), ::simt::launch_config(1, 2))(o);");
    CHECK(statement("pick<3>(x)<<<1, 2>>>(o);") ==
          "::simt::prepare(pick<3>(x), ::simt::launch_config(1, 2))(o);");
    CHECK(statement("if (x) (*f)<<<1, 2>>>(o);") ==
          "if (x) ::simt::prepare((*f), ::simt::launch_config(1, 2))(o);");
    CHECK(statement("for (;;) (*f)<<<1, 2>>>(o);") ==
          "for (;;) ::simt::prepare((*f), ::simt::launch_config(1, 2))(o);");
    CHECK(statement("return (*f)<<<1, 2>>>(o);") ==
          "return ::simt::prepare((*f), ::simt::launch_config(1, 2))(o);");
}

TEST_CASE("deduced, overloaded and defaulted kernels are called by name") {
    const std::string config = ", ::simt::launch_config(1, 2))(o);";
    const auto last_line = [](const std::string& kernels, const std::string& launch) {
        const std::string out = rewritten(kernels + "void f() {\n" + launch + "\n}");
        const size_t begin = out.rfind("void f() {\n") + 11;
        return out.substr(begin, out.size() - begin - 2);
    };
    const std::string one = "template <class T> __global__ void t(T* o) {}\n";
    CHECK(last_line(one, "t<<<1, 2>>>(o);") == generic("t", "t") + config);
    CHECK(last_line(one, "t<int><<<1, 2>>>(o);") == "::simt::prepare(t<int>" + config);
    CHECK(last_line(one, "n::t<v<int>><<<1, 2>>>(o);") == "::simt::prepare(n::t<v<int>>" + config);
    const std::string two = "template <int R, class T = float> __global__ void t(T* o) {}\n";
    CHECK(last_line(two, "t<3><<<1, 2>>>(o);") == generic("t<3>", "t<3>") + config);
    CHECK(last_line(two, "t<(a > 3), p<1, 2>><<<1, 2>>>(o);") ==
          "::simt::prepare(t<(a > 3), p<1, 2>>" + config);
    CHECK(last_line("template <class... T> __global__ void t(T... o) {}\n", "t<int><<<1, 2>>>(o);") ==
          generic("t<int>", "t<int>") + config);
    CHECK(last_line("__global__ void t(int* o, int n = 3) {}\n", "t<<<1, 2>>>(o);") ==
          generic("t", "t") + config);
    CHECK(last_line("__global__ void t(int* o) {}\n__global__ void t(float* o) {}\n", "t<<<1, 2>>>(o);") ==
          generic("t", "t") + config);
    SUBCASE("a declaration and its definition are not two kernels") {
        CHECK(last_line("__global__ void t(int*, const float* in);\n__global__ void t(int* o, const float* "
                        "__restrict__ x) {}\n",
                        "t<<<1, 2>>>(o);") == "::simt::prepare(t" + config);
    }
    SUBCASE("a specialisation is not an overload") {
        CHECK(last_line(one + "template <> __global__ void t<int>(int* o) {}\n", "t<int><<<1, 2>>>(o);") ==
              "::simt::prepare(t<int>" + config);
    }
}

TEST_CASE("text that only looks like CUDA passes unchanged") {
    unchanged("const char* s = \"k<<<1, 2>>>(o) __global__\";\n");
    unchanged("const char* s = R\"(k<<<1, 2>>>(o) \" __shared__)\";\n");
    unchanged("auto s = u8R\"x(__device__ )\" k<<<1,2>>>() )x\";\n");
    unchanged("auto s = LR\"(\n# 7 \"no.cu\"\n)\"; // __global__ k<<<1, 2>>>(o)\n");
    unchanged(
        "char q = '\"'; int n = 1'000'000; auto h = 0x1.8p-3 + 0xAB'CD; /* __shared__ */ char e = '\\'';\n");
    // Read as a character, the separator would hide what stands up to the next one.
    CHECK(rewritten("int n = 1'000; __host__ int m(int a = 2'0);") == "int n = 1'000;  int m(int a = 2'0);");
    unchanged("std::cout << a << b << (c >> 3);\nv<v<v<int>>> x;\n");
    unchanged(
        "template <class T> S& operator<< <T>(S& s, T t);\ntemplate <> S& operator<<<int>(S& s, int t);\n");
    unchanged("__attribute__((__noinline__)) void f();\n");
    unchanged("#pragma once\n#pragma GCC ivdep\n");
    unchanged("struct texture { int t; };\ntexture a; int half = 3;\n");
}

TEST_CASE("system headers and the backend's own headers pass unchanged") {
    unchanged(
        "# 1 \"a.cu\"\n# 1 \"/usr/include/x.h\" 1 3 4\n__device__ asm texture<float> t; { k<<<1>>>\n# 2 "
        "\"a.cu\" 2\nint x;\n");
    unchanged(
        "# 1 \"a.cu\"\n# 1 \"../common/simt/include/simt/x.h\" 1\n__device__ __shared__ asm(\"\");\n# 2 "
        "\"a.cu\" 2\nint x;\n");
    // A macro of a system header in the student's own text is the student's.
    CHECK(rewritten("# 1 \"a.cu\"\n" + KERNEL +
                    "void f() { k<<<1, 2>>>(\n# 2 \"a.cu\" 3 4\n__null\n# 2 \"a.cu\"\n); }\n") ==
          "# 1 \"a.cu\"\n" + KERNEL_OUT +
              "void f() { ::simt::prepare(k, ::simt::launch_config(1, 2))(\n# 2 \"a.cu\" 3 4\n__null\n# 2 "
              "\"a.cu\"\n); }\n");
}

TEST_CASE("a macro of a system header may hold a launch") {
    CHECK(rewritten("# 1 \"a.cu\"\n" + KERNEL +
                    "void f() {\n# 2 \"a.cu\" 3 4\nk<<<1, 2>>>(o)\n# 2 \"a.cu\"\n; }\n") ==
          "# 1 \"a.cu\"\n" + KERNEL_OUT +
              "void f() {\n# 2 \"a.cu\" 3 4\n::simt::prepare(k, ::simt::launch_config(1, 2))(o)\n# 2 "
              "\"a.cu\"\n; }\n");
}

TEST_CASE("specifiers of functions and types") {
    CHECK(rewritten("__global__ void __launch_bounds__(256, 2) k() {}") ==
          "__attribute__((noinline,noclone)) void   k() {}");
    CHECK(rewritten("template <bool B> __global__ void __launch_bounds__(B ? 64\n : 128) k() {}") ==
          "template <bool B> __attribute__((noinline,noclone)) void   \n   k() {}");
    CHECK(rewritten("template __global__ void k<3>(int*);") == "template  void k<3>(int*);");
    CHECK(rewritten("__host__ __device__ float f(const float* __restrict__ p);") ==
          "  float f(const float* __restrict__ p);");
    CHECK(rewritten("__device__ __forceinline__ int f();") ==
          " inline __attribute__((always_inline)) int f();");
    CHECK(rewritten("static inline __device__ __forceinline__ int f();") ==
          "static inline  __attribute__((always_inline)) int f();");
    CHECK(rewritten("__device__ __noinline__ int f();") == " __attribute__((noinline)) int f();");
    CHECK(rewritten("struct __align__(16) S { float v[4]; };") ==
          "struct __attribute__((aligned(16))) S { float v[4]; };");
    CHECK(rewritten("auto f = [=] __device__ (float a) { return a; };") ==
          "auto f = [=]  (float a) { return a; };");
    CHECK(rewritten("auto f = [] __host__ __device__ { return 1; };") == "auto f = []   { return 1; };");
    CHECK(rewritten("__global__ void k(const __grid_constant__ P p) {}") ==
          "__attribute__((noinline,noclone)) void k(const  P p) {}");
}

TEST_CASE("device and constant variables get sections") {
    const std::string DEV = "__attribute__((section(\"simt_dev\")))",
                      CONST = "__attribute__((section(\"simt_const\")))";
    CHECK(rewritten("__device__ int n = 3;") == DEV + " int n = 3;");
    CHECK(rewritten("__constant__ float c[9];") == CONST + " float c[9];");
    CHECK(rewritten("static __device__ __constant__ float2 c;") == "static  " + CONST + " float2 c;");
    CHECK(rewritten("__constant__ __device__ float2 c;") == CONST + "  float2 c;");
    CHECK(rewritten("extern __constant__ float c[];") == "extern " + CONST + " float c[];");
    CHECK(rewritten("__device__ v<int, 3> n{1};") == DEV + " v<int, 3> n{1};");
    CHECK(rewritten("__device__ float (*table[4])(float) = {f};") ==
          DEV + " float (*table[4])(float) = {f};");
    CHECK(rewritten("alignas(16) __device__ float a[4];") == "alignas(16) " + DEV + " float a[4];");
    CHECK(rewritten("inline __device__ int n;") == "__attribute__((weak)) " + DEV + " int n;");
    CHECK(rewritten("__device__ const char* text = \"a\";") == DEV + " const char* text = \"a\";");
    SUBCASE("what the compiler knows stays a constant") {
        CHECK(rewritten("constexpr __device__ int n = 3;") == "constexpr  int n = 3;");
        CHECK(rewritten("__constant__ const int n = 3;") == " const int n = 3;");
    }
    SUBCASE("const arrays lose their const, so that reads of them are counted") {
        CHECK(rewritten("__constant__ const float c[2] = {1, 2};") == CONST + " static float c[2] = {1, 2};");
        CHECK(rewritten("static const __constant__ float c[2] = {1, 2};") ==
              "static  " + CONST + " float c[2] = {1, 2};");
        CHECK(rewritten("extern const __constant__ float c[2];\nconst __constant__ float c[2] = {1, 2};") ==
              "extern  " + CONST + " float c[2];\n " + CONST + " float c[2] = {1, 2};");
    }
    SUBCASE("functions do not") {
        CHECK(rewritten("__device__ float f(float x);") == " float f(float x);");
        CHECK(rewritten("struct S { __device__ S(int) : a{1} {} __device__ ~S() {} int a; };") ==
              "struct S {  S(int) : a{1} {}  ~S() {} int a; };");
        CHECK(rewritten("struct S { __device__ operator float() const; __device__ S& operator=(const S&) = "
                        "default; };") ==
              "struct S {  operator float() const;  S& operator=(const S&) = default; };");
        CHECK(rewritten("template <class T, int N = 3> __device__ auto f(T) -> T;") ==
              "template <class T, int N = 3>  auto f(T) -> T;");
    }
}

TEST_CASE("static shared variables are thread-local and limited") {
    const auto has_none = [](const std::string& name) {
        return " static_assert(__has_trivial_constructor(decltype(" + name + ")), " + CONSTRUCTOR;
    };
    const auto mark = [](const std::string& name) {
        return ", simt_guard_" + name + "[0] __attribute__((used, unused))";
    };
    const auto limit = [](const std::string& sum) {
        return " static_assert(48 * 1024 >= " + sum + ", " + TOO_LARGE;
    };
    CHECK(in_device("__shared__ float a[4][4];") ==
          "static __thread float a[4][4]" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    CHECK(in_device("static __shared__ volatile int a;") ==
          " static __thread volatile int a" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    CHECK(in_device("unsigned __shared__ int a;") ==
          "unsigned static __thread int a" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    CHECK(in_device("__shared__ T a[N], b, *c;") ==
          "static __thread T a[N]" + mark("a") + ", b" + mark("b") + ", *c" + mark("c") + ";" +
              has_none("a") + has_none("b") + has_none("c") + limit("sizeof(a) + sizeof(b) + sizeof(c)"));
    CHECK(in_device("__shared__ p<1, 2> a[N < 3 ? 1 : 2];") ==
          "static __thread p<1, 2> a[N < 3 ? 1 : 2]" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    CHECK(in_device("__shared__ alignas(T) float a[2];") ==
          "alignas(T) static __thread  float a[2]" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    CHECK(in_device("__shared__ __align__(16) float a[2];") ==
          "static __thread __attribute__((aligned(16))) float a[2]" + mark("a") + ";" + has_none("a") +
              limit("sizeof(a)"));
    CHECK(in_device("__shared__ union alignas(8) { int i; float f; } a;") ==
          "static __thread union alignas(8) { int i; float f; } a" + mark("a") + ";" + has_none("a") +
              limit("sizeof(a)"));
    CHECK(in_device("__shared__ struct s a;") ==
          "static __thread struct s a" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    CHECK(in_device("__shared__ float (*a)[4];") ==
          "static __thread float (*a)[4]" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
    SUBCASE("the limit counts every variable that is in sight") {
        CHECK(in_device("__shared__ int a; { __shared__ int b; } __shared__ int c;") ==
              "static __thread int a" + mark("a") + ";" + has_none("a") + limit("sizeof(a)") +
                  " { static __thread int b" + mark("b") + ";" + has_none("b") +
                  limit("sizeof(a) + sizeof(b)") + " } static __thread int c" + mark("c") + ";" +
                  has_none("c") + limit("sizeof(a) + sizeof(c)"));
    }
}

TEST_CASE("variables of an inspected build have unused memory around them") {
    const auto around = [](const std::string& text, const std::string& name) {
        const std::string out = rewritten("__device__ void f() { " + text + " }", true);
        const std::string end = " static_assert(__has_trivial_constructor(decltype(" + name;
        const size_t begin = std::string(" void f() { ").size();
        return out.substr(begin, out.find(end) - begin);
    };
    const std::string USED = " __attribute__((used, unused))";
    const auto after = [&](const std::string& name) {
        return ", simt_guard_" + name + "[::simt::guard_elements<decltype(" + name + ")>]" + USED;
    };
    const auto before = [&](const std::string& name) {
        return "static __thread char simt_guard_before_" + name + "[512]" + USED + "; ";
    };
    CHECK(around("__shared__ float a[4];", "a") ==
          before("a") + "static __thread float a[4]" + after("a") + ";");
    CHECK(around("__shared__ alignas(16) T a[N], *b;", "a") ==
          before("a") + "alignas(16) static __thread  T a[N]" + after("a") + ", *b" + after("b") + ";");
    CHECK(around("extern __shared__ float a[];", "a") ==
          "  float (&a)[] = *reinterpret_cast<float(*)[]>(::simt_dynsmem); }");

    const auto has_guards = [](const std::string& text) {
        return rewritten(text, true).find("simt_guard_") != std::string::npos;
    };
    CHECK(rewritten("__device__ int n;", true) ==
          "static char simt_guard_before_4[512] __attribute__((section(\"simt_dev\"), used)); "
          "__attribute__((section(\"simt_dev\"))) int n; "
          "static char simt_guard_4[512] __attribute__((section(\"simt_dev\"), used));");
    CHECK(has_guards("namespace a::b { extern \"C\" { __constant__ float c[2] = {1, 2}; } }"));
    CHECK(!has_guards("extern __constant__ float c[];"));
    CHECK(!has_guards("struct S { static __device__ int n; };"));
}

TEST_CASE("dynamic shared arrays are the backend's one array") {
    CHECK(in_device("extern __shared__ float a[];") ==
          "  float (&a)[] = *reinterpret_cast<float(*)[]>(::simt_dynsmem);");
    CHECK(
        in_device("extern __shared__ volatile p<1, 2> a[][33];") ==
        "  volatile p<1, 2> (&a)[][33] = *reinterpret_cast<volatile p < 1 , 2 >(*)[][33]>(::simt_dynsmem);");
    CHECK(in_device("__shared__ extern __align__(16) unsigned char a[];") ==
          "   unsigned char (&a)[] = *reinterpret_cast<unsigned char(*)[]>(::simt_dynsmem);");
    CHECK(in_device("extern __shared__ T a[], b[];") ==
          "  T (&a)[] = *reinterpret_cast<T(*)[]>(::simt_dynsmem), (&b)[] = "
          "*reinterpret_cast<T(*)[]>(::simt_dynsmem);");
    CHECK(rewritten("extern __shared__ float a[], b[];") ==
          " extern __thread float a[] __asm__(\"simt_dynsmem\"), b[] __asm__(\"simt_dynsmem\");");
}

TEST_CASE("loops unroll in the plain build only") {
    const std::string loop = "\nfor (;;) {}\n";
    CHECK(rewritten("#pragma unroll" + loop) == "#pragma GCC unroll 16" + loop);
    CHECK(rewritten("  #pragma unroll 4" + loop) == "#pragma GCC unroll 4" + loop);
    CHECK(rewritten("#pragma unroll(8)" + loop) == "#pragma GCC unroll 8" + loop);
    CHECK(rewritten("#pragma unroll N" + loop) == "#pragma GCC unroll 16" + loop);
    CHECK(rewritten("#pragma unroll\nx = 3;\n") == "\nx = 3;\n");
    CHECK(rewritten("#pragma unroll 4" + loop, true) == loop);
}

TEST_CASE("what follows an edit keeps its line and column") {
    const rewrite::result done =
        rewrite::rewrite_text("# 1 \"a.cu\"\n__device__ int f();\n  __global__ void k();\n", {});
    CHECK(done.text ==
          "# 1 \"a.cu\"\n           int f();\n  __attribute__((noinline,noclone)) \n# 2 \"a.cu\"\n           "
          "  void k();\n");
}

TEST_CASE("refused: what only a GPU can run") {
    CHECK(problems("\n__device__ void f() { asm volatile(\"mov\"); }") ==
          "2: inline PTX runs on a GPU only: build with BACKEND=gpu, or keep it behind #ifdef __CUDA_ARCH__ "
          "with a "
          "portable twin");
    CHECK(problems("__global__ void k(__half* o) {}") ==
          "1: 16-bit floating point runs on a GPU only: build with BACKEND=gpu, or store float");
    CHECK(problems("texture<float, 2> t;") ==
          "1: texture references are gone since CUDA 12: use a cudaTextureObject_t and tex2D<float>(object, "
          "x, y)");
    CHECK(problems("__device__ __managed__ int m;") ==
          "1: __managed__ variables run on a GPU only: declare it __device__ and copy with "
          "cudaMemcpyToSymbol, or build "
          "with BACKEND=gpu");
    CHECK(problems("template <class T> __device__ T v;") ==
          "1: a template of a __device__ variable cannot run on the CPU backend: declare one variable for "
          "each type");
    CHECK(problems(KERNEL + "__global__ void m(int* o) { k<<<1, 2>>>(o); }") ==
          "2: launching a kernel from device code runs on a GPU only: launch it from the host");
}

TEST_CASE("refused: launches that are not whole") {
    const auto in_host = [](const std::string& text) {
        return problems(KERNEL + "void f() {\n" + text + "\n}");
    };
    CHECK(in_host("k<<<1, 2(o);") == "3: <<< without >>>: write kernel<<<grid, block>>>(arguments)");
    CHECK(in_host("k<<<1, 2>>(o);\nk<<<1, 2>>>(o);") ==
          "3: <<< without >>>: write kernel<<<grid, block>>>(arguments)");
    CHECK(in_host("k<<<1, 2>>>;") ==
          "3: the >>> of a launch has no arguments after it: write kernel<<<grid, block>>>(arguments), with "
          "() if there "
          "are none");
    CHECK(in_host("k<<<1>>>(o);") ==
          "3: a launch has 1 value in <<< >>>: it takes <<<grid, block>>>, then bytes of shared memory and a "
          "stream if wanted");
    CHECK(in_host("k<<<1, 2, 3, 4, 5>>>(o);").substr(0, 22) == "3: a launch has 5 valu");
    CHECK(in_host("x = <<<1, 2>>>(o);") ==
          "3: <<< stands after something that is no kernel: write kernel<<<grid, block>>>(arguments)");
}

TEST_CASE("refused: what nvcc would not compile") {
    CHECK(problems("__global__ int k() {}") ==
          "1: kernel k returns a value: make it void and write to global memory");
    CHECK(problems("struct S { __global__ void k(); };") ==
          "1: kernel k is a member of a class: move it out of the class");
    CHECK(
        problems("__global__ void k() {\n __shared__ int a, s = 0; }") ==
        "2: __shared__ s has a value: declare it without one, assign in the kernel and call __syncthreads()");
    CHECK(problems("__global__ void k() { extern __shared__ float s; }") ==
          "1: extern __shared__ s is no array: write extern __shared__ float s[];");
    CHECK(problems(KERNEL + "void f() { k(o); }") ==
          "2: k is a kernel: launch it with k<<<grid, block>>>(arguments)");
    CHECK(problems("int h(int);\n__global__ void k(int* o) { o[0] = 2 * h(1); }") ==
          "2: device code calls the host function h: mark h __device__");
    CHECK(problems("__device__ int d(int);\nint f() { return d(1); }") ==
          "2: host code calls the device function d: mark d __host__ __device__");
    CHECK(problems("int h(int);\nvoid f() { auto g = [=] __device__ (int a) { return h(a); }; }") ==
          "2: device code calls the host function h: mark h __device__");
    const std::string constexpr_call =
        "2: device code calls the constexpr host function c, which nvcc refuses: mark c __host__ __device__";
    CHECK(problems("constexpr int c(int);\n__global__ void k() { c(1); }") == constexpr_call);
    CHECK(problems("template <int N> constexpr int c() { return N; }\n"
                   "__device__ void f() { __shared__ int s[c<2>()]; }") == constexpr_call);
    CHECK(problems("constexpr int c(int);\nvoid f() { auto g = [=] __device__ (int a) { return c(a); }; }") ==
          constexpr_call);
    CHECK(problems("constexpr __device__ int d(int);\nint f() { return d(1); }") ==
          "2: host code calls the device function d: mark d __host__ __device__");
    CHECK(problems("__global__ void k(int* o) {\n o[0] = std::max(o[1], 2);\n float f = ::std::clamp(f, 0.f, "
                   "1.f); }") ==
          "2: device code calls the host function std::max: call max without std::\n"
          "3: device code calls the host function std::clamp: call min(max(x, low), high) without std::");
    CHECK(problems("__global__ void k(float* o) { o[0] = std::numeric_limits<float>::max(); }") ==
          "1: device code calls the host function std::numeric_limits<>::max: use INFINITY, FLT_MAX and the "
          "like, or a constant from outside");
    CHECK(problems(KERNEL + "struct S { int a; S() : a{1} { k(o); } };") ==
          "2: k is a kernel: launch it with k<<<grid, block>>>(arguments)");
    SUBCASE("but these are right") {
        CHECK(problems("struct A { int h(int); };\nstruct B : C { __device__ int g() { return h(1); } };") ==
              "");
        CHECK(problems(
                  "__device__ int d(int);\nvoid f() { auto g = [=] __device__ (int a) { return d(a); }; }") ==
              "");
        CHECK(problems("int d(int);\n__device__ int d(int, int);\n__global__ void k() { d(1, 2); }") == "");
        CHECK(problems("consteval int c(int);\n__global__ void k() { c(1); }") == "");
        CHECK(problems("constexpr int c(int);\nvoid f() { k<c(3)><<<c(1), 2>>>(c(4)); }\n"
                       "template <int N = c(2)> __global__ void k(int) { int c[2]; c[0] = N; }") == "");
        CHECK(problems("__host__ __device__ constexpr int c(int);\nint a[c(1)];\n"
                       "__global__ void k() { c(1); }\nvoid f() { c(1); }") == "");
        CHECK(problems("constexpr int c(int);\n__device__ int c(float);\n__global__ void k() { c(1); }") ==
              "");
        CHECK(problems("constexpr int c(int);\n__host__ __device__ int d() { return c(1); }") == "");
        CHECK(
            problems("__global__ void k(float* o) { o[0] = std::sqrt(o[1]) + cuda::std::max(1.f, o[2]); }") ==
            "");
        CHECK(problems("__global__ void k(int* o) { o[0] = std::numeric_limits<int>::digits; }\n"
                       "float f() { return std::numeric_limits<float>::max(); }") == "");
        CHECK(problems("void f(int a) { a = std::max(a, 2); }\n"
                       "__host__ __device__ void g(int a) { a = std::max(a, 2); }") == "");
        CHECK(problems("static_assert(sizeof(int) > 2);\n__global__ void k() { static_assert(1 < 2); }") ==
              "");
        CHECK(problems(
                  "int h(int);\n__global__ void k() { auto h = [](int) {}; h(1); S s; s.h(1); n::h(1); }") ==
              "");
        CHECK(problems("void conv(int);\n__global__ void conv(float* o) {}\nvoid f() { conv(1); }") == "");
        CHECK(problems("void k();\n__global__ void k(int* o);\nvoid k() { k<<<1, 2>>>(o); }") == "");
    }
}

TEST_CASE("problems come with the file and line of the marker") {
    const rewrite::result done =
        rewrite::rewrite_text("# 1 \"a.cu\"\n\n# 40 \"dir/b.cuh\" 1\n\nasm(\"\");\n", {});
    REQUIRE(done.problems.size() == 1);
    CHECK(done.problems[0].file == "dir/b.cuh");
    CHECK(done.problems[0].line == 41);
    CHECK(done.text == "");
}

TEST_CASE("broken text ends without a crash") {
    for (const std::string text : {"",
                                   "#",
                                   "# 1",
                                   "# 1 \"a",
                                   "\"",
                                   "'",
                                   "R\"(",
                                   "R\"",
                                   "/*",
                                   "//",
                                   "k<<<",
                                   "<<<",
                                   "k<<<1,2>>>",
                                   "__shared__",
                                   "__shared__ (",
                                   "extern __shared__",
                                   "__global__",
                                   "__global__ void",
                                   "__global__ void k(",
                                   "template <",
                                   "template < class",
                                   "template < class = >",
                                   "operator",
                                   "{",
                                   "}",
                                   "(",
                                   ")",
                                   "[",
                                   "a<",
                                   "__device__",
                                   "__constant__ alignas(",
                                   "__align__",
                                   "__launch_bounds__(",
                                   "void f() { k<<<",
                                   ">>>",
                                   "#pragma unroll",
                                   "struct {",
                                   "x{1} : y{",
                                   "__device__ operator",
                                   "__device__ int a[",
                                   "void operator()",
                                   "f(int a = ",
                                   "__shared__ struct",
                                   "[] __device__ (",
                                   "asm"}) {
        CAPTURE(text);
        rewrite::rewrite_text(text, {});
        rewrite::rewrite_text("void f() {" + text, {});
        rewrite::rewrite_text("__global__ void f(" + text + ") {" + text + "}", {});
    }
}
