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
    const rewrite::result done =
        rewrite::rewrite_text(text, {.inspected = inspected, .realign = false, .marked = false});
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
std::string problems(const std::string& text, const rewrite::options& how = {}) {
    std::string all;
    for (const rewrite::problem& p : rewrite::rewrite_text(text, how).problems) {
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
    CHECK(statement("k << <1, 2 >> >(o);") == "::simt::prepare(k , ::simt::launch_config( 1, 2 )) (o);");
    CHECK(statement("k< <<1, 2>> > (o);") == "::simt::prepare(k, ::simt::launch_config( 1, 2))  (o);");
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

TEST_CASE("memory that kernels ask for comes from the heap") {
    CHECK(in_device("p = (int*)malloc(4); free(p);") ==
          "p = (int*)::simt::heap_malloc(4); ::simt::heap_free(p);");
    CHECK(in_device("p = std::malloc(4); ::free(p);") == "p = ::simt::heap_malloc(4); ::simt::heap_free(p);");
    CHECK(in_device("p = new int[4]; delete[] p;") ==
          "p = new (::simt::on_heap) int[4]; ::simt::heap_array() %  p;");
    CHECK(in_device("delete a->b;") == "::simt::heap_object() %  a->b;");
    const auto stays = [](const std::string& text) { CHECK(in_device(text) == text); };
    stays("new (place) thing(1);");
    stays("pool.free(p); pool->malloc(4); my::malloc(4);");
    unchanged("struct s { s(const s&) = delete; };\nvoid host() { free(malloc(4)); delete new int; }\n");
}

TEST_CASE("lanes meet at accesses to shared memory that no barrier parts") {
    const auto meetings_in = [](const std::string& function, bool judged = false) {
        const std::string out = rewrite::rewrite_text(function, {.judged = judged, .marked = false}).text;
        REQUIRE(out != "");
        int found = 0;
        for (size_t at = 0; (at = out.find("_step(", at)) != std::string::npos; at++)
            found++;
        return found;
    };
    // Of a text with a shared array s, a shared number n and what is declared in the text: how often they meet.
    const auto meetings = [&](const std::string& text, bool judged = false) {
        return meetings_in("__global__ void k() {\n__shared__ float s[64], n;\n" + text + "\n}\n", judged);
    };
    SUBCASE("not where barriers part them, or nothing is read and written") {
        CHECK(meetings("s[t] = a[t]; __syncthreads(); b[t] = s[t + 1]; __syncthreads(); s[t] = 0;") == 0);
        CHECK(meetings("s[t] = a[t]; __syncwarp(); b[t] = s[t + 1];") == 0);
        CHECK(meetings("s[t] = a[t]; cg::sync(cta); b[t] = s[t + 1];") == 0);
        CHECK(meetings("s[t] = a[t]; x = __shfl_sync(~0u, x, 0); b[t] = s[t + 1];") == 0);
        CHECK(meetings("for (int k = 32; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); }") ==
              0);
        CHECK(meetings("for (;;) { s[t] = 1; __syncthreads(); x += s[0]; __syncthreads(); }") == 0);
        CHECK(meetings(
                  "for (;;) { __syncthreads(); if (t < k) { x = s[t + k]; if (x < s[t]) s[t] = x; } }") == 0);
        CHECK(meetings("s[t] = 0; __syncthreads(); if (t < k) s[t] = x = x + s[t + k]; __syncthreads();") ==
              0);
        CHECK(meetings("const int t = threadIdx.x; s[t] = 1; for (;;) s[t] += 2; x = s[t];") ==
              0);  // its own
        CHECK(meetings(
                  "auto t = cta.thread_rank(); s[t + 1] = 1; x = s[t + 1]; if (t == 3 && x) s[t + 1]++;") ==
              0);
        CHECK(meetings("s[threadIdx.x] = 1; if (!threadIdx.x) x = s[0]; if (threadIdx.x == 5) x = s[5];") ==
              0);
        CHECK(meetings("s[t] = 1; s[t + 32] = 2; n = 3;") == 0);
        CHECK(meetings("x = s[t]; y = s[t + 1] + n;") == 0);
        CHECK(meetings("s[t] = 1; atomicAdd(&s[0], 1); f(s, &n); x = other.s[3] + size->n;") == 0);
        CHECK(meetings("int* p = a; p[t] = 1; x = p[t + 1];") == 0);
    }
    SUBCASE("after a write, before a write, and at the end of a loop") {
        CHECK(meetings("s[t] = 1; x = s[t + 1];") == 1);
        CHECK(meetings("s[t] = 1; x = s[t + 1]; y = s[t + 2];") == 1);
        CHECK(meetings("x = s[t]; s[t] = 1;") == 1);
        CHECK(
            meetings(
                "s[t] = 1; __syncwarp(); s[t] += s[t ^ 8]; __syncwarp(); s[t] += s[t - 1]; __syncwarp();") ==
            2);
        CHECK(meetings("n = 1; x = n;") == 1);
        CHECK(meetings("x = s[t]; __syncthreads(); s[i[t]] = s[t]; __syncthreads();") == 1);
        CHECK(meetings("int t = threadIdx.x; for (;; t++) s[t] += 2;") == 2);
        CHECK(meetings("int t = threadIdx.x / 32; s[t] = 2; x = s[t];") == 1);
        CHECK(meetings("int t = threadIdx.x, r = threadIdx.y; s[t] = 2; x = s[t];") == 1);
        CHECK(meetings("int t = threadIdx.x; s[t] = 2; if (t == 0) x = s[0] + s[1]; if (t == 1) x = s[0];") ==
              2);
        CHECK(meetings("s[t] += s[t + 1];") == 1);
        CHECK(meetings("s[t] += s[t + 2]; s[t] += s[t + 1];") == 3);
        CHECK(meetings("x = s[t + 1]; s[t]++;") == 1);
        CHECK(meetings("x = s[t + 1]; --s[t];") == 1);
        CHECK(meetings("x = s[t + 1]; s[t] <<= 1;") == 1);
        CHECK(meetings("for (;;) { s[t] = 1; x = s[t + 1]; }") == 3);  // and again
        CHECK(meetings("for (;;) s[t] = x + s[t + 1];") == 3);
    }
    SUBCASE("not where lanes go on by blocks, or add the upper half to the lower") {
        const std::string loop = "for (int i = threadIdx.x; i < k; i += blockDim.x) ";
        CHECK(meetings(loop + "s[i] = 1; " + loop + "x = s[i];") == 0);
        CHECK(meetings("for (int i = threadIdx.x; i < k; i += 32) s[i] = 1; " + loop + "x = s[i];") == 2);
        CHECK(meetings(loop + "s[i] = 1; for (int i = 0; i < 4; i++) x = s[i];") == 2);
        CHECK(meetings(loop + "s[i] += s[k + i]; x = s[k];") == 1);
        CHECK(meetings(loop + "s[i] += s[i + 32];") == 3);
        CHECK(meetings(loop + "{ s[i] += s[k + i]; k++; }") == 3);
        const std::string made = "const int t = threadIdx.x; s[t] = 1; ";
        CHECK(meetings(made + "if (t < k) x = s[t];") == 0);
        CHECK(meetings(made + "if (t < k) s[t] += s[t + k];") == 1);
        CHECK(meetings(made + "__syncthreads(); if (t < k) s[t] += s[t + k]; if (t == 0) x = s[0];") == 0);
        CHECK(meetings(made + "__syncthreads(); if (t < k || x) { s[t] += s[t + k]; x = s[k]; }") == 2);
        CHECK(meetings(made + "for (int k = 32; k > 0; k /= 2) if (t < k) s[t] += s[t + k];") == 3);
    }
    SUBCASE("what a function with barriers gets may be shared memory") {
        const std::string butterfly = "{ s[t] += s[t ^ 8]; __syncwarp(); s[t] += s[t ^ 4]; }";
        CHECK(meetings_in("__device__ void f(float* s, int t) " + butterfly) == 2);
        CHECK(meetings_in("__device__ void f(int t, float* __restrict__ s) " + butterfly) == 2);
        CHECK(meetings_in("__device__ void f(float s[], int t) " + butterfly) == 2);
        CHECK(meetings_in("__device__ void f(float* s, int t) " + butterfly, true) == 0);  // a lab's
        CHECK(meetings_in("__global__ void f(float* s, int t) " + butterfly) == 0);        // global memory
        CHECK(meetings_in("__device__ void f(float* s, int t) { s[t] += s[t ^ 8]; }") == 0);
    }
    SUBCASE("what is under a condition may not have happened") {
        CHECK(meetings("s[t] = 1; if (t) x = s[t]; y = s[t + 1];") == 2);
        CHECK(meetings("s[t] = 1; x = t ? s[t] : 0; y = s[t + 1];") == 2);
        CHECK(meetings("s[t] = 1; if (t && s[0]) y = s[t + 1];") == 2);
        CHECK(meetings("if (t) s[t] = 1; else n = 2; y = s[t + 1] + n;") == 2);
    }
    SUBCASE("pointers into shared memory, and volatile ones") {
        CHECK(meetings("float* p = &s[t]; p[0] = 1; x = s[3];") == 1);
        CHECK(meetings("float* p = s + t; *p = 1; x = *(p + 1); y = *p;") == 1);
        CHECK(meetings("float* p = &s[threadIdx.x * 2]; p[0] = 1; x = p[1]; p[1] = x + p[0];") ==
              0);  // a part of its own
        CHECK(meetings("int t = threadIdx.x; float *p = s + t * 9, *q = s + t; q[9] = 1; x = p[1];") == 1);
        CHECK(meetings("volatile float* v = s; v[t] = v[t + 1]; x = *v; f(v);") == 3);
        CHECK(meetings("volatile float* v = s; v[t] = v[t + 1];", true) == 2);
        CHECK(meetings("s[t] = 1; x = s[t + 1];", true) == 0);  // a lab's
    }
    SUBCASE("calls are put around whole values and whole statements") {
        const auto rewritten_in = [](const std::string& text) {
            const std::string kernel = "__global__ void k() {\n__shared__ float s[64];\n" + text + "\n}\n";
            return rewrite::rewrite_text(kernel, {.realign = false, .marked = false}).text;
        };
        const auto has = [&](const std::string& text, const std::string& part) {
            CHECK_MESSAGE(rewritten_in(text).find(part) != std::string::npos, rewritten_in(text));
        };
        has("s[i] = x > 0 ? s[1] : s[2];", ", s[i] , x > 0 ? s[1] : s[2]);");
        has("x ? s[i] = s[1] : 0;", ", s[i] , s[1]) : 0;");
        has("s[i] = sum<int, 2>(s[1]), x = 1;", ", s[i] , sum<int, 2>(s[1])), x = 1;");
        has("s[i] -= s[i ^ 8] + 1, x = 2;", ", s[i]) -= ::simt::read_now(s[i ^ 8] + 1), x = 2;");
        has("for (;;) if (x) s[i] = 1; else y = s[j];", ") { if (x) ");
        has("for (;;) if (x) { s[i] = 1; } else { y = s[j]; }", "; } ::simt::end_step(");
        CHECK(rewritten_in("do { s[i] = 1; x = s[j]; } while (s[k] > 0);").ends_with("> 0);\n}\n"));
    }
    const auto text = [](const std::string& statement) {
        return in_device("volatile float* v = a; " + statement).substr(23);
    };
    CHECK(text("v[t] += v[t + 1];").starts_with("::simt::in_step("));
    CHECK(text("x = v[t].y;").ends_with(", v[t]).y;"));
    const std::string assigned =
        rewrite::rewrite_text("__global__ void k() {\n__shared__ p s[2];\ns[t] = f(s[1], 2), x = 3;\n}\n",
                              {.realign = false, .marked = false})
            .text;
    CHECK(assigned.find(", s[t] , f(s[1], 2)), x = 3;") != std::string::npos);
}

TEST_CASE("loops that may wait for another thread let it run") {
    CHECK(in_device("while (*p == 0) ;") == "while ( ::simt::spin() && (*p == 0)) ;");
    CHECK(in_device("while (atomicCAS(l, 0, 1) != 0) {}") ==
          "while ( ::simt::spin() && (atomicCAS(l, 0, 1) != 0)) {}");
    CHECK(in_device("do { if (x) break; } while (f());") ==
          "do { if (x) break; } while ( ::simt::spin() && (f()));");
    CHECK(in_device("for (;;) { if (f()) break; }") == "for (;; ::simt::spin()) { if (f()) break; }");
    CHECK(in_device("for (; *p == 0; n++) ;") == "for (; *p == 0; n++, ::simt::spin()) ;");
    CHECK(in_device("volatile int n; while (true) { x = n; if (x) break; }") ==
          "volatile int n; while ( ::simt::spin() && (true)) { x = n; if (x) break; }");
    const auto stays = [](const std::string& text) { CHECK(in_device(text) == text); };
    stays("while (x < n) x += 32;");
    stays("while (x < n) { f(x); x++; }");
    stays("while (int more = f()) ;");
    stays("do { x = y; } while (x < n);");
    stays("for (int i = 0; i < n; i++) f(i);");
    stays("for (;;) { if (++x > n) break; }");
    stays("for (int x : all) ;");
    unchanged("void host() { while (*p == 0) ; }\n");
}

TEST_CASE("what a parameter would spoil moves into the call") {
    const auto launched = [](const std::string& arguments) {
        const std::string kernel = "__global__ void k(int* o, size s, int n = 1);\n";
        const std::string out = rewritten(kernel + "void f() { k<<<1, 2>>>(" + arguments + "); }");
        const size_t begin = out.find("[=](");
        return out.substr(begin, out.size() - begin - 3);
    };
    const std::string unseen = " __attribute__((no_sanitize_thread)) { ",
                      launch = "; }, ::simt::launch_config(1, 2))";
    CHECK(launched("o, 0, 3") ==
          "[=](auto simt_0, auto, auto simt_2)" + unseen + "k(simt_0, 0, simt_2)" + launch + "(o, 0, 3)");
    CHECK(launched("__null, {}") == "[=](auto, auto)" + unseen + "k(__null, {})" + launch + "(0, 0)");
    CHECK(launched("o, {W, n.w}") ==
          "[=](auto simt_0, auto, auto simt_2)" + unseen + "k(simt_0, {W, simt_2})" + launch + "(o, 0, n.w)");
    CHECK(launched("o, {.w = a(1, 2), .h = 3}") == "[=](auto simt_0, auto simt_1, auto)" + unseen +
                                                       "k(simt_0, {.w = simt_1, .h = 3})" + launch +
                                                       "(o,   a(1, 2),   0)");
    CHECK(launched("a...") == "[=](auto... simt_a)" + unseen + "k(simt_a...)" + launch + "(a...)");
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
        "# 1 \"a.cu\"\n# 1 \"/usr/include/x.h\" 1 3 4\nasm texture<float> t; { k<<<1>>>\n# 2 "
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

TEST_CASE("a system header's functions are host's and device's alike") {
    // Thrust's, for one. (Of C, too, whose declarations are marked elsewhere.)
    for (const char* flags : {" 1 3", " 1 3 4"}) {
        const std::string marker = std::string("# 1 \"/usr/include/x.h\"") + flags + "\n",
                          back = "# 2 \"a.cu\" 2\nint x;\n";
        const std::string text =
            marker + "__forceinline__ __host__ __device__ int f();\nint my__device__;\n__device__\n" + back;
        CHECK(rewritten(text) == marker + "   int f();\nint my__device__;\n\n" + back);
    }
}

TEST_CASE("a macro of a system header may hold a launch") {
    CHECK(rewritten("# 1 \"a.cu\"\n" + KERNEL +
                    "void f() {\n# 2 \"a.cu\" 3 4\nk<<<1, 2>>>(o)\n# 2 \"a.cu\"\n; }\n") ==
          "# 1 \"a.cu\"\n" + KERNEL_OUT +
              "void f() {\n# 2 \"a.cu\" 3 4\n::simt::prepare(k, ::simt::launch_config(1, 2))(o)\n# 2 "
              "\"a.cu\"\n; }\n");
}

TEST_CASE("specifiers of functions and types") {
    CHECK(rewritten("__global__ void __launch_bounds__(f<1, 2>(3), 2) k() {}") ==
          "__attribute__((noinline,noclone)) void    k() { ::simt::mark_kernel<size_t(f<1, 2>(3))>();}");
    CHECK(rewritten("template <bool B> __global__ void __launch_bounds__(B ? 64\n : 128) k() {}") ==
          "template <bool B> __attribute__((noinline,noclone)) void   \n   k() { "
          "::simt::mark_kernel<size_t(B ? 64 "
          ": 128)>();}");
    CHECK(rewritten("__global__ void k() {}") ==
          "__attribute__((noinline,noclone)) void k() { ::simt::mark_kernel();}");
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
          "__attribute__((noinline,noclone)) void k(const  P p) { ::simt::mark_kernel();}");
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
    CHECK(rewritten("static struct alignas(16) { int a; } __constant__ c, d[2];") ==
          CONST + " static struct alignas(16) { int a; }  c, d[2];");
    CHECK(rewritten("struct s : b { int a; } __device__ n = {1};") ==
          DEV + " struct s : b { int a; }  n = {1};");
    CHECK(rewritten("enum class e : int { A } __device__ n;") == DEV + " enum class e : int { A }  n;");
    CHECK(rewritten("struct s f() { return {}; } __device__ int n;") ==
          "struct s f() { return {}; } " + DEV + " int n;");
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
        return "{}, *simt_guard_" + name + "[0] __attribute__((used, unused))";
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
    CHECK(in_device("struct { int i; } __shared__ a;") ==
          "struct { int i; } static __thread a" + mark("a") + ";" + has_none("a") + limit("sizeof(a)"));
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
        return "{}, *simt_guard_" + name + "[512 / sizeof(void*)]" + USED;
    };
    const auto before = [&](const std::string& name) {
        return "static __thread char simt_guard_before_" + name + "[512]" + USED + "; ";
    };
    CHECK(around("__shared__ float a[4];", "a") ==
          before("a") + "static __thread float a[4]" + after("a") + ";");
    CHECK(around("__shared__ alignas(16) T a[N], *b;", "a") ==
          before("a") + "alignas(16) static __thread  T a[N]" + after("a") + ", *b" + after("b") + ";");
    const auto step = [&](const char* number, const char* element) {
        return std::string(" static char simt_step") + number + "_a[sizeof(" + element + ")]" + USED + ";";
    };
    CHECK(around("__shared__ float a[2][H][W + 1];", "a") ==
          before("a") + "static __thread float a[2][H][W + 1]" + after("a") + ";" + step("1", "a[0]") +
              step("2", "a[0][0]") + step("3", "a[0][0][0]"));
    CHECK(rewritten("__constant__ float a[3][5] = {};", true)
              .ends_with(step("1", "a[0]") + step("2", "a[0][0]")));
    CHECK(around("extern __shared__ float a[];", "a") ==
          "[[maybe_unused]] extern float simt_dynamic_a[];   float (&a [[maybe_unused]])[] = "
          "*reinterpret_cast<float(*)[]>(::simt_dynsmem); }");

    const auto has_guards = [](const std::string& text) {
        return rewritten(text, true).find("simt_guard_") != std::string::npos;
    };
    CHECK(rewritten("__device__ int n;", true) ==
          "static char simt_guard_before_4[512] __attribute__((section(\"simt_dev\"), used)); "
          "__attribute__((section(\"simt_dev\"))) int n; "
          "static char simt_guard_4[512] __attribute__((section(\"simt_dev\"), used));");
    for (const char* words : {"__device__ __managed__", "__managed__ __device__", "__managed__"})
        CHECK(rewritten(std::string(words) + " int n;").find("section(\"simt_managed\")") !=
              std::string::npos);
    CHECK(has_guards("namespace a::b { extern \"C\" { __constant__ float c[2] = {1, 2}; } }"));
    CHECK(!has_guards("extern __constant__ float c[];"));
}

TEST_CASE("dynamic shared arrays are the backend's one array") {
    const auto seen = [](const std::string& array) { return "[[maybe_unused]] extern " + array + "; "; };
    CHECK(in_device("extern __shared__ float a[];") ==
          seen("float simt_dynamic_a[]") +
              "  float (&a [[maybe_unused]])[] = *reinterpret_cast<float(*)[]>(::simt_dynsmem);");
    CHECK(in_device("extern __shared__ volatile p<1, 2> a[][33];") ==
          seen("volatile p < 1 , 2 > simt_dynamic_a[][33]") +
              "  volatile p<1, 2> (&a [[maybe_unused]])[][33] = *reinterpret_cast<volatile p < 1 , 2 "
              ">(*)[][33]>(::simt_dynsmem);");
    CHECK(in_device("__shared__ extern __align__(16) unsigned char a[];") ==
          seen("unsigned char simt_dynamic_a[]") +
              "   unsigned char (&a [[maybe_unused]])[] = *reinterpret_cast<unsigned "
              "char(*)[]>(::simt_dynsmem);");
    CHECK(in_device("extern __shared__ T a[], b[];") ==
          seen("T simt_dynamic_a[]") + seen("T simt_dynamic_b[]") +
              "  T (&a [[maybe_unused]])[] = *reinterpret_cast<T(*)[]>(::simt_dynsmem), (&b "
              "[[maybe_unused]])[] = "
              "*reinterpret_cast<T(*)[]>(::simt_dynsmem);");
    CHECK(rewritten("extern __shared__ float a[], b[];") ==
          " extern __thread float a[] __asm__(\"simt_dynsmem\"), b[] __asm__(\"simt_dynsmem\");");
}

TEST_CASE("lambdas that copy what they use copy no dynamic shared array") {
    const std::string array = "extern __shared__ float a[];",
                      rewritten_array =
                          "[[maybe_unused]] extern float simt_dynamic_a[];   float (&a [[maybe_unused]])[] = "
                          "*reinterpret_cast<float(*)[]>(::simt_dynsmem);";
    CHECK(in_device(array + " auto f = [=](int i) { return a[i]; };") ==
          rewritten_array + " auto f = [=, &a](int i) { return a[i]; };");
    CHECK(in_device(array + " auto f = [=, this] { return [=] { return a[1]; }; };") ==
          rewritten_array + " auto f = [=, &a, this] { return [=, &a] { return a[1]; }; };");
    for (const std::string other :
         {"[=](int i) { return i; }", "[&] { return a[0]; }", "[](float* a) { return a[0]; }"})
        CHECK(in_device(array + " auto f = " + other + ";") == rewritten_array + " auto f = " + other + ";");
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

TEST_CASE("members in inspected device code name their object") {
    const auto inspected = [](const std::string& statement) {
        const std::string out = rewritten("__device__ void f() {\n" + statement + "\n}\n", true);
        return out.substr(12, out.size() - 15);
    };
    const auto path = [](const std::string& variable, const std::string& way) {
        return ", ::simt::path<" + variable + ", ::simt::way::" + way + ">())";
    };
    CHECK(inspected("o = a.x;") == "o =  ::simt::whole(a" + path("decltype(a)", "member") + ".x;");
    CHECK(inspected("o = a[i][j + 1].x;") == "o =  ::simt::whole(a[i][::simt::index<decltype(a[i])>(j + 1)]" +
                                                 path("decltype(a)", "element") + ".x;");
    CHECK(inspected("o = a[i].x;") ==
          "o =  ::simt::whole(a[::simt::index<decltype(a)>(i)]" + path("decltype(a)", "element") + ".x;");
    CHECK(inspected("a->x = 1;") == " ::simt::whole_at(a" + path("decltype(a)", "any") + "->x = 1;");
    CHECK(inspected("(*a).x = 1;") == " ::simt::whole((*a)" + path("void", "any") + ".x = 1;");
    CHECK(inspected("o = static_cast<A*>(a)[1].x;") ==
          "o =  ::simt::whole(static_cast<A*>(a)[1]" + path("void", "any") + ".x;");
    CHECK(inspected("o = f(a).x;") == "o =  ::simt::whole(f(a)" + path("void", "any") + ".x;");
    CHECK(inspected("o = a.b.x;") == "o =  ::simt::whole( ::simt::whole(a" + path("decltype(a)", "member") +
                                         ".b" + path("decltype(a)", "member") + ".x;");
    CHECK(inspected("__shared__ A s;\ns.x = 1;").find(path("decltype(s)", "any") + ".x") !=
          std::string::npos);
    for (const std::string text :
         {"o = threadIdx.x;", "A a = {.x = 1};", "o = (float)(a).x;", "o = [] { return a; }().x;",
          "o = N::a.x;", "o = sizeof(a).x;", "o = __builtin_offsetof(A, b.x);"})
        CHECK(inspected(text) == text);
    CHECK(rewritten("void f() { a.x = b[1].y; }\n", true) == "void f() { a.x = b[1].y; }\n");
    CHECK(in_device("o = a[i].x;") == "o = a[i].x;");
}

TEST_CASE("warnings and what belongs to them are left out where only errors are wanted") {
    const std::string text =
        "k.cu: In function 'void f()':\nk.cu:1:2: warning: unused [-Wunused]\n    1 | int i;\n"
        "k.cu:1:3: note: here\nk.cu:2:1: error: 'x' is private\nk.cu:3:1: note: there\n";
    CHECK(rewrite::tidy_messages(text, "").text == text);
    CHECK(rewrite::tidy_messages(text, "", true).text ==
          "k.cu: In function 'void f()':\nk.cu:2:1: error: 'x' is private\nk.cu:3:1: note: there\n");
}

TEST_CASE("messages speak of the object alone") {
    const auto tidy = [](std::string_view text) { return rewrite::tidy_messages(text, "").text; };
    CHECK(tidy("k.cu:1:2: error: request for member 'x' in 'simt::whole<A*, simt::way::any, "
               "A*&>(f<int>(a, 1)->b, simt::path<A*, simt::way::any>())', which\n") ==
          "k.cu:1:2: error: request for member 'x' in 'f<int>(a, 1)->b', which\n");
    CHECK(tidy("k.cu:1:2: error: 'b' was not declared in this scope\n"
               "k.cu:1:9: error: template argument 1 is invalid\n    1 | b[1].x\n"
               "k.cu:2:9: error: template argument 1 is invalid\n") ==
          "k.cu:1:2: error: 'b' was not declared in this scope\n");
    CHECK(tidy("k.cu:2:9: error: template argument 1 is invalid\n") ==
          "k.cu:2:9: error: template argument 1 is invalid\n");
}

TEST_CASE("what follows an edit keeps its line and column") {
    const rewrite::result done = rewrite::rewrite_text(
        "# 1 \"a.cu\"\n__device__ int f();\n  __global__ void k();\n", {.marked = false});
    CHECK(done.text ==
          "# 1 \"a.cu\"\n           int f();\n  __attribute__((noinline,noclone)) \n# 2 \"a.cu\"\n           "
          "  void k();\n");
}

TEST_CASE("what belongs to one side is marked, for g++ to tell who uses it") {
    const auto marked = [](const std::string& text) {
        const rewrite::result done = rewrite::rewrite_text(text, {.realign = false});
        CHECK(done.problems.empty());
        return done.text;
    };
    const auto mark = [](const std::string& what) { return "[[deprecated(\"simt: " + what + "\")]]"; };
    CHECK(marked("int f(int);") == "int f " + mark("host function") + "(int);");
    CHECK(marked("template <class T> constexpr T f() { return {}; }") ==
          "template <class T> constexpr T f " + mark("constexpr function") + "() { return {}; }");
    CHECK(marked("__device__ int f(int);") == " int f " + mark("device function") + "(int);");
    CHECK(marked("__host__ __device__ int f(int);") == "  int f(int);");
    CHECK(marked("struct S { explicit S(int); S() = default; ~S(); int operator()(); };") ==
          "struct S { " + mark("host function") + " explicit S(int); S() = default; " +
              mark("host function") + " ~S(); int operator() " + mark("host function") + "(); };");
    CHECK(marked("const float t[3] = {1, 2, 3}; int *a, b = 3;") ==
          "const float t " + mark("host variable") + "[3] = {1, 2, 3}; int *a " + mark("host variable") +
              ", b " + mark("host variable") + " = 3;");
    CHECK(marked("constexpr int N = 3; struct S { static const int M = 4; int n; };") ==
          "constexpr int N " + mark("host constant") + " = 3; struct S { static const int M " +
              mark("host constant") + " = 4; int n; };");
    CHECK(marked("auto f = [](int a) { return a; };") ==
          "auto f " + mark("host variable") +
              " = [](int a)  __attribute__((deprecated(\"simt: host function\"))) { return a; };");
    const std::string tried = "() try { } catch (int e) { } catch (...) { }";
    CHECK(marked("int f" + tried + " int g();") ==
          "int f " + mark("host function") + tried + " int g " + mark("host function") + "();");
    for (const std::string text :
         {"using T = int;", "typedef int T[3];", "enum { A };", "struct S;", "class C { int n; };",
          "template class v<int>;", "extern \"C\" { }", "consteval int f();", "int main() { }"})
        CHECK(marked(text) == text);
}

TEST_CASE("two readings, with __CUDA_ARCH__ and without, become one") {
    const auto merged = [](const std::string& device, const std::string& host) {
        return rewrite::with_host_bodies("# 1 \"a.cu\"\n" + device, "# 1 \"a.cu\"\n" + host).text;
    };
    const std::string place = "\n# 1 \"a.cu\"\n";
    CHECK(merged("__global__ void k() { a; }", "__global__ void k() { b; }") ==
          "# 1 \"a.cu\"\n__global__ void k() { a; }");
    CHECK(merged("void f() { a; }", "void f() { b; }") == "# 1 \"a.cu\"\nvoid f() " + place +
                                                              std::string(9, ' ') + "{ b; }" + place +
                                                              std::string(14, ' ') + " ");
    CHECK(merged("__device__ void f() { asm(\"\"); }", "__device__ void f() { b; }").find("asm") ==
          std::string::npos);
    const std::string both =
        merged("__host__ __device__ int f() { a; }", "__host__ __device__ int f() { b; }");
    const size_t test = both.find("{ if (::simt::in_kernel()) ");
    CHECK(test < both.find("a;"));
    CHECK(both.find("a;") < both.find(" else "));
    CHECK(both.find(" else ") < both.find("b;"));
}

TEST_CASE("casts to integers in device code are those of a GPU") {
    CHECK(in_device("x = (unsigned char)f[i] + 1;") == "x = ::simt::c_cast<unsigned char>(f[i]) + 1;");
    CHECK(in_device("x = (int)-a.b->c(d)++ * 2;") == "x = ::simt::c_cast<int>(-a.b->c(d)++) * 2;");
    CHECK(in_device("x = (int)(float)(a + b) < c;") == "x = ::simt::c_cast<int>((float)(a + b)) < c;");
    CHECK(in_device("x = (int)tex2D<float>(t, 1, 2);") == "x = ::simt::c_cast<int>(tex2D<float>(t, 1, 2));");
    CHECK(in_device("x = (int)a < b && c > (d);") == "x = ::simt::c_cast<int>(a) < b && c > (d);");
    CHECK(in_device("return int(f) + std::uint8_t(g);") ==
          "return ::simt::c_cast<int>(f) + ::simt::c_cast<std::uint8_t>(g);");
    CHECK(in_device("x = static_cast<short>(f);") == "x = ::simt::cast<short>(f);");
    for (const std::string text :
         {"f(int(float));", "int (*p)(int);", "x = sizeof(int) + n;", "g(int);", "x = (a) - b;",
          "x = (float)n;", "int (y);", "operator int();", "x = static_cast<int*>(p);"})
        CHECK(in_device(text) == text);
    CHECK(statement("x = (int)f;") == "x = (int)f;");
    CHECK(rewritten("template <class T> __device__ T f(float a) { return T(a) + (T)a; }") ==
          "template <class T>  T f(float a) { return ::simt::c_cast<T>(a) + ::simt::c_cast<T>(a); }");
    CHECK(rewritten("typedef unsigned char byte; using word = int; using real = float;\n"
                    "__device__ void f() { x = (byte)a + word(b) + (real)c; }") ==
          "typedef unsigned char byte; using word = int; using real = float;\n"
          " void f() { x = ::simt::c_cast<byte>(a) + ::simt::c_cast<word>(b) + (real)c; }");
    CHECK(rewritten("template <class T> struct S { __device__ T m(float a) { return (T)a; } };") ==
          "template <class T> struct S {  T m(float a) { return ::simt::c_cast<T>(a); } };");
}

TEST_CASE("numbers that become integers without a cast, where the compiler points") {
    /// HERE stands before what g++ points at.
    const auto converted = [](std::string text) {
        text = "__device__ void f() {\n" + text + "\n}\n";
        const size_t here = text.find("@");
        text.erase(here, 1);
        const size_t line = text.rfind('\n', here);
        const std::string message = ":2:" + std::to_string(here - line) +
                                    ": warning: conversion from 'float' to 'int' may change value "
                                    "[-Wfloat-conversion]\n    2 | x\n      | ^\n";
        const std::string preprocessed = "# 1 \"a.cu\"\n" + text;
        const rewrite::tidied seen = rewrite::tidy_messages("a.cu" + message, preprocessed);
        CHECK(seen.text == "");
        REQUIRE(seen.conversions.size() == 1);
        const std::string out =
            rewrite::rewrite_text(preprocessed,
                                  {.realign = false, .marked = false, .conversions = seen.conversions})
                .text;
        const size_t begin = out.find("{\n") + 2;
        return out.substr(begin, out.rfind("\n}") - begin);
    };
    CHECK(converted("int x = @f;") == "int x =  ::simt::converted(f);");
    CHECK(converted("o[i] = a[1] * 2 @+ b(c, d);") == "o[i] =  ::simt::converted(a[1] * 2 + b(c, d));");
    CHECK(converted("g(1, (a @+ b), 2);") == "g(1,  ::simt::converted((a + b)), 2);");
    CHECK(converted("return a > 0 @? a : 1;") == "return  ::simt::converted(a > 0 ? a : 1);");
    CHECK(converted("int x(@f), y = 2;") == "int x( ::simt::converted(f)), y = 2;");
    CHECK(converted("for (int i = @f; i < 3; i++) g();") ==
          "for (int i =  ::simt::converted(f); i < 3; i++) g();");
    CHECK(converted("if (a) p->c[i++] @+= f;") == "if (a)  ::simt::updated(p->c[i++]) += f;");
    CHECK(converted("for (;;) *p @/= f;") == "for (;;)  ::simt::updated(*p) /= f;");
    const auto kept = [](const std::string& message) {
        return rewrite::tidy_messages(
                   "a.cu:1:12: warning: conversion from 'double' to " + message + " [-Wfloat-conversion]\n",
                   "# 1 \"a.cu\"\nvoid f() { x = 3; }")
            .conversions.size();
    };
    CHECK(kept("'int' may change value") == 0);  // on the host
    CHECK(kept("'float' may change value") == 0);
}

TEST_CASE("the host's assembly is the processor's own") {
    unchanged("void f() { asm volatile(\"rdtsc\" : \"=a\"(low), \"=d\"(high)); }\nasm(\".globl x\");\n");
    CHECK(problems("void f() { asm(\"nop\"); }", {.judged = true}) != "");
}

TEST_CASE("who asks for lanes says where") {
    CHECK(in_device("x = __activemask();") != "x = __activemask();");
    CHECK(in_device("g = cg::coalesced_threads();").starts_with("g = cg::coalesced_threads("));
    CHECK(in_device("x = coalesced_threads(y);") == "x = coalesced_threads(y);");
}

TEST_CASE("operands of assembly are nobody else's: not members, not steps") {
    const std::string text =
        "__device__ void f(volatile uint2* p) { asm(\"add.u32 %0, %1, %2;\" : \"=r\"(v.x) : "
        "\"r\"(v.y), \"r\"(p[1].x)); }";
    CHECK(rewritten(text) == rewritten(text, true));
    CHECK(rewritten(text).find("in_step(") == std::string::npos);
}

TEST_CASE("several instructions of PTX are statements, their registers variables") {
    CHECK(in_device("asm(\"mov.b32 %0, 0f3F800000;\" : \"=f\"(x));")
              .starts_with(
                  "::simt::ptx::put((x), ::simt::ptx::mov<unsigned int>(::simt::ptx::input(0x3F800000u)))"));
    CHECK(
        in_device("asm(\"{ .reg .pred p;\\n\\tsetp.lt.s32 p, %1, 5; @!p add.u32 %0, %0, %1; }\\n\" : "
                  "\"+r\"(x) : \"r\"(i++));")
            .starts_with(
                "do { auto&& simt_operand0(x); const ::simt::ptx::input simt_operand1(i++); bool simt_p; "
                "::simt::ptx::put((simt_p), ::simt::ptx::is_lt<int>(::simt::ptx::input(simt_operand1), 5)); "
                "if (!simt_p) ::simt::ptx::put((simt_operand0), ::simt::ptx::add<unsigned "
                "int>(::simt::ptx::input(simt_operand0), ::simt::ptx::input(simt_operand1))); } while "
                "(false)"));
    CHECK(in_device("asm(\"bar.sync 0; st.cg.u32 [%0], 1;\" :: \"l\"(p));")
              .starts_with("do { const ::simt::ptx::input simt_operand0(p); ::simt::ptx::bar_sync(0); "
                           "::simt::ptx::store<::simt::ptx::global_memory, volatile unsigned "
                           "int>(::simt::ptx::input(simt_operand0), 1); } while (false)"));
}

TEST_CASE("CUB's headers are device code, wherever they lie, and their classes name others") {
    const auto in_header = [](const std::string& path, const std::string& text) {
        return rewritten("# 1 \"a.cu\"\n# 1 \"" + path + "\" 1 3\n" + text + "\n# 2 \"a.cu\" 2\n");
    };
    const std::string text = "struct s { typedef Scan<int, (3 > 2)> Scan; }; __global__ void f() {}";
    const std::string path = "/usr/include/cub/block/x.cuh";
    CHECK(in_header("/usr/include/other/x.cuh", text).find(text) != std::string::npos);
    CHECK(in_header(path, text).find("typedef cub::Scan<int, (3 > 2)> Scan;") != std::string::npos);
    CHECK(in_header(path, text).find("__global__") == std::string::npos);
    CHECK(in_header(path, "struct s { typedef Scan<int> scan; };").find("cub::") == std::string::npos);
    CHECK(rewritten("struct s { typedef Scan<int> Scan; };").find("cub::") == std::string::npos);
    CHECK(problems("# 1 \"a.cu\"\nint x;\n# 1 \"" + path + "\" 1 3\nasm();\n# 4 \"" + path +
                       "\"\nasm();\n# 3 \"a.cu\" 2\n",
                   {.judged = true}) == "2: CUB is not for labs: use warp shuffles and shared memory");
    CHECK(problems("# 1 \"/home/a/cub/a.cu\"\nint x;\n", {.judged = true}) == "");
}

TEST_CASE(
    "a place for an object, an array's reference, and a result behind an arrow are no casts, no members") {
    const std::string text =
        "template <class T> __device__ auto f(T& x, void* p) -> decltype(x < 3 ? x : 4) {\n"
        "new (p) int (x); new (&p[1]) T (x); return reinterpret_cast<unsigned (&)[2]>(x)[0]; }\n";
    CHECK(rewritten(text, true).find("cast<") == rewritten(text, true).find("cast<unsigned"));
    CHECK(rewritten(text, true).find("whole") == std::string::npos);
}

TEST_CASE("constexpr functions of the host, where nvcc would be told that they are the device's, too") {
    const std::string text =
        "__device__ int f(int x) { std::pair<int, int> p(1, 2); std::array<int, 2> a{};\n"
        "return std::max(x, p.first) + std::numeric_limits<int>::max() + a[0]; }\n";
    CHECK(problems(text, {.relaxed_constexpr = true}) == "");
    CHECK(problems(text) != "");
    const std::string never = "__device__ int f() { std::vector<int> v; return std::rand(); }\n";
    CHECK(problems(never, {.relaxed_constexpr = true}) == problems(never));
    CHECK(rewrite::rewrite_text("constexpr int g() { return 1; }", {.relaxed_constexpr = true})
              .text.find("deprecated") == std::string::npos);
}

TEST_CASE("refused: what only a GPU can run") {
    CHECK(problems("\n__device__ void f() { asm volatile(\"mov\"); }") ==
          "2: inline PTX runs on a GPU only: build with BACKEND=gpu, or keep it behind #ifdef __CUDA_ARCH__ "
          "with a "
          "portable twin");
    for (const std::string text :
         {"(\"mov.u32 %[to], %laneid;\" : [to] \"=r\"(n))",
          "(\"mov.u32 %0, %envreg3;\" : \"=r\"(n))",
          "(\"add.cc.u32 %0, %1, 1;\" : \"=r\"(n) : \"r\"(n))",
          "(\"add.ftz.f32 %0, %1, %1;\" : \"=f\"(x) : \"f\"(x))",
          "(\"add.f32 %0, %1, 0f3F80;\" : \"=f\"(x) : \"f\"(x))",
          "(\"{ .reg .b32 t<3>; mov.b32 %0, t0; }\" : \"=r\"(n))",
          "(\"{ .reg .b33 t; mov.b32 %0, 1; }\" : \"=r\"(n))",
          "(\"mov.b32 %0, t;\" : \"=r\"(n))",
          "(\"{ again: bra again; }\" ::)",
          "(\"{ mov.b32 %0, 1; // one\\n }\" : \"=r\"(n))",
          "(\"@p mov.b32 %0, 1;\" : \"=r\"(n))",
          "(\"{ .reg .b32 p; @p mov.b32 %0, 1; }\" : \"=r\"(n))",
          "(\"{ .reg .pred p; add.u32 %0|p, %0, 1; }\" : \"+r\"(n))",
          "(\"{ .reg .b32 t; mov.b32 t, 1; mov.b32 %1, t; }\" : \"=r\"(n) : \"r\"(n))",
          "(\"cvt.rn.u32.f32 %0, %1;\" : \"=r\"(n) : \"f\"(x))",
          "(\"cvt.f32.f64 %0, %1;\" : \"=f\"(x) : \"d\"(x))",
          "(\"ld.param.u32 %0, [%1];\" : \"=r\"(n) : \"l\"(p))",
          "(\"ld.shared::cluster.u32 %0, [%1];\" : \"=r\"(n) : \"r\"(n))",
          "(\"atom.global.add.noftz.f16x2 %0, [%1], %2;\" : \"=r\"(n) : \"l\"(p), \"r\"(n))",
          "(\"cp.async.bulk.commit_group;\" ::)",
          "(\"cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;\" :: \"r\"(n), "
          "\"l\"(p), \"l\"(p))",
          "(\"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%1}, {%1}, {%1};\" : \"=f\"(x) : "
          "\"r\"(n))",
          "(\"popc.b32 %1, %0;\" : \"=r\"(n) : \"r\"(n))",
          "(\"popc.b32 %0, %7;\" : \"=r\"(n) : \"r\"(n))",
          "(\"\" : \"=r\"(n))"})
        CHECK_MESSAGE(problems("__device__ void f() { int n; asm volatile" + text + "; }")
                          .starts_with("1: inline PTX runs"),
                      text);
    CHECK(problems("__device__ void f() { int n; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(n)); }") == "");
    CHECK(problems("texture<float, 2> t;") ==
          "1: texture references are gone since CUDA 12: use a cudaTextureObject_t and tex2D<float>(object, "
          "x, y)");
    CHECK(problems("__device__ __managed__ int m;", {.judged = true}) ==
          "1: a lab has no __managed__ variables, for its device is a process of its own: declare it "
          "__device__ "
          "and copy with cudaMemcpyToSymbol");
    CHECK(problems("__device__ __managed__ int m;") == "");
    CHECK(problems("template <class T> __device__ T v;") ==
          "1: a template of a __device__ variable cannot run on the CPU backend: declare one variable for "
          "each type");
    CHECK(problems(KERNEL + "__global__ void m(int* o) { k<<<1, 2>>>(o); }") ==
          "2: launching a kernel from device code needs cucc -rdc=true; in a lab, launch it from the host");
    CHECK(problems(KERNEL + "__global__ void m(int* o) { k<<<1, 2>>>(o); }", {.separate = true}) == "");
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
    CHECK(problems("__global__ void k(int* o, ...) {}") ==
          "1: kernel k takes any number of arguments: name its parameters");
    CHECK(problems("struct S { static __device__ int n; };") ==
          "1: a __device__ variable is a member of a class: move it out of the class");
    CHECK(problems("__global__ void k() {\n __device__ int n; }") ==
          "2: a __device__ variable is declared in a function: move it out of the function");
    CHECK(problems("void f() {\n __shared__ int s; }") ==
          "2: a __shared__ variable is declared in a host function: declare it in a kernel or a __device__ "
          "function");
    CHECK(problems("void h(int*);\nvoid f(int* o) { h<<<1, 2>>>(o); }") ==
          "2: h is launched, but it is no kernel: mark it __global__");
    CHECK(problems("__global__ void k(int* o) {\n o[0] = std::max(o[1], 2);\n float f = ::std::clamp(f, 0.f, "
                   "1.f); }") ==
          "2: device code calls the host function std::max: call max without std::\n"
          "3: device code calls the host function std::clamp: call min(max(x, low), high) without std::");
    CHECK(problems("__global__ void k(float* o) { o[0] = std::numeric_limits<float>::max(); }") ==
          "1: device code calls the host function std::numeric_limits<>::max: use INFINITY, FLT_MAX and the "
          "like, or a constant from outside");
    SUBCASE("but these are right") {
        CHECK(
            problems("__global__ void k(float* o) { o[0] = std::sqrt(o[1]) + cuda::std::max(1.f, o[2]); }") ==
            "");
        CHECK(problems("__global__ void k(int* o) { o[0] = std::numeric_limits<int>::digits; }\n"
                       "float f() { return std::numeric_limits<float>::max(); }") == "");
        CHECK(problems("void f(int a) { a = std::max(a, 2); }\n"
                       "__host__ __device__ void g(int a) { a = std::max(a, 2); }") == "");
        CHECK(problems("static_assert(sizeof(int) > 2);\n__global__ void k() { static_assert(1 < 2); }") ==
              "");
        CHECK(problems("void k();\n__global__ void k(int* o);\nvoid k() { k<<<1, 2>>>(o); }") == "");
    }
}

TEST_CASE("problems come with the file and line of the marker") {
    const rewrite::result done =
        rewrite::rewrite_text("# 1 \"a.cu\"\n\n# 40 \"dir/b.cuh\" 1\n\ntexture<int> t;\n", {});
    REQUIRE(done.problems.size() == 1);
    CHECK(done.problems[0].file == "dir/b.cuh");
    CHECK(done.problems[0].line == 41);
    CHECK(done.text == "");
}

TEST_CASE("a barrier is no call where nobody watches") {
    const std::string text = "__device__ void f() { __syncthreads(); __syncthreads_or(1); }\n";
    CHECK(rewritten(text) == " void f() { __syncthreads(); __syncthreads_or(1); }\n");
    const rewrite::options how = {.waits_in_kernel = true, .realign = false, .marked = false};
    CHECK(rewrite::rewrite_text(text, how).text ==
          " void f() { simt_syncthreads(); __syncthreads_or(1); }\n");
    const std::string header = "# 1 \"/simt/include/simt/execution.h\" 1 3\nbool WAIT_IN_KERNEL = false;\n";
    CHECK(rewrite::rewrite_text(header, how).text.find("WAIT_IN_KERNEL = true;") != std::string::npos);
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
