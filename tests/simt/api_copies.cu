// Copies and fills of rows: pitched memory in two and three dimensions, and every wrong pitch.
#include <cmath>

#include "api_test.h"

__global__ void double_pixels(float* image, size_t pitch, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x >= width || y >= height) return;
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
    row[x] *= 2.0f;
}

void pitched_memory() {
    const int width = 5, height = 3;
    host_events seen;
    float* d_image = nullptr;
    size_t pitch = 0;
    EXPECT_OK(cudaMallocPitch(&d_image, &pitch, width * sizeof(float), height));
    EXPECT(pitch == 512);
    EXPECT(seen.allocations[0].pitch == 512 && seen.allocations[0].row_bytes == 20);
    EXPECT(seen.allocations[0].bytes == 512 * 3);
    float in[height][width], out[height][width + 2] = {};
    for (int i = 0; i < width * height; i++)
        in[i / width][i % width] = float(i);
    EXPECT_OK(cudaMemcpy2D(d_image, pitch, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice));
    const uintptr_t begin = address_of(d_image);
    EXPECT(seen.events.size() == 4 && seen.events[2] == (host_events::event{"wrote", begin + 512, 20}));
    double_pixels<<<1, dim3(8, 8)>>>(d_image, pitch, width, height);
    EXPECT_OK(cudaMemcpy2D(out, sizeof out[0], d_image, pitch, sizeof in[0], height, cudaMemcpyDeviceToHost));
    EXPECT(out[0][0] == 0 && out[0][4] == 8 && out[1][0] == 10 && out[2][4] == 28);
    EXPECT(out[0][5] == 0 && out[1][6] == 0);
    EXPECT_OK(cudaMemset2D(d_image, pitch, 0, 2 * sizeof(float), height));
    EXPECT_OK(cudaMemcpy2DAsync(out, sizeof out[0], d_image, pitch, sizeof in[0], height, cudaMemcpyDefault));
    EXPECT(out[1][1] == 0 && out[1][2] == 14);
    float padding = 0;
    EXPECT_OK(cudaMemcpy(&padding, d_image + width, sizeof padding, cudaMemcpyDeviceToHost));
    EXPECT(std::isnan(padding));
    EXPECT_OK(cudaFree(d_image));
}

void elements_for_bytes() {
    float host[100] = {};
    float* d_few = nullptr;
    EXPECT_OK(cudaMalloc(&d_few, 100));
    const auto said = [&](size_t bytes) {
        return stderr_of([&] { cudaMemcpy(host, d_few, bytes, cudaMemcpyDeviceToHost); });
    };
    EXPECT(said(400).find("left, not 400: was a number of elements allocated, not of bytes?") !=
           std::string::npos);
    EXPECT(said(399).find("left, not 399\n") != std::string::npos);
    EXPECT_OK(cudaFree(d_few));
}

void wrong_pitches() {
    char host[64] = {};
    char* d_image = nullptr;
    size_t pitch = 0;
    EXPECT_OK(cudaMallocPitch(&d_image, &pitch, 2000, 3));
    EXPECT(pitch == 2048);
    const auto kind = cudaMemcpyHostToDevice;
    EXPECT_REFUSED(cudaErrorInvalidPitchValue, cudaMemcpy2D(d_image, 16, host, 20, 20, 3, kind));
    EXPECT_REFUSED(cudaErrorInvalidPitchValue, cudaMemcpy2D(d_image, pitch, host, 16, 20, 3, kind));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy2D(d_image, pitch, host, 20, 20, 4, kind));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy2D(host, 20, d_image, pitch, 20, 3, kind));
    EXPECT_REFUSED(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpy2D(d_image, pitch, host, 20, 20, 3, cudaMemcpyKind(-1)));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset2D(d_image, 16, 0, 20, 3));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset2D(host, 20, 0, 20, 3));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset2D(d_image, pitch, 0, 20, 4));
    EXPECT_OK(cudaMemcpy2D(d_image, pitch, host, 20, 0, 3, kind));
    EXPECT_OK(cudaMemcpy2D(d_image, pitch, host, 20, 20, 0, kind));
    // The last row may end with the allocation, whatever the pitch.
    EXPECT_OK(cudaMemcpy2D(d_image + 2 * pitch, size_t(1) << 32, host, 20, 20, 1, kind));
    EXPECT_OK(cudaFree(d_image));
    EXPECT_REFUSED(cudaErrorMemoryAllocation,
                   cudaMallocPitch(&d_image, &pitch, size_t(1) << 40, size_t(1) << 40));
    EXPECT_OK(cudaMallocPitch(&d_image, &pitch, 0, 4));
}

void three_dimensions() {
    const size_t width = 3, height = 2, depth = 2;
    cudaPitchedPtr d_box = {};
    EXPECT_OK(cudaMalloc3D(&d_box, make_cudaExtent(width, height, depth)));
    EXPECT(d_box.pitch == 512 && d_box.xsize == width && d_box.ysize == height);
    char in[12], out[12] = {};
    for (int i = 0; i < 12; i++)
        in[i] = char(i);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(in, width, width, height);
    copy.dstPtr = d_box;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_OK(cudaMemcpy3D(&copy));
    copy.srcPtr = d_box;
    copy.srcPos = make_cudaPos(1, 0, 1);
    copy.dstPtr = make_cudaPitchedPtr(out, width, width, height);
    copy.extent = make_cudaExtent(2, 2, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_OK(cudaMemcpy3D(&copy));
    EXPECT(out[0] == 7 && out[1] == 8 && out[2] == 0 && out[3] == 10 && out[4] == 11);
    EXPECT_OK(cudaMemset3D(d_box, 1, make_cudaExtent(width, height, depth)));
    EXPECT_OK(cudaMemcpy3D(&copy));
    EXPECT(out[0] == 1 && out[4] == 1);
    EXPECT_OK(cudaMemset3DAsync(d_box, 2, make_cudaExtent(width, 1, depth)));
    EXPECT_OK(cudaMemcpy3D(&copy));
    EXPECT(out[0] == 2 && out[4] == 1);
    EXPECT_OK(cudaFree(d_box.ptr));
}

/// The device is its own peer, and there is no other.
void between_devices() {
    int *d_from = nullptr, *d_to = nullptr, host[4] = {1, 2, 3, 4};
    EXPECT_OK(cudaMalloc(&d_from, sizeof host));
    EXPECT_OK(cudaMalloc(&d_to, sizeof host));
    EXPECT_OK(cudaMemcpy(d_from, host, sizeof host, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpyPeer(d_to, 0, d_from, 0, 8));
    EXPECT_OK(cudaMemcpyPeerAsync(d_to + 2, 0, d_from, 0, 8));
    EXPECT_OK(cudaMemcpy(host, d_to, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 1 && host[1] == 2 && host[2] == 1 && host[3] == 2);
    cudaMemcpy3DPeerParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(d_from, 8, 8, 2);
    copy.dstPtr = make_cudaPitchedPtr(d_to, 8, 8, 2);
    copy.extent = make_cudaExtent(4, 2, 1);
    EXPECT_OK(cudaMemcpy3DPeer(&copy));
    copy.srcPos = copy.dstPos = make_cudaPos(4, 0, 0);
    EXPECT_OK(cudaMemcpy3DPeerAsync(&copy));
    EXPECT_OK(cudaMemcpy(host, d_to, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 1 && host[1] == 2 && host[2] == 3 && host[3] == 4);

    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaMemcpyPeer(d_to, 1, d_from, 0, 8));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(d_to, 0, d_from, -1, 8));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyPeer(d_to, 0, d_from, 0, 20));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy3DPeer(nullptr));
    copy.dstDevice = 2;
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaMemcpy3DPeerAsync(&copy));
    EXPECT_OK(cudaFree(d_from));
    EXPECT_OK(cudaFree(d_to));
}

int main() {
    return run_cases({pitched_memory, elements_for_bytes, wrong_pitches, three_dimensions, between_devices});
}
