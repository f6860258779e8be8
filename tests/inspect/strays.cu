// Accesses beside the memory they were meant for, to memory of the wrong kind,
// and to memory nobody has written.
#include "expect.h"

constexpr int N = 256;

__constant__ float c_taps[8];
__device__ float d_table[N];
int host_counter = 3;
__device__ const int* d_counter = &host_counter;

__global__ void shifted(float* out, const float* in, int by) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = in[x + by];
}
// A macro, so that all of it stands in one line, whichever of its instructions is the first beyond the stack.
#define DEEPER                                                                                       \
    template <int WORDS>                                                                             \
    __device__ __noinline__ float deeper(const float* in, int depth) {                               \
        volatile float frame[WORDS] = {};                                                            \
        return depth == 0 ? 0 : in[depth % 8] + deeper<WORDS>(in, depth - 1) + frame[depth % WORDS]; \
    }
DEEPER  // HERE deeper
    template <int WORDS>
    __global__ void recursive(float* out, const float* in) {
    out[threadIdx.x] = deeper<WORDS>(in, 100000);
}
template <int WORDS>
void launch_recursive() {
    recursive<WORDS><<<1, 32>>>(device<float>(32), device<float>(32));
}
__global__ void far_rows(float* out, const float* in, int row) {
    const int x = threadIdx.x;
    out[x] = in[x < 16 ? x : (x - 15) * row];  // HERE far_rows
}
__global__ void past_the_end(float* out, const float* in) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = in[x];  // HERE past_the_end
}
__global__ void before_the_begin(float* out, const float* in) {
    out[threadIdx.x] = in[int(threadIdx.x) - 1];  // HERE before_the_begin
}
__global__ void writes_past_the_end(float4* out) {
    out[threadIdx.x] = make_float4(1, 2, 3, 4);  // HERE writes_past_the_end
}
__global__ void labelled(float* out, const float* in) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < 1000) out[x] = 0;
    if (x == 1000) out[x] = in[x];  // HERE labelled
}
__global__ void fill_rows(float* image, size_t pitch, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x >= width || y >= height) return;
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
    row[x] = 1;  // HERE row_overrun
}
__global__ void past_array(float* out) {
    __shared__ float s_tile[16][16];
    s_tile[threadIdx.x][0] = 1;
    s_tile[threadIdx.x][1] = 1;
    __syncthreads();
    out[threadIdx.x] = s_tile[threadIdx.x / 16][threadIdx.x % 2];
}
__global__ void past_row_of_array(float* out, int columns) {
    __shared__ float s_tile[16][16];
    for (int y = 0; y < 16; y++)
        s_tile[y][threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s_tile[3][threadIdx.x + columns];  // HERE past_row_of_array
}
__global__ void through_pointer(float* out, int count) {
    __shared__ float s_only[16];
    float* tile = s_only;
    if (threadIdx.x < count) tile[threadIdx.x] = 1;  // HERE past_shared_variable
    out[threadIdx.x] = 0;
}
__global__ void dynamic(float* out, int count) {
    extern __shared__ float s_dynamic[];
    if (threadIdx.x < count) s_dynamic[threadIdx.x] = 1;  // HERE past_dynamic_shared
    out[threadIdx.x] = 0;
}
__global__ void before_dynamic(float* out, int by) {
    extern __shared__ float s_dynamic[];
    s_dynamic[int(threadIdx.x) - by] = 1;  // HERE before_dynamic_shared
    out[threadIdx.x] = 0;
}
__global__ void dynamic_none() {
    extern __shared__ float s_dynamic[];
    s_dynamic[threadIdx.x] = 1;  // HERE no_dynamic_shared
}
__global__ void halo_not_loaded(float* out, int halo) {
    __shared__ float s_tile[N + 2];
    s_tile[threadIdx.x + 1] = 1;
    if (halo && threadIdx.x < 2) s_tile[threadIdx.x * (N + 1)] = 0;
    __syncthreads();
    out[threadIdx.x] = s_tile[threadIdx.x] + s_tile[threadIdx.x + 2];  // HERE halo_not_loaded
}
// Of arrays of arrays the place is told as the source has it.
template <int ROWS>
__global__ void cell_not_loaded(float* out, int left_out) {
    __shared__ float s_planes[2][ROWS][8];
    const int row = threadIdx.x / 8, column = threadIdx.x % 8;
    for (int plane = 0; plane < 2; plane++)
        if (plane == 0 || int(threadIdx.x) != left_out) s_planes[plane][row][column] = 1;
    __syncthreads();
    out[threadIdx.x] = s_planes[0][row][column] + s_planes[1][row][column];  // HERE cell_not_loaded
}
__constant__ float c_square[3][5];
__global__ void past_square(float* out, int index) {
    const float* taps = &c_square[0][0];
    out[threadIdx.x] = taps[index];  // HERE past_square
}
__global__ void second_block_uninitialised(float* out) {
    __shared__ float s_tile[N];
    if (blockIdx.x == 0) s_tile[threadIdx.x] = 1;
    __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = s_tile[threadIdx.x];  // HERE second_block_uninitialised
}
__global__ void copy(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE uninitialised_global
}
__global__ void accumulate(float* out) {
    atomicAdd(&out[0], 1.0f);  // HERE uninitialised_atomic
}
__global__ void every_second(float* out) {
    if (threadIdx.x % 2 == 0) out[threadIdx.x] = 1;
}
__global__ void misaligned(float* out, int bytes) {
    *reinterpret_cast<float*>(reinterpret_cast<char*>(out) + bytes + threadIdx.x * 4) = 1;  // HERE misaligned
}
__global__ void misaligned_vector(float4* out, const float* in) {
    out[threadIdx.x] = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x + 1);  // HERE misaligned_vector
}
__device__ float4 d_quads[4];
__constant__ float4 c_quads[4];
__global__ void misaligned_variable(float* out, int floats) {
    const float* list = &d_quads[0].x + floats;
    out[threadIdx.x] = reinterpret_cast<const float4*>(list)->y;
    const float4 all = *reinterpret_cast<const float4*>(list);  // HERE misaligned_variable
    out[threadIdx.x] = all.x + all.y + all.z + all.w;
}
__global__ void misaligned_constant(float* out, int floats) {
    const float4 all = *reinterpret_cast<const float4*>(&c_quads[0].x + floats);  // HERE misaligned_constant
    out[threadIdx.x] = all.x + all.y + all.z + all.w;
}
// Where the compiler sees that the place is no multiple of 16.
__global__ void known_shared(float* out) {
    __shared__ float s_row[64];
    *reinterpret_cast<float4*>(s_row + 1) = float4{1, 2, 3, 4};  // HERE known_shared
    out[threadIdx.x] = s_row[threadIdx.x + 1];
}
__device__ float d_row[64];
__global__ void known_variable() {
    *reinterpret_cast<float4*>(d_row + 1) = float4{1, 2, 3, 4};  // HERE known_variable
}
__constant__ float c_row[64];
__global__ void known_constant(float* out) {
    const float4 all = *reinterpret_cast<const float4*>(c_row + 1);  // HERE known_constant
    out[threadIdx.x] = all.x + all.y + all.z + all.w;
}
__global__ void known_places(float* out) {
    __shared__ float s_row[64];
    *reinterpret_cast<float4*>(s_row + 4) = float4{1, 2, 3, 4};
    *reinterpret_cast<float4*>(d_row + 8) = *reinterpret_cast<float4*>(s_row + 4);
    out[threadIdx.x] = reinterpret_cast<const float4*>(c_row + 4)->x;
}
__device__ float f[9];
__global__ void one_letter(float* out) {
    const float* const from = f;
    out[threadIdx.x] = from[threadIdx.x + 9];  // HERE one_letter
}
__global__ void write_constant() {
    *const_cast<float*>(&c_taps[2]) = 1;  // HERE write_constant
}
__global__ void use_constant(float* out) {
    out[threadIdx.x] = c_taps[threadIdx.x % 8];
}
__global__ void host_global(float* out) {
    out[threadIdx.x] = *d_counter;  // HERE host_global
}
/// Memory for 32 numbers, allocated and freed by two launches of a graph.
float* freed_by_a_graph() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t taken, freed;
    cudaMemAllocNodeParams asked = {};
    asked.poolProps.allocType = cudaMemAllocationTypePinned;
    asked.poolProps.location.type = cudaMemLocationTypeDevice;
    asked.bytesize = 32 * sizeof(float);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemAllocNode(&taken, graph, nullptr, 0, &asked);
    cudaGraphAddMemFreeNode(&freed, graph, &taken, 1, asked.dptr);
    cudaGraphInstantiate(&exec, graph);
    for (int launch = 0; launch < 2; launch++)
        cudaGraphLaunch(exec, nullptr);
    return static_cast<float*>(asked.dptr);
}
__global__ void read_pointer(float* out, const float* in) {
    const float value = in[threadIdx.x];  // HERE pointers
    out[threadIdx.x] = value;
}
__global__ void past_device_variable(int index) {
    float* table = d_table;
    table[index] = 1;
}
__global__ void structure_argument(float* out, float4 factors) {
    const float* list = &factors.x;
    out[threadIdx.x] = list[threadIdx.x % 4];
}
__global__ void local_array(float* out, int shift) {
    float sums[8];
    for (int i = 0; i < 8; i++)
        sums[i] = i + threadIdx.x;
    out[threadIdx.x] = sums[(threadIdx.x + shift) % 8];
}
__global__ void local_overrun(float* out, int index) {
    float sums[8] = {};
    sums[index] = 1;  // HERE local_overrun
    out[threadIdx.x] = sums[threadIdx.x % 8];
}
__global__ void copies(float* out, const float* in, int bytes) {
    if (threadIdx.x == 0) memcpy(out, in, bytes);  // HERE memcpy_past_the_end
}

__global__ void splits(float* out, float value) {
    modff(value, out);  // HERE modff_past_the_end
}

__global__ void takes_the_exponent(int* out, float value) {
    frexpf(value, out);  // HERE frexpf_past_the_end
}

__global__ void divides(int* out, float value) {
    remquof(value, 3, out);  // HERE remquof_past_the_end
}

__global__ void turns(float* out, float value) {
    sincosf(value, out - 1, out);  // HERE sincosf_past_the_end
}

__global__ void turns_doubles(double* out, double value) {
    sincos(value, out - 1, out);  // HERE sincos_past_the_end
}

__global__ void clears(float* out, int bytes) {
    if (threadIdx.x == 0) memset(out, 0, bytes);  // HERE memset_past_the_end
}

// Wide accesses that begin in their memory and end behind it.
__global__ void write_quad(float4* out, int index) {
    out[index] = make_float4(1, 2, 3, 4);  // HERE straddle_write
}
__global__ void read_quad(float4* out, const float4* in, int index) {
    out[0] = in[index];  // HERE straddle_read
}
struct four {
    float x, y, z, w;
};
__device__ __noinline__ four zeros() {
    return {};
}
/// Four accesses of 4 bytes.
__global__ void write_four(four* out, int index) {
    out[index] = zeros();  // HERE returned_past_the_end
}
__global__ void straddle_shared(float4* out, int index) {
    __shared__ __align__(16) float s_seven[7];
    __shared__ float s_next[5];
    if (threadIdx.x < 7) s_seven[threadIdx.x] = 1;
    if (threadIdx.x < 5) s_next[threadIdx.x] = 1;
    __syncthreads();
    const float4* quads = reinterpret_cast<float4*>(s_seven);
    if (threadIdx.x == 0) out[0] = quads[index];  // HERE straddle_shared
}
__global__ void straddle_dynamic(int index) {
    extern __shared__ float4 s_quads[];
    s_quads[index] = make_float4(1, 2, 3, 4);  // HERE straddle_dynamic
}
__constant__ __align__(16) float c_seven[7];
__constant__ float c_after[7];
__global__ void straddle_constant(float4* out, int index) {
    out[0] = reinterpret_cast<const float4*>(c_seven)[index];  // HERE straddle_constant
    out[1].x = c_after[threadIdx.x];
}
__device__ __align__(16) float d_seven[7];
__device__ float d_after[7];
__global__ void straddle_variable(float4* out, int index) {
    out[0] = reinterpret_cast<float4*>(d_seven)[index];  // HERE straddle_variable
    out[1].x = d_after[threadIdx.x];
}
__global__ void straddle_row(char* image, size_t pitch, int row, int quad) {
    reinterpret_cast<float4*>(image + row * pitch)[quad] = make_float4(1, 2, 3, 4);  // HERE straddle_row
}
__global__ void add_double(double* sum) {
    atomicAdd(sum, 1.0);  // HERE straddle_atomic
}
/// Two accesses of 4 bytes.
struct couple {
    float x, y;
};
__global__ void read_before(couple* out, const float* in) {
    out[0] = *reinterpret_cast<const couple*>(in - 1);  // HERE begins_before
}

/// A class with constructors, of which the one without arguments does nothing.
struct counted {
    int value;
    counted() = default;
    __device__ explicit counted(int value) : value(value) {}
};
template <class type>
__global__ void share_objects(int* out) {
    __shared__ type s_values[32], s_one;
    const int t = threadIdx.x;
    s_values[t] = type(t);
    if (t == 0) s_one = type(7);
    __syncthreads();
    const type neighbour = s_values[31 - t];
    out[t] = neighbour.value + s_one.value;
}

struct host_table {
    int values[8];
    int spare[8];
};
host_table table;
void use_host_table(int index) {
    table.values[index] = 1;  // HERE host_index
    every_second<<<1, 32>>>(device<float>(32));
}

void launch_straddle_row(int row, int columns) {
    char* image = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&image, &pitch, columns * sizeof(float), 3);
    straddle_row<<<1, 1>>>(image, pitch, row, columns / 4);
}

void launch_labelled(const std::vector<float>& host) {
    simt::label_host_range(host.data(), host.size() * sizeof(float), "in");
    float* in = device<float>(host.size());
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    labelled<<<4, N>>>(device<float>(1024), in);
    simt::forget_host_ranges();
}

/// Rows so long that some begin nearer to the next allocation than to the end of in.
void launch_far_rows(int row) {
    const std::vector<float> host(1024);
    simt::label_host_range(host.data(), host.size() * sizeof(float), "in");
    float* in = device<float>(host.size());
    float* out = device<float>(1024);
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    far_rows<<<1, 24>>>(out, in, row);
    simt::forget_host_ranges();
}

void launch_rows(int width) {
    float* image = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&image, &pitch, 20 * sizeof(float), 5);
    fill_rows<<<1, dim3(32, 8)>>>(image, pitch, width, 5);
}

void copy_back(int threads) {
    float* out = device<float>(N, UNINITIALISED_MEMORY);
    float host[N];
    every_second<<<1, threads>>>(out);
    if (threads < N) cudaMemset(out + 1, 0, sizeof(float));
    cudaMemcpy(host, out, 3 * sizeof(float), cudaMemcpyDeviceToHost);  // HERE never_written
}

/// An access that is far off is about the array that its line uses, not about the one it comes near to.
void test_far_rows() {
    const inspect::report seen = inspected([] { launch_far_rows(5000); });
    expect(seen.findings.size() == 1, "one finding of far rows, got" + describe(seen));
}

int main() {
    inspect::begin();
    run_case(test_far_rows);
    static float host[N];
    return check_cases(
        __FILE__,
        {
            {"inside", [] { shifted<<<2, N>>>(device<float>(2 * N), device<float>(2 * N + 1), 1); }, "", ""},
            {"past_the_end", [] { past_the_end<<<2, N>>>(device<float>(2 * N), device<float>(2 * N - 1)); },
             "out-of-bounds", "past its 511 elements (block (1,0,0), thread (255,0,0))"},
            {"before_the_begin", [] { before_the_begin<<<1, 32>>>(device<float>(N), device<float>(N)); },
             "out-of-bounds", "element -1 of allocation"},
            {"writes_past_the_end", [] { writes_past_the_end<<<1, 5>>>(device<float4>(4)); }, "out-of-bounds",
             "writes element 4 of allocation"},
            {"labelled", [] { launch_labelled(std::vector<float>(1000)); }, "out-of-bounds",
             "reads in[1000], past its 1000 elements (block (3,0,0), thread (232,0,0))"},
            {"near_rows", [] { launch_far_rows(100); }, "", ""},
            {"far_rows", [] { launch_far_rows(5000); }, "out-of-bounds",
             "reads in[5000], past its 1024 elements"},
            {"inside_rows", [] { launch_rows(20); }, "", ""},
            {"row_overrun", [] { launch_rows(21); }, "row-overrun", "column 20 of row 0 of allocation"},
            {"past_row_of_array_right", [] { past_row_of_array<<<1, 16>>>(device<float>(16), 0); }, "", ""},
            {"past_row_of_array", [] { past_row_of_array<<<1, 16>>>(device<float>(16), 1); },
             "index-out-of-array", "index 16 is outside the array"},
            {"inside_shared_variable", [] { through_pointer<<<1, 32>>>(device<float>(32), 16); }, "", ""},
            {"past_shared_variable", [] { through_pointer<<<1, 32>>>(device<float>(32), 17); },
             "out-of-bounds", "writes s_only[16], past its 16 elements"},
            {"inside_dynamic_shared", [] { dynamic<<<1, 64, 60 * 4>>>(device<float>(64), 60); }, "", ""},
            {"past_dynamic_shared", [] { dynamic<<<1, 64, 60 * 4>>>(device<float>(64), 61); },
             "out-of-bounds", "past the 60 elements (240 bytes) that the launch asks for"},
            {"at_dynamic_shared", [] { before_dynamic<<<1, 32, 128>>>(device<float>(32), 0); }, "", ""},
            {"before_dynamic_shared", [] { before_dynamic<<<1, 32, 128>>>(device<float>(32), 1); },
             "out-of-bounds", "writes element -1 of dynamic shared memory, before its first element"},
            {"before_dynamic_shared",
             [] {
                 before_dynamic<<<1, 32, 128>>>(device<float>(32), 400);
                 expect(cudaDeviceSynchronize() == cudaErrorIllegalAddress,
                        "the backend's memory stays its own");
             },
             "out-of-bounds", "writes element -400 of dynamic shared memory, before its first element"},
            {"no_dynamic_shared", [] { dynamic_none<<<1, 1>>>(); }, "out-of-bounds",
             "the launch asks for none"},
            {"cells_loaded", [] { cell_not_loaded<3><<<1, 24>>>(device<float>(24), 24); }, "", ""},
            {"cell_not_loaded", [] { cell_not_loaded<3><<<1, 24>>>(device<float>(24), 21); },
             "uninitialised-read", "reads s_planes[1][2][5], which no thread of the block has written yet"},
            {"in_square", [] { past_square<<<1, 1>>>(device<float>(1), 14); }, "", ""},
            {"past_square", [] { past_square<<<1, 1>>>(device<float>(1), 16); }, "out-of-bounds",
             "reads c_square[3][1], past its 3 x 5 elements"},
            {"halo_loaded", [] { halo_not_loaded<<<1, N>>>(device<float>(N), 1); }, "", ""},
            {"halo_not_loaded", [] { halo_not_loaded<<<1, N>>>(device<float>(N), 0); }, "uninitialised-read",
             "reads s_tile[0], which no thread of the block has written"},
            {"second_block_uninitialised", [] { second_block_uninitialised<<<2, N>>>(device<float>(2 * N)); },
             "uninitialised-read", "(block (1,0,0)"},
            {"initialised_global", [] { copy<<<1, N>>>(device<float>(N), device<float>(N)); }, "", ""},
            {"uninitialised_global",
             [] { copy<<<1, N>>>(device<float>(N), device<float>(N, UNINITIALISED_MEMORY)); },
             "uninitialised-read", "reads element 0 of allocation"},
            {"written_by_an_earlier_launch",
             [] {
                 float* middle = device<float>(N, UNINITIALISED_MEMORY);
                 copy<<<1, N>>>(middle, device<float>(N));
                 copy<<<1, N>>>(device<float>(N), middle);
             },
             "", ""},
            {"copied_on_the_device",
             [] {
                 float* middle = device<float>(N, UNINITIALISED_MEMORY);
                 cudaMemcpy(middle, device<float>(N), N * sizeof(float), cudaMemcpyDeviceToDevice);
                 copy<<<1, N>>>(device<float>(N), middle);
             },
             "", ""},
            {"uninitialised_atomic", [] { accumulate<<<1, 2>>>(device<float>(1, UNINITIALISED_MEMORY)); },
             "uninitialised-read", "atomically updates element 0"},
            {"all_written", [] { copy_back(N - 1); }, "", ""},
            {"never_written", [] { copy_back(N); }, "never-written",
             "1 of the 3 values copied from allocation"},
            {"aligned", [] { misaligned<<<1, 2>>>(device<float>(N), 8); }, "", ""},
            {"misaligned", [] { misaligned<<<1, 1>>>(device<float>(N), 2); }, "misaligned",
             "writes 4 bytes at byte 2 of"},
            {"misaligned_vector", [] { misaligned_vector<<<1, 2>>>(device<float4>(2), device<float>(16)); },
             "misaligned", "reads 16 bytes at byte 4 of"},
            {"variable_aligned", [] { misaligned_variable<<<1, 1>>>(device<float>(1), 4); }, "", ""},
            {"misaligned_variable", [] { misaligned_variable<<<1, 1>>>(device<float>(1), 1); }, "misaligned",
             "reads 16 bytes at byte 4 of d_quads"},
            {"constant_aligned", [] { misaligned_constant<<<1, 1>>>(device<float>(1), 8); }, "", ""},
            {"misaligned_constant", [] { misaligned_constant<<<1, 1>>>(device<float>(1), 9); }, "misaligned",
             "reads 16 bytes at byte 36 of c_quads"},
            {"known_shared", [] { known_shared<<<1, 1>>>(device<float>(1)); }, "misaligned",
             "writes 16 bytes at byte 4 of s_row"},
            {"known_variable", [] { known_variable<<<1, 1>>>(); }, "misaligned",
             "writes 16 bytes at byte 4 of d_row"},
            {"known_constant", [] { known_constant<<<1, 1>>>(device<float>(1)); }, "misaligned",
             "reads 16 bytes at byte 4 of c_row"},
            {"known_places", [] { known_places<<<1, 1>>>(device<float>(1)); }, "", ""},
            {"one_letter", [] { one_letter<<<1, 1>>>(device<float>(1)); }, "out-of-bounds", "reads f[9]"},
            {"constant_memory", [] { use_constant<<<1, N>>>(device<float>(N)); }, "", ""},
            {"write_constant", [] { write_constant<<<1, 1>>>(); }, "constant-write", "writes c_taps[2]"},
            {"host_global", [] { host_global<<<2, 32>>>(device<float>(32)); }, "host-pointer-in-kernel",
             "reads host memory"},
            {"pointers", [] { read_pointer<<<2, 32>>>(device<float>(32), host); }, "host-pointer-in-kernel",
             "(block (0,0,0), thread (0,0,0))"},
            {"pointers", [] { read_pointer<<<2, 32>>>(device<float>(32), nullptr); }, "illegal-address",
             "reads through a null pointer"},
            {"pointers",
             [] {
                 float* in = device<float>(32);
                 cudaFree(in);
                 read_pointer<<<1, 32>>>(device<float>(32), in);
             },
             "use-after-free", "after cudaFree"},
            {"pointers", [] { read_pointer<<<1, 32>>>(device<float>(32), freed_by_a_graph()); },
             "use-after-free", "of 128 bytes after cudaFree"},
            {"arguments", [] { structure_argument<<<1, 32>>>(device<float>(32), make_float4(1, 2, 3, 4)); },
             "", ""},
            {"shared_objects", [] { share_objects<counted><<<1, 32>>>(device<int>(32)); }, "", ""},
            {"local_array", [] { local_array<<<1, 32>>>(device<float>(32), 3); }, "", ""},
            {"local_overrun", [] { local_overrun<<<1, 1>>>(device<float>(8), 8); }, "index-out-of-array",
             "index 8 is outside the array"},
            {"device_variable", [] { past_device_variable<<<1, 1>>>(N - 1); }, "", ""},
            {"memset_inside", [] { clears<<<1, 32>>>(device<float>(8), 32); }, "", ""},
            {"memset_past_the_end", [] { clears<<<1, 32>>>(device<float>(7), 32); }, "out-of-bounds",
             "writes element 7 of"},
            {"host_index_inside", [] { use_host_table(7); }, "", ""},
            {"host_index", [] { use_host_table(8); }, "index-out-of-array", "index 8 is outside the array"},
            {"straddle_inside", [] { write_quad<<<1, 1>>>(device<float4>(2), 1); }, "", ""},
            {"straddle_write", [] { write_quad<<<1, 1>>>(reinterpret_cast<float4*>(device<float>(7)), 1); },
             "out-of-bounds", "of 28 bytes, 4 bytes past its end (block (0,0,0), thread (0,0,0))"},
            {"straddle_read",
             [] { read_quad<<<1, 1>>>(device<float4>(1), reinterpret_cast<float4*>(device<float>(9)), 2); },
             "out-of-bounds", "reads 16 bytes at byte 32 of allocation"},
            {"returned_inside", [] { write_four<<<1, 1>>>(device<four>(2), 1); }, "", ""},
            {"returned_past_the_end", [] { write_four<<<1, 1>>>(device<four>(2), 2); }, "out-of-bounds",
             "writes element 8 of allocation"},
            {"straddle_shared", [] { straddle_shared<<<1, 32>>>(device<float4>(1), 1); }, "out-of-bounds",
             "reads 16 bytes at byte 16 of s_seven, 4 bytes past its end"},
            {"straddle_dynamic", [] { straddle_dynamic<<<1, 1, 28>>>(1); }, "out-of-bounds",
             "dynamic shared memory, 4 bytes past the 28 that the launch asks for"},
            {"straddle_constant", [] { straddle_constant<<<1, 1>>>(device<float4>(2), 1); }, "out-of-bounds",
             "reads 16 bytes at byte 16 of c_seven, 4 bytes past its end"},
            {"straddle_variable", [] { straddle_variable<<<1, 1>>>(device<float4>(2), 1); }, "out-of-bounds",
             "reads 16 bytes at byte 16 of d_seven, 4 bytes past its end"},
            {"straddle_row", [] { launch_straddle_row(1, 21); }, "row-overrun",
             "writes 16 bytes at byte 80 of row 1 of allocation"},
            {"straddle_row", [] { launch_straddle_row(2, 21); }, "row-overrun",
             "12 bytes past the row's end (block (0,0,0)"},
            {"straddle_atomic", [] { add_double<<<1, 1>>>(reinterpret_cast<double*>(device<float>(7)) + 3); },
             "out-of-bounds", "atomically updates 8 bytes at byte 24 of allocation"},
            {"begins_before", [] { read_before<<<1, 1>>>(device<couple>(1), device<float>(2)); },
             "out-of-bounds", "element -1 of allocation"},
            {"deeper", launch_recursive<16>, "stack-overflow", "more than 64 KB of stack"},
            {"deeper", launch_recursive<17>, "stack-overflow", "more than 64 KB of stack"},
            {"deeper", launch_recursive<18>, "stack-overflow", "more than 64 KB of stack"},
            {"deeper", launch_recursive<20>, "stack-overflow", "more than 64 KB of stack"},
            {"deeper", launch_recursive<22>, "stack-overflow", "more than 64 KB of stack"},
            {"memcpy_inside", [] { copies<<<1, 32>>>(device<float>(8), device<float>(8), 32); }, "", ""},
            {"memcpy_past_the_end", [] { copies<<<1, 32>>>(device<float>(8), device<float>(7), 32); },
             "out-of-bounds", "reads element 7 of allocation"},
            {"modff_past_the_end", [] { splits<<<1, 1>>>(device<float>(8) + 8, 2.5f); }, "out-of-bounds",
             "writes element 8 of allocation"},
            {"frexpf_past_the_end", [] { takes_the_exponent<<<1, 1>>>(device<int>(8) + 8, 2.5f); },
             "out-of-bounds", "writes element 8 of allocation"},
            {"remquof_past_the_end", [] { divides<<<1, 1>>>(device<int>(8) + 8, 2.5f); }, "out-of-bounds",
             "writes element 8 of allocation"},
            {"sincosf_past_the_end", [] { turns<<<1, 1>>>(device<float>(8) + 8, 2.5f); }, "out-of-bounds",
             "writes element 8 of allocation"},
            {"sincos_past_the_end", [] { turns_doubles<<<1, 1>>>(device<double>(8) + 8, 2.5); },
             "out-of-bounds", "writes element 8 of allocation"},
        });
}
