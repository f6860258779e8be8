// The table of handouts/cpu_backend.md: every line of it has a program here, which runs, or is refused with the line's
// words. Run from the repository's root.
#include <map>
#include <string>
#include <vector>

#include "command.h"

namespace {

/// A line of the table.
struct feature {
    std::string name, verdict;
    /// Where something is missing that another package has.
    bool may_be_refused() const {
        return verdict.rfind("runs where ", 0) == 0 || verdict.rfind("runs by ", 0) == 0;
    }
    /// The words with which it is refused; empty if it runs.
    std::string refusal() const {
        const std::string begin = "does not compile: `";
        const size_t at = verdict.find(begin);
        if (at != 0 && !may_be_refused()) return "";
        const size_t words = at + begin.size();
        return verdict.substr(words, verdict.find('`', words) - words);
    }
};

std::vector<feature> table() {
    const std::string text = text_of("handouts/cpu_backend.md");
    std::vector<feature> lines;
    for (size_t at = text.find("\n| ", text.find("|---|---|", text.find("## Features")));
         at != std::string::npos; at = text.find("\n| ", at + 1)) {
        const size_t bar = text.find(" | ", at + 3), end = text.find(" |\n", bar + 3);
        lines.push_back({text.substr(at + 3, bar - at - 3), text.substr(bar + 3, end - bar - 3)});
    }
    return lines;
}

std::string main_of(const std::string& body) {
    return "int main() { " + body + " return cudaDeviceSynchronize() + cudaGetLastError(); }\n";
}
/// One thread runs this.
std::string kernel_of(const std::string& body, const std::string& host = "") {
    return "__global__ void k() { " + body + " }\n" + main_of("k<<<1, 32>>>(); " + host);
}

const std::string CG =
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
    "#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;\n";

/// By how a line of the table begins. Programs end with 0 where they run.
const std::map<std::string, std::string> PROGRAMS = {
    {"kernels, templates", "template <class F> __global__ void k(F f) { f(3); }\n" +
                               main_of("k<<<1, 1>>>([=] __device__(int x) { x++; });")},
    {"`__shared__`",
     "__device__ int d; __constant__ int c; __managed__ int m;\n" +
         kernel_of("__shared__ int s; extern __shared__ int e[]; s = c; d = s; m = 2; (void)e;")},
    {"several files", kernel_of("")},  // cucc_test.cpp links several
    {"`printf`", "#include <cassert>\n#include <cstdio>\n" +
                     kernel_of("printf(\"\"); assert(clock64() > 0); free(malloc(4)); delete new int;")},
    {"warp votes",
     kernel_of("if (!__all_sync(~0u, __shfl_sync(~0u, threadIdx.x, 3) == 3)) __trap(); __syncthreads();")},
    {"votes and shuffles without", kernel_of("if (__shfl_down(int(threadIdx.x), 1) > 40) __trap();")},
    {"`__activemask()`", kernel_of("const unsigned all = __activemask(); if (all != ~0u) __trap();"
                                   "if (threadIdx.x < 9 && __activemask() != 511) __trap();")},
    {"`__launch_bounds__`",
     "__global__ void __launch_bounds__(64) k() {}\n"
     "int main() { k<<<1, 65>>>(); return cudaGetLastError() != cudaErrorInvalidValue; }\n"},
    {"atomics",
     "__device__ int n;\n" + kernel_of("atomicAdd(&n, 1); atomicAdd_block(&n, 1); atomicAdd_system(&n, 1);")},
    {"`cudaMallocManaged`",
     main_of(
         "int* p; cudaMallocManaged(&p, 4); *p = 1; cudaMemPrefetchAsync(p, 4, 0);"
         " int at = -2; cudaMemRangeGetAttribute(&at, 4, cudaMemRangeAttributeLastPrefetchLocation, p, 4);"
         " return at;")},
    {"page-locked",
     main_of("int *p, q; cudaHostAlloc(&p, 4, cudaHostAllocMapped); cudaHostRegister(&q, 4, 0);")},
    {"cooperative groups: block",
     CG + kernel_of(
              "auto t = cg::tiled_partition<8>(cg::this_thread_block()); "
              "cg::tiled_partition<64>(cg::this_thread_block()); cg::thread_group g = t; g.sync();"
              "if (cg::reduce(t, 1, cg::plus<int>()) != 8 || cg::exclusive_scan(t, 1) != threadIdx.x % 8) "
              "__trap();")},
    {"thread block clusters", "__global__ void __cluster_dims__(2, 1, 1) k() {}\n" + main_of("")},
    {"`cudaLaunchCooperativeKernel`", CG + "__global__ void k() { cg::this_grid().sync(); }\n" +
                                          main_of("cudaLaunchCooperativeKernel((void*)k, 4, 32, nullptr);")},
    {"`cudaLaunchKernelEx`",
     "__global__ void k(int) {}\n" + main_of("cudaLaunchConfig_t c = {}; c.gridDim = 1; c.blockDim = 32;"
                                             "cudaLaunchKernelEx(&c, k, 1);")},
    {"`cudaLaunchKernel`",
     "__global__ void k() {}\n" + main_of("const void* p = (void*)k; cudaLaunchKernel(p, 1, 1, nullptr);")},
    {"`__half`", "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n" +
                     kernel_of("__half h = __float2half(2.0f); __nv_bfloat16 b = __float2bfloat16(2.0f);"
                               "if (__half2float(h * h) != __bfloat162float(b + b)) __trap();")},
    {"packed",
     kernel_of("if (__vadd4(1u, 2u) != 3 || __dp4a(1, 2, 3) != 5 || __fadd_rd(1.0f, 1.0f) != 2) __trap();")},
    {"`cuda_pipeline.h`",
     "#include <cuda_pipeline.h>\n__device__ int d[32];\n" +
         kernel_of("__shared__ int s[32]; __pipeline_memcpy_async(&s[threadIdx.x], &d[threadIdx.x], 4);"
                   "__pipeline_commit(); __pipeline_wait_prior(0);")},
    {"textures of one",
     "__global__ void k(cudaTextureObject_t t) { if (t) tex3D<float>(t, 0, 0, 0),"
     " tex2DLayered<float>(t, 0, 0, 0), texCubemap<float>(t, 0, 0, 1); }\n" +
         main_of("k<<<1, 1>>>(0);")},
    {"surfaces", "__global__ void k(cudaSurfaceObject_t s) { if (s) surf2Dwrite(1.0f, s, 0, 0); }\n" +
                     main_of("k<<<1, 1>>>(0);")},
    {"textures that are mipmapped", main_of("cudaMallocMipmappedArray(0, 0, {}, 1);")},
    {"textures: gathers", "__global__ void k(cudaTextureObject_t t) { tex2Dgather<float4>(t, 0, 0); }\n" +
                              main_of("k<<<1, 1>>>(0);")},
    {"streams, events", main_of("cudaStream_t s; cudaStreamCreateWithPriority(&s, 0, -1); cudaEvent_t e;"
                                "cudaEventCreate(&e); cudaEventRecord(e, s); cudaStreamWaitEvent(s, e);"
                                "cudaLaunchHostFunc(s, [](void*) {}, nullptr);")},
    {"kernels that wait for",
     "__global__ void k(volatile int* go) { while (*go == 0); }\n" +
         main_of("int* go; cudaMallocHost(&go, 4); *go = 0; k<<<1, 1>>>(go); *go = 1;")},
    {"graphs, by capture",
     "__global__ void k() {}\n" +
         main_of("cudaStream_t s; cudaGraph_t g; cudaGraphExec_t e; cudaStreamCreate(&s);"
                 "cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>();"
                 "cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g); cudaGraphLaunch(e, s);")},
    {"graphs: nodes that allocate",
     main_of("cudaGraph_t g; cudaGraphNode_t a; cudaGraphCreate(&g, 0);"
             "cudaMemAllocNodeParams p = {}; p.poolProps.allocType = cudaMemAllocationTypePinned;"
             "p.poolProps.location.type = cudaMemLocationTypeDevice; p.bytesize = 4;"
             "if (cudaGraphAddMemAllocNode(&a, g, 0, 0, &p) || cudaGraphAddMemFreeNode(&a, g, &a, 1, p.dptr))"
             " return 1;")},
    {"graphs: conditional",
     "__global__ void k(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, 0); }\n" +
         main_of("cudaGraph_t g; cudaGraphNode_t a; cudaGraphConditionalHandle h; cudaGraphCreate(&g, 0);"
                 "cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault);"
                 "cudaGraphNodeParams p = {cudaGraphNodeTypeConditional}; p.conditional.handle = h;"
                 "p.conditional.type = cudaGraphCondTypeWhile; p.conditional.size = 1;"
                 "if (cudaGraphAddNode(&a, g, 0, 0, 0, &p)) return 1;")},
    {"`cudaMallocAsync`", main_of("int* p; cudaMallocAsync(&p, 4, 0); cudaFreeAsync(p, 0);")},
    {"`curand_kernel.h`: XORWOW",
     "#include <curand_kernel.h>\n" +
         kernel_of("curandState s; curand_init(1, 2, 3, &s); curand_normal(&s);")},
    {"`curand_kernel.h`: other", "#include <curand_kernel.h>\n" + kernel_of("curandStateMRG32k3a s;")},
    {"sharing memory",
     main_of("cudaIpcMemHandle_t h; void* p; cudaMalloc(&p, 4); if (cudaIpcGetMemHandle(&h, p)) return 1;"
             "cudaEvent_t e; cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventInterprocess);"
             "cudaIpcEventHandle_t g; if (cudaIpcGetEventHandle(&g, e)) return 1;")},
    {"kernels that launch",
     "__global__ void a() {}\n" + kernel_of("a<<<1, 1>>>(); int* p; cudaMalloc(&p, 4); "
                                            "cudaFree(p); if (cudaGetLastError()) __trap();")},
    {"inline PTX: `%laneid`",
     kernel_of("unsigned n; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(n)); if (n != threadIdx.x) __trap();")},
    {"inline PTX: arithmetic",
     kernel_of("unsigned n, m = threadIdx.x; asm volatile(\"\" ::: \"memory\");"
               "asm(\"lop3.b32 %0, %1, %2, %3, 0x96;\" : \"=r\"(n) : \"r\"(m), \"r\"(3), \"r\"(5));"
               "asm(\"shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;\" : \"=r\"(m) : \"r\"(n));"
               "if (m != ((threadIdx.x ^ 1) ^ 3 ^ 5)) __trap();")},
    {"inline PTX: loads",
     "__device__ int4 d;\n" +
         kernel_of("__shared__ int s[32]; int n = 7; const auto to = unsigned(__cvta_generic_to_shared(s));"
                   "asm(\"st.shared.u32 [%0], %1;\" ::\"r\"(to + 4 * threadIdx.x), \"r\"(n)); __syncwarp();"
                   "asm(\"cp.async.ca.shared.global [%0], [%1], 16;\" ::\"r\"(to), \"l\"(&d));"
                   "asm(\"cp.async.wait_all;\"); __syncwarp(); if (s[3] != 0 || s[4] != 7) __trap();")},
    {"inline PTX: `mma", kernel_of("float d[4], c = 1; const unsigned one = 0x3c003c00;"
                                   "asm(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, "
                                   "%3}, {%4, %4, %4, %4}, {%4, %4}, \""
                                   "\"{%5, %5, %5, %5};\" : \"=f\"(d[0]), \"=f\"(d[1]), \"=f\"(d[2]), "
                                   "\"=f\"(d[3]) : \"r\"(one), \"f\"(c));"
                                   "if (d[3] != 17) __trap();")},
    {"inline PTX: several",
     kernel_of("unsigned n; asm(\"{ .reg .pred p; setp.lt.u32 p, %1, 4; vote.sync.ballot.b32 %0, p, -1;"
               "@!p exit; add.cc.u32 %0, %0, 0xffffffff; addc.u32 %0, %0, %0; }\" : \"=r\"(n) : "
               "\"r\"(threadIdx.x)); if (n != 29) __trap();")},
    {"inline PTX: all", kernel_of("asm(\"again: bra again;\");")},
    {"warps whose lanes",
     kernel_of(
         "__shared__ int s[33]; s[threadIdx.x] = threadIdx.x; s[32] = 0; s[threadIdx.x] = s[threadIdx.x + 1];"
         "if (s[threadIdx.x / 2] != (threadIdx.x / 2 + 1) % 32) __trap();")},
    {"`__nv_fp8_e4m3`",
     "#include <cuda_fp8.h>\n" +
         kernel_of("const __nv_fp8_e4m3 a(300.0f); if (float(a) != 288.0f) __trap();"
                   "if (__nv_cvt_float_to_fp8(1e9f, __NV_SATFINITE, __NV_E5M2) != 0x7b) __trap();")},
    {"functions of dynamic",
     kernel_of("if (__viaddmax_s32_relu(2, -5, -1) != 0 || __vimax3_s16x2(1, 2, 3) != 3) __trap();")},
    {"`constexpr`", "#include <algorithm>\n" + kernel_of("if (std::max(1, 2) != 2) __trap();")},
    {"NVTX", "#include <nvtx3/nvToolsExtCudaRt.h>\n" +
                 main_of("nvtxNameCudaStreamA(0, \"a\"); nvtxRangePushA(\"a\"); nvtxRangePop();")},
    {"tensor cores by",
     "#include <mma.h>\nusing namespace nvcuda::wmma;\n" +
         kernel_of("fragment<matrix_a, 16, 16, 16, half, row_major> a; fragment<matrix_b, 16, 16, 16, half, "
                   "col_major> b;"
                   "fragment<accumulator, 16, 16, 16, float> c; fill_fragment(a, 1); fill_fragment(b, 2);"
                   "fill_fragment(c, 3); mma_sync(c, a, b, c); if (c.x[0] != 35) __trap();")},
    {"tensor cores: 4",
     "#include <mma.h>\nusing namespace nvcuda::wmma;\n" +
         kernel_of("fragment<matrix_a, 8, 8, 4, float, row_major> a; fill_fragment(a, 1);")},
    {"kernels of Thrust",
     "#include <thrust/device_vector.h>\n#include <thrust/transform.h>\n"
     "struct own { __host__ __device__ int operator()(int x) const {\n#ifdef __CUDA_ARCH__\n"
     "return x + blockIdx.x * blockDim.x + threadIdx.x;\n#else\nreturn -1;\n#endif\n} };\n" +
         main_of("thrust::device_vector<int> v(300, 7);"
                 "thrust::transform(v.begin(), v.end(), v.begin(), own()); if (v[9] < 7) return 1;")},
    {"Thrust",
     "#include <thrust/device_malloc.h>\n#include <thrust/device_vector.h>\n"
     "#include <thrust/execution_policy.h>\n#include <thrust/reduce.h>\n"
     "__global__ void twice(int* p) { p[threadIdx.x] *= 2; }\n" +
         main_of(
             "int host[] = {5, 6};"
             "try { thrust::device_vector<int> v(3, 7); thrust::device_ptr<int> p = "
             "thrust::device_malloc<int>(2);"
             "twice<<<1, 3>>>(thrust::raw_pointer_cast(v.data()));"
             "if (v[2] != 14 || thrust::reduce(v.begin(), v.end()) != 42) return 1;"
             "if (cudaMemcpy(p.get(), host, 8, cudaMemcpyHostToDevice) != cudaSuccess) return 2;"
             "twice<<<1, 2>>>(p.get()); if (p[1] != 12) return 3;"
             "int* plain; cudaMalloc(&plain, 8); cudaMemcpy(plain, host, 8, cudaMemcpyHostToDevice);"
             "twice<<<1, 2>>>(plain); if (thrust::reduce(thrust::device, plain, plain + 2) != 22) return 5;"
             "thrust::device_ptr<int> of_plain(plain); if (of_plain[1] != 12) return 6;"
             "} catch (const thrust::system_error&) { return 4; }")},
    {"libcu++: `cuda/std", "#include <cuda/std/functional>\n#include <cuda/std/type_traits>\n" +
                               kernel_of("if (!cuda::std::is_same<int, int>::value) __trap();")},
    {"CUB",
     "#include <cub/cub.cuh>\n__managed__ int in[1000], out[1000];\n" +
         kernel_of("using warps = cub::WarpScan<int>; using blocks = cub::BlockReduce<int, 32>;"
                   "__shared__ warps::TempStorage w; __shared__ blocks::TempStorage b; int before;"
                   "warps(w).ExclusiveSum(threadIdx.x, before);"
                   "if (before != threadIdx.x * (threadIdx.x - 1) / 2) __trap();"
                   "if (blocks(b).Sum(before) != 4960 && threadIdx.x == 0) __trap();",
                   "for (int i = 0; i < 1000; i++) in[i] = i; void* t = nullptr; size_t n = 0;"
                   "cub::DeviceScan::InclusiveSum(t, n, in, out, 1000); cudaMalloc(&t, n);"
                   "if (cub::DeviceScan::InclusiveSum(t, n, in, out, 1000) || cudaDeviceSynchronize() ||"
                   "    out[999] != 499500) return 1;")},
    {"`cuda/barrier`",
     "#include <cuda/barrier>\n#include <cuda/pipeline>\n__device__ int d[32];\n" +
         kernel_of("__shared__ cuda::barrier<cuda::thread_scope_block> b; __shared__ int s[32];"
                   "if (threadIdx.x == 0) init(&b, 32); __syncwarp(); auto p = cuda::make_pipeline();"
                   "cuda::memcpy_async(s + threadIdx.x, d, 4, p); p.producer_commit(); p.consumer_wait();"
                   "b.arrive_and_wait(); if (s[31 - threadIdx.x] != 0) __trap();")},
    {"copies between",
     "#include <cstdlib>\nstatic const int two = setenv(\"SIMT_DEVICES\", \"2\", 1);\n" +
         main_of("int *p, *q, can; cudaMalloc(&p, 8); cudaMemcpyPeer(p, 0, p + 1, 0, 4);"
                 "cudaDeviceCanAccessPeer(&can, 0, 1); if (!can) return 1;"
                 "cudaDeviceEnablePeerAccess(1, 0); cudaSetDevice(1); cudaMalloc(&q, 8);"
                 "if (cudaMemcpyPeer(q, 1, p, 0, 8) != cudaSuccess) return 1;"
                 "if (cudaMemcpyPeer(q, 0, p, 0, 8) == cudaSuccess) return 1; cudaGetLastError();")},
    {"libcu++: `cuda/atomic",
     "#include <cuda/atomic>\n#include <cuda/std/atomic>\n__device__ int d;\n" +
         kernel_of("cuda::atomic_ref<int> n(d); __shared__ cuda::std::atomic<long> s;"
                   "if (threadIdx.x == 0) s = 5; __syncwarp(); n++; s.fetch_max(threadIdx.x);"
                   "__syncwarp(); if (n != 32 || s != 31) __trap();")},
    {"libcu++: all", "#include <cuda/annotated_ptr>\n" + kernel_of("")},
    {"cuFFT of single",
     "#include <cufft.h>\n" +
         main_of("cufftHandle p; float* a; if (cudaMalloc(&a, 40)) return 1;"
                 "const cufftResult made = cufftPlan1d(&p, 8, CUFFT_R2C, 1);"
                 "if (made == CUFFT_MISSING_DEPENDENCY) return 0;"
                 "if (made || cudaMemset(a, 0, 40) || cufftExecR2C(p, a, (cufftComplex*)a)) return 2;"
                 "if (cufftDestroy(p)) return 3;")},
    {"cuFFT: double",
     "#include <cufft.h>\n" +
         main_of("cufftHandle p; const cufftResult made = cufftPlan1d(&p, 8, CUFFT_Z2Z, 1);"
                 "if (made != CUFFT_NOT_SUPPORTED && made != CUFFT_MISSING_DEPENDENCY) return 1;")},
    {"cuFFT: callbacks", "#include <cufftXt.h>\n" + kernel_of("")},
    {"cuBLAS", "#include <cublas_v2.h>\n" + kernel_of("")},
    {"the driver's API", main_of("cuInit(0);")},
};

const std::string* program_of(const feature& line) {
    for (const auto& [begin, program] : PROGRAMS)
        if (line.name.rfind(begin, 0) == 0) return &program;
    return nullptr;
}

}  // namespace

TEST_CASE("every feature runs or is refused as the handout says") {
    const scratch_folder folder;
    const std::vector<feature> lines = table();
    CHECK(lines.size() == PROGRAMS.size());
    for (const feature& line : lines) {
        CAPTURE(line.name);
        const std::string* program = program_of(line);
        REQUIRE(program != nullptr);
        write(folder / "a.cu", *program);
        const outcome built = run("cd '" + folder.path.string() + "' && '" + fs::current_path().string() +
                                  "/common/simt/cucc' -w -rdc=true --extended-lambda a.cu -o a");
        if (line.refusal() != "" && (built.code != 0 || !line.may_be_refused())) {
            CHECK(built.code != 0);
            CHECK_MESSAGE(contains(built.text, line.refusal()), built.text);
            continue;
        }
        CHECK((line.verdict.rfind("runs", 0) == 0 || line.verdict.rfind("differs: ", 0) == 0));
        CHECK_MESSAGE(built.code == 0, built.text);
        CHECK(run(folder / "a").code == 0);
    }
}
