// One image on 1, 2 and 4 devices, for lab 19: what passes of a filter take once the image is there.
// devices DATE [SIDE] prints a file: a row for each method and number of devices that there are. Methods: pass by pass,
// the exchange beside the interior, and, where this was compiled with NCCL's header, that with NCCL's send and receive.
#include "../../solutions/19_conv2d_multi_gpu/conv2d_multi_gpu.cu"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "lab/recorder.h"

#if __has_include(<nccl.h>)
#include <nccl.h>
#define HAS_NCCL 1
#else
#define HAS_NCCL 0
#endif

namespace {

constexpr int SIDE = 16384, FILTER = 9, PASSES = 8;
constexpr int WARMUPS = 1, REPEATS = 5;

#if HAS_NCCL

void check(ncclResult_t status, const char* call) {
    if (status == ncclSuccess) return;
    throw std::runtime_error(std::string(call) + ": " + ncclGetErrorString(status));
}

/// One communicator a device.
class communicators {
public:
    explicit communicators(int devices) : all_(size_t(devices)) {
        check(ncclCommInitAll(all_.data(), devices, nullptr), "ncclCommInitAll");
    }
    ~communicators() {
        for (ncclComm_t one : all_)
            ncclCommDestroy(one);
    }
    communicators(const communicators&) = delete;
    communicators& operator=(const communicators&) = delete;
    ncclComm_t operator[](size_t k) const { return all_[k]; }

private:
    std::vector<ncclComm_t> all_;
};

/// Strip k sends its rows at the seam to a neighbour, and gets as many; one call of a group.
void exchange_with(const job& all, const communicators& comms, size_t k, size_t neighbour, int pass) {
    strip& s = *all.strips[k];
    const bool above = neighbour < k;
    const size_t values = size_t(all.radius) * all.width;
    const int sent = above ? s.own.begin : s.own.end - all.radius;
    const int got = above ? s.own.begin - all.radius : s.own.end;
    const auto place = [&](int row) { return s.target(pass) + size_t(row - s.all.begin) * all.width; };
    check(ncclSend(place(sent), values, ncclFloat, int(neighbour), comms[k], s.edges), "ncclSend");
    check(ncclRecv(place(got), values, ncclFloat, int(neighbour), comms[k], s.edges), "ncclRecv");
}

/// conv2d_overlapped, but that NCCL exchanges the rows: who receives waits by itself until they are there.
void conv2d_nccl(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                 int height, int filter_width, int filter_height, int passes, int devices) {
    const job all = prepare(in, filter, width, height, filter_width, filter_height, devices);
    const communicators comms(devices);
    timed_launch([&] {
        for (int pass = 0; pass < passes; pass++) {
            for (size_t k = 0; k < all.strips.size(); k++) {
                strip& s = *all.strips[k];
                const int above = all.has_above(k) ? all.radius : 0,
                          below = all.has_below(k) ? all.radius : 0;
                on_device(s.device, [&] {
                    CUDA_CHECK(cudaStreamWaitEvent(s.edges, s.inner_is_done, 0));
                    CUDA_CHECK(cudaStreamWaitEvent(s.inner, s.edges_are_done, 0));
                    const rows top = {s.own.begin, s.own.begin + above};
                    all.filter_rows(k, pass, top, s.edges);
                    all.filter_rows(k, pass, {std::max(top.end, s.own.end - below), s.own.end}, s.edges);
                    CUDA_CHECK(cudaEventRecord(s.edges_are_done, s.edges));
                });
            }
            if (pass + 1 < passes && all.radius > 0 && devices > 1) {
                check(ncclGroupStart(), "ncclGroupStart");
                for (size_t k = 0; k < all.strips.size(); k++) {
                    if (all.has_above(k)) exchange_with(all, comms, k, k - 1, pass);
                    if (all.has_below(k)) exchange_with(all, comms, k, k + 1, pass);
                }
                check(ncclGroupEnd(), "ncclGroupEnd");
            }
            for (size_t k = 0; k < all.strips.size(); k++) {
                strip& s = *all.strips[k];
                const int above = all.has_above(k) ? all.radius : 0,
                          below = all.has_below(k) ? all.radius : 0;
                on_device(s.device, [&] {
                    all.filter_rows(k, pass, {s.own.begin + above, s.own.end - below}, s.inner);
                    CUDA_CHECK(cudaEventRecord(s.inner_is_done, s.inner));
                });
            }
        }
        wait_for(all);
    });
    fetch(out, all, passes);
}

#endif

using method = decltype(&conv2d_overlapped);

/// Kernels of one device reach its peers' memory by themselves, and copies take the direct way.
void enable_peers(int count) {
    for (int device = 0; device < count; device++) {
        for (int peer = 0; peer < count; peer++) {
            int can = 0;
            if (device != peer) CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
            if (!can) continue;
            const current_device now(device);
            CUDA_CHECK(cudaDeviceEnablePeerAccess(peer, 0));
        }
    }
}

void measure(const char* name, method what, int devices, int side, const char* date) {
    std::vector<float> in(size_t(side) * side), out(in.size()),
        taps(FILTER * FILTER, 1.0f / (FILTER * FILTER));
    for (size_t k = 0; k < in.size(); k++)
        in[k] = float(k * 2654435761u % 2000) / 1000 - 1;
    static std::vector<float> first;  // what one device gives: all others give the same bits
    lab::current_call() = {};
    lab::current_call().warmups = WARMUPS;
    lab::current_call().repeats = REPEATS;
    what(out, in, taps, side, side, FILTER, FILTER, PASSES, devices);
    if (first.empty()) first = out;
    if (out != first)
        throw std::runtime_error(std::string(name) + " on " + std::to_string(devices) +
                                 " devices: wrong values");
    std::vector<double> times = lab::current_call().kernel_ms;
    std::sort(times.begin(), times.end());
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    std::printf("19_conv2d_multi_gpu,%s_%d,gpu,%s,%s,%d,%d,1,%d,%d,%.4f,%d,%d\n", name, devices, device.name,
                date, side, side, FILTER, FILTER, times[times.size() / 2], PASSES, REPEATS);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: devices DATE [SIDE]\n"), 2;
    try {
        const int side = argc > 2 ? std::atoi(argv[2]) : SIDE;
        int count = 0;
        CUDA_CHECK(cudaGetDeviceCount(&count));
        enable_peers(count);
        std::printf(
            "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,"
            "passes,"
            "repeats\n");
        for (int devices = 1; devices <= count; devices *= 2) {
            measure("in_turn", conv2d_in_turn, devices, side, argv[1]);
            measure("overlapped", conv2d_overlapped, devices, side, argv[1]);
#if HAS_NCCL
            measure("nccl", conv2d_nccl, devices, side, argv[1]);
#endif
        }
        if (!HAS_NCCL)
            std::fprintf(stderr, "devices: nccl.h is missing: -I its folder; nothing measured of NCCL\n");
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "devices: %s\n", error.what()), 1;
    }
}
