// Right: a cell is stored when the next one has been asked for; one slab of memory and one stream for all.
#include "conv2d_shared.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr unsigned SIDE_X = 32, SIDE_Y = 8, MAX_TAPS = 16384;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_TAPS];

struct job {
    float* out;
    const float* in;
    unsigned width, height, filter_x, filter_y;
};

/// One pixel is on its way while the next is asked for.
struct delayed_store {
    float* cells;
    const job& work;
    float value = 0.0f;
    int place = -1;  // of the value; -1: none is on its way

    __device__ void take(unsigned column, unsigned row) {
        // Unsigned: left of or above the image is far beyond its end.
        const unsigned x = blockIdx.x * SIDE_X + column - work.filter_x / 2;
        const unsigned y = blockIdx.y * SIDE_Y + row - work.filter_y / 2;
        const float next = x < work.width && y < work.height ? work.in[size_t(y) * work.width + x] : 0.0f;
        flush();
        value = next;
        place = int(row * (SIDE_X + work.filter_x - 1) + column);
    }
    __device__ void flush() const {
        if (place >= 0) cells[place] = value;
    }
};

template <loading HOW>
__device__ void load_tile(delayed_store& cells, unsigned tile_width, unsigned tile_height) {
    const unsigned tx = threadIdx.x, ty = threadIdx.y, halo_x = (tile_width - SIDE_X) / 2,
                   halo_y = (tile_height - SIDE_Y) / 2;
    if (HOW == loading::rows) {
        for (unsigned k = ty * SIDE_X + tx; k < tile_width * tile_height; k += SIDE_X * SIDE_Y)
            cells.take(k % tile_width, k / tile_width);
        return;
    }
    if (HOW == loading::swept) {
        for (unsigned k = ty; k < tile_height; k += SIDE_Y)
            for (unsigned j = tx; j < tile_width; j += SIDE_X)
                cells.take(j, k);
        return;
    }
    cells.take(halo_x + tx, halo_y + ty);
    if constexpr (HOW == loading::one_thread) {
        if (tx || ty) return;
        unsigned row = 0, column = 0;
    cell:
        if (row - halo_y < SIDE_Y && column == halo_x) column += SIDE_X;  // over the block's own pixels
        if (column < tile_width) {
            cells.take(column++, row);
            goto cell;
        }
        column = 0;
        if (++row < tile_height) goto cell;
    } else {
        for (unsigned k = 0; k < halo_x; k++) {
            if (tx == 0) cells.take(k, halo_y + ty);
            if (tx == SIDE_X - 1) cells.take(halo_x + SIDE_X + k, halo_y + ty);
        }
        for (unsigned k = 0; k < halo_y; k++) {
            if (ty == 0) cells.take(halo_x + tx, k);
            if (ty == SIDE_Y - 1) cells.take(halo_x + tx, halo_y + SIDE_Y + k);
            if (tx || ty) continue;
            for (unsigned j = 0; j < 4 * halo_x; j++)  // two rows of corners
                cells.take(j % (2 * halo_x) + (j % (2 * halo_x) < halo_x ? 0 : SIDE_X),
                           j < 2 * halo_x ? k : halo_y + SIDE_Y + k);
        }
    }
}

template <unsigned X>
struct known {
    __host__ __device__ constexpr operator unsigned() const { return X; }
};

template <loading HOW, class width_type>
__global__ void conv2d_shared_kernel(job work, width_type filter_x) {
    extern __shared__ float s_cells[];
    const unsigned tile_width = SIDE_X + filter_x - 1, tile_height = SIDE_Y + work.filter_y - 1;
    delayed_store cells{s_cells, work};
    load_tile<HOW>(cells, tile_width, tile_height);
    cells.flush();
    __syncthreads();  // what is read below is there
    const unsigned x = blockIdx.x * SIDE_X + threadIdx.x, y = blockIdx.y * SIDE_Y + threadIdx.y;
    if (x >= work.width || y >= work.height) return;
    float sum = 0.0f;
    for (unsigned i = 0; i < work.filter_y; i++) {
        const float* cell = s_cells + (threadIdx.y + i) * tile_width + threadIdx.x;
#pragma unroll
        for (unsigned j = 0; j < filter_x; j++)
            sum += cell[j] * c_filter[i * filter_x + j];
    }
    work.out[size_t(y) * work.width + x] = sum;
}

__global__ void conv2d_no_tile_kernel(job work) {
    const unsigned x = blockIdx.x * SIDE_X + threadIdx.x, y = blockIdx.y * SIDE_Y + threadIdx.y;
    if (x >= work.width || y >= work.height) return;
    float sum = 0.0f;
    for (unsigned i = 0; i < work.filter_y; i++) {
        const unsigned row = y + i - work.filter_y / 2;
        if (row >= work.height) continue;
        for (unsigned j = 0; j < work.filter_x; j++) {
            const unsigned column = x + j - work.filter_x / 2;
            if (column < work.width)
                sum += work.in[size_t(row) * work.width + column] * c_filter[i * work.filter_x + j];
        }
    }
    work.out[size_t(y) * work.width + x] = sum;
}

/// Memory and a stream for one call; both go with it.
struct resources {
    float* memory = nullptr;
    cudaStream_t stream = nullptr;
    explicit resources(size_t bytes) {
        CUDA_CHECK(cudaMalloc(&memory, bytes));
        if (cudaStreamCreate(&stream) != cudaSuccess) cudaFree(memory), throw std::runtime_error("no stream");
    }
    ~resources() { cudaStreamDestroy(stream), cudaFree(memory); }
    resources(const resources&) = delete;
};

/// `launch` gets the grid, the block and the job, and the bytes of a tile; 0 if there is none.
template <class launcher>
static void in_a_stream(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                        int width, int height, int filter_width, int filter_height, bool tile,
                        launcher launch) {
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument(std::to_string(filter.size()) + " taps, at most " +
                                    std::to_string(MAX_TAPS));
    const resources own(in.size_bytes() + out.size_bytes());
    job work{own.memory + in.size(), own.memory, unsigned(width), unsigned(height), unsigned(filter_width),
             unsigned(filter_height)};
    CUDA_CHECK(cudaMemcpyToSymbolAsync(c_filter, filter.data(), filter.size_bytes(), 0,
                                       cudaMemcpyHostToDevice, own.stream));
    CUDA_CHECK(cudaMemcpyAsync(own.memory, in.data(), in.size_bytes(), cudaMemcpyHostToDevice, own.stream));
    const size_t bytes = sizeof(float) * (SIDE_X + filter_width - 1) * (SIDE_Y + filter_height - 1);
    const dim3 grid((width - 1) / SIDE_X + 1, (height - 1) / SIDE_Y + 1), block(SIDE_X, SIDE_Y);
    timed_launch([&] {
        if (tile && bytes <= MAX_SHARED)
            launch(grid, block, bytes, own.stream, work);
        else
            conv2d_no_tile_kernel<<<grid, block, 0, own.stream>>>(work);
    });
    CUDA_CHECK(cudaMemcpyAsync(out.data(), work.out, out.size_bytes(), cudaMemcpyDeviceToHost, own.stream));
    CUDA_CHECK(cudaStreamSynchronize(own.stream));
}

void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how) {
    auto kernel = conv2d_shared_kernel<loading::swept, unsigned>;
    if (how == loading::rows) kernel = conv2d_shared_kernel<loading::rows, unsigned>;
    if (how == loading::one_thread) kernel = conv2d_shared_kernel<loading::one_thread, unsigned>;
    if (how == loading::edge_threads) kernel = conv2d_shared_kernel<loading::edge_threads, unsigned>;
    in_a_stream(out, in, filter, width, height, filter_width, filter_height, how != loading::no_tile,
                [&](dim3 grid, dim3 block, size_t bytes, cudaStream_t stream, const job& work) {
                    kernel<<<grid, block, bytes, stream>>>(work, work.filter_x);
                });
}

void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    in_a_stream(out, in, filter, width, height, filter_width, filter_height, true,
                [](dim3 grid, dim3 block, size_t bytes, cudaStream_t stream, const job& work) {
                    const auto launch = [&](auto filter_x) {
                        conv2d_shared_kernel<loading::swept><<<grid, block, bytes, stream>>>(work, filter_x);
                    };
                    switch (work.filter_x) {
                        case 3:
                            return launch(known<3>());
                        case 5:
                            return launch(known<5>());
                        case 7:
                            return launch(known<7>());
                        case 9:
                            return launch(known<9>());
                        case 11:
                            return launch(known<11>());
                        default:
                            return launch(work.filter_x);
                    }
                });
}
