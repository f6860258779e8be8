// Operations of streams: which may run beside which, and races between them.
#include <cstring>
#include <thread>
#include <vector>

#include "expect.h"
#include "inspect/report/timeline.h"

__global__ void add_one(float* a, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) a[x] += 1;
}
__global__ void copy(float* to, const float* from, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) to[x] = from[x];
}
__global__ void set_byte(unsigned char* a, int at) {
    a[at] = 1;
}

constexpr int N = 256;
constexpr size_t BYTES = N * sizeof(float);

/// Two streams, two arrays on the device and two that are page-locked.
struct setting {
    cudaStream_t one{}, two{};
    cudaEvent_t event{};
    float *a = nullptr, *b = nullptr, *host = nullptr, *other = nullptr;

    explicit setting(unsigned flags = cudaStreamNonBlocking) {
        cudaStreamCreateWithFlags(&one, flags);
        cudaStreamCreateWithFlags(&two, flags);
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        cudaMallocHost(&host, BYTES);
        cudaMallocHost(&other, BYTES);
        std::memset(host, 0, BYTES);
        std::memset(other, 0, BYTES);
        a = device<float>(N);
        b = device<float>(N);
    }
    ~setting() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(one);
        cudaStreamDestroy(two);
        cudaEventDestroy(event);
        cudaFreeHost(host);
        cudaFreeHost(other);
        cudaFree(a);
        cudaFree(b);
    }
};

// Of lines of their own: findings name the line of the call.
#define UP(to, from, stream) cudaMemcpyAsync(to, from, BYTES, cudaMemcpyHostToDevice, stream)
#define DOWN(to, from, stream) cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDeviceToHost, stream)

// ---- faulty

static void kernel_beside_copy() {
    const setting s;
    UP(s.a, s.host, s.one);
    add_one<<<2, 128, 0, s.two>>>(s.a, N);  // HERE kernel beside copy
}
static void copy_beside_kernel() {
    const setting s;
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    DOWN(s.host, s.a, s.two);  // HERE copy beside kernel
}
static void kernels() {
    const setting s;
    copy<<<2, 128, 0, s.one>>>(s.b, s.a, N);
    add_one<<<2, 128, 0, s.two>>>(s.a, N);  // HERE kernels
}
static void one_word() {
    const setting s;
    copy<<<2, 128, 0, s.one>>>(s.a, s.b, 129);
    copy<<<2, 128, 0, s.two>>>(s.a + 128, s.b, 64);  // HERE one word
}
static void page_locked_memory() {
    const setting s;
    DOWN(s.host, s.a, s.one);
    UP(s.b, s.host, s.two);  // HERE page-locked memory
}
static void event_too_early() {
    const setting s;
    cudaEventRecord(s.event, s.one);
    UP(s.a, s.host, s.one);
    cudaStreamWaitEvent(s.two, s.event, 0);
    add_one<<<2, 128, 0, s.two>>>(s.a, N);  // HERE event too early
}
static void default_stream_of_its_own() {
    const setting s;  // cudaStreamNonBlocking
    UP(s.a, s.host, s.one);
    add_one<<<2, 128>>>(s.a, N);  // HERE default stream of its own
}
static void other_stream_waited_for() {
    const setting s;
    UP(s.a, s.host, s.one);
    cudaStreamSynchronize(s.two);
    add_one<<<2, 128, 0, s.two>>>(s.a, N);  // HERE other stream waited for
}
static void buffer_reused() {
    const setting s;
    UP(s.a, s.host, s.one);  // HERE buffer reused
    s.host[7] = 1;
    cudaStreamSynchronize(s.one);
}
static void buffer_reused_in_the_default_stream() {
    const setting s;
    UP(s.a, s.host, nullptr);  // HERE buffer reused in the default stream
    s.host[7] = 1;
    cudaDeviceSynchronize();
}
static void per_thread_streams() {
    const setting s;
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    add_one<<<2, 128, 0, cudaStreamPerThread>>>(s.a, N);  // HERE per-thread streams
}

// ---- right

static void one_stream() {
    const setting s;
    UP(s.a, s.host, s.one);
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    DOWN(s.host, s.a, s.one);
    cudaStreamSynchronize(s.one);
    s.host[0] = 1;
}
static void event_between() {
    const setting s;
    UP(s.a, s.host, s.one);
    cudaEventRecord(s.event, s.one);
    cudaStreamWaitEvent(s.two, s.event, 0);
    add_one<<<2, 128, 0, s.two>>>(s.a, N);
}
static void event_of_an_event() {
    const setting s;
    cudaEvent_t again;
    cudaEventCreate(&again);
    UP(s.a, s.host, s.one);
    cudaEventRecord(s.event, s.one);
    cudaStreamWaitEvent(s.two, s.event, 0);
    cudaEventRecord(again, s.two);
    cudaStreamWaitEvent(nullptr, again, 0);
    add_one<<<2, 128>>>(s.a, N);
    cudaDeviceSynchronize();
    cudaEventDestroy(again);
}
static void implicit_order() {
    const setting s(cudaStreamDefault);
    UP(s.a, s.host, s.one);
    add_one<<<2, 128>>>(s.a, N);
    add_one<<<2, 128, 0, s.two>>>(s.a, N);
}
static void waits_of_the_host() {
    const setting s;
    UP(s.a, s.host, s.one);
    cudaDeviceSynchronize();
    s.host[1] = 2;
    add_one<<<2, 128, 0, s.two>>>(s.a, N);
    cudaStreamSynchronize(s.two);
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    cudaEventRecord(s.event, s.one);
    cudaEventSynchronize(s.event);
    DOWN(s.host, s.a, s.two);
    cudaEventRecord(s.event, s.two);
    while (cudaEventQuery(s.event) == cudaErrorNotReady) {
    }
    UP(s.b, s.host, s.one);
    while (cudaStreamQuery(s.one) == cudaErrorNotReady) {
    }
    s.host[0] = 0;
}
static void free_waits() {
    const setting s;
    UP(s.a, s.host, s.one);
    cudaFree(device<float>(1));
    add_one<<<2, 128, 0, s.two>>>(s.a, N);
}
static void halves() {
    const setting s;
    copy<<<1, 128, 0, s.one>>>(s.a, s.b, 128);
    copy<<<1, 128, 0, s.two>>>(s.a + 128, s.b, 128);
}
static void bytes_of_one_word() {
    const setting s;
    set_byte<<<1, 1, 0, s.one>>>(reinterpret_cast<unsigned char*>(s.a), 5);
    set_byte<<<1, 1, 0, s.two>>>(reinterpret_cast<unsigned char*>(s.a), 6);
}
static void pageable_copies_wait() {
    const setting s;
    float pageable[N] = {};
    UP(s.a, pageable, s.one);
    pageable[0] = 1;
    add_one<<<2, 128, 0, s.two>>>(s.a, N);
}
static void ring() {
    const setting s;
    cudaEvent_t free_again[2];
    for (cudaEvent_t& one : free_again)
        cudaEventCreate(&one);
    float* const hosts[2] = {s.host, s.other};
    float* const buffers[2] = {s.a, s.b};
    cudaStream_t const streams[2] = {s.one, s.two};
    for (int frame = 0; frame < 6; frame++) {
        const int k = frame % 2;
        cudaEventSynchronize(free_again[k]);
        hosts[k][0] = float(frame);
        UP(buffers[k], hosts[k], streams[k]);
        add_one<<<2, 128, 0, streams[k]>>>(buffers[k], N);
        cudaEventRecord(free_again[k], streams[k]);
    }
    cudaDeviceSynchronize();
    for (cudaEvent_t one : free_again)
        cudaEventDestroy(one);
}
static void captured() {
    const setting s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s.one, cudaStreamCaptureModeGlobal);
    UP(s.a, s.host, s.one);
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    cudaStreamEndCapture(s.one, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s.two);
    cudaStreamSynchronize(s.two);
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

/// A graph of two branches: what `joined` says is whether the kernel of one waits for the copy of the other.
static void branches(const setting& s, bool joined) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaStreamBeginCapture(s.one, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s.one);
    cudaStreamWaitEvent(s.two, fork, 0);
    UP(s.a, s.host, s.one);
    if (joined) {
        cudaEventRecord(s.event, s.one);
        cudaStreamWaitEvent(s.two, s.event, 0);
    }
    add_one<<<2, 128, 0, s.two>>>(s.a, N);
    cudaEventRecord(s.event, s.two);
    cudaStreamWaitEvent(s.one, s.event, 0);
    cudaStreamEndCapture(s.one, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int launch = 0; launch < 2; launch++)
        cudaGraphLaunch(exec, s.one);  // HERE branches of a graph
    add_one<<<2, 128, 0, s.one>>>(s.a, N);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
}
static void branches_of_a_graph() {
    branches(setting(), false);
}
static void joined_branches() {
    branches(setting(), true);
}

// ---- counts

static void is_not_there_before_a_wait() {
    const setting s;
    s.host[3] = 5;
    DOWN(s.host, s.a, s.one);
    EXPECT(s.host[3] != s.host[3]);  // NaN
    cudaStreamSynchronize(s.one);
    EXPECT(s.host[3] == 0);
}

static void overlaps() {
    const inspect::report seen = inspected([] {
        const setting s;
        for (int strip = 0; strip < 2; strip++) {
            const cudaStream_t stream = strip == 0 ? s.one : s.two;
            float* const buffer = strip == 0 ? s.a : s.b;
            UP(buffer, s.host, stream);
            add_one<<<2, 128, 0, stream>>>(buffer, N);
            DOWN(strip == 0 ? s.host : s.other, buffer, stream);
        }
    });
    // The second copy down would race with the first copy up; the two of one stream do not.
    std::vector<inspect::operation> work;
    for (const inspect::operation& one : seen.operations)
        if (one.what != "allocate" && one.what != "fill") work.push_back(one);
    EXPECT(work.size() == 6);
    const unsigned streams[] = {1, 1, 1, 2, 2, 2};
    const uint64_t overlaps[] = {1, 2, 1, 1, 2, 1}, slots[] = {0, 1, 2, 1, 2, 3};
    for (size_t k = 0; k < 6; k++) {
        EXPECT(work[k].stream == streams[k] && work[k].overlaps == overlaps[k]);
        EXPECT(work[k].slot - work[0].slot == slots[k]);
        EXPECT(!work[k].host_waits && work[k].line > 0);
    }
    const std::string drawn = inspect::timeline(seen), before(work[0].slot, ' ');
    EXPECT(drawn.ends_with("  stream 1    " + before + ">#<\n  stream 2    " + before + " >#<\n"));
    EXPECT(work[0].bytes == BYTES && work[0].what == "to-device" && work[2].what == "to-host");
}

static void waits_keep_apart() {
    const inspect::report seen = inspected([] {
        const setting s;
        float pageable[N] = {};
        UP(s.a, pageable, s.one);
        add_one<<<2, 128, 0, s.one>>>(s.a, N);
        cudaStreamSynchronize(s.one);
        UP(s.b, s.host, s.two);
    });
    for (const inspect::operation& one : seen.operations)
        EXPECT(one.overlaps == 0);
}

static void are_counted_without_streams() {
    const inspect::report seen = inspected([] {
        float *memory = nullptr, host[N] = {};
        cudaMalloc(&memory, BYTES);
        cudaMemcpy(memory, host, BYTES, cudaMemcpyHostToDevice);
        add_one<<<2, 128>>>(memory, N);
        cudaMemcpy(host, memory, 4, cudaMemcpyDeviceToHost);
        cudaFree(memory);
    });
    EXPECT(seen.operations.size() == 4);
    const char* const what[] = {"allocate", "to-device", "kernel", "to-host"};
    const uint64_t bytes[] = {BYTES, BYTES, 0, 4};
    for (size_t k = 0; k < 4 && k < seen.operations.size(); k++) {
        EXPECT(seen.operations[k].what == what[k] && seen.operations[k].bytes == bytes[k]);
        EXPECT(seen.operations[k].stream == 0 && seen.operations[k].slot == (k == 0 ? 0 : k - 1));
    }
}

/// Several host threads ask at the same time, each in a stream of its own.
static void several_threads() {
    constexpr int THREADS = 4, LAUNCHES = 100;
    const auto ask = [] {
        setting s(cudaStreamDefault);
        for (int launch = 0; launch < LAUNCHES; launch++) {
            cudaMemcpyAsync(s.a, s.host, BYTES, cudaMemcpyHostToDevice, s.one);
            add_one<<<N, 1, 0, s.one>>>(s.a, N);
            cudaMemcpyAsync(s.other, s.a, BYTES, cudaMemcpyDeviceToHost, s.one);
            cudaStreamSynchronize(s.one);
        }
    };
    const inspect::report seen = inspected([&] {
        std::vector<std::thread> askers;
        for (int k = 0; k < THREADS; k++)
            askers.emplace_back(ask);
        for (std::thread& asker : askers)
            asker.join();
    });
    EXPECT(seen.launches.size() == THREADS * LAUNCHES && seen.findings.empty());
    for (const inspect::launch& one : seen.launches)
        EXPECT(one.kernel == "add_one");
}

int main() {
    inspect::begin();
    for (void (*one)() : {is_not_there_before_a_wait, overlaps, waits_keep_apart, are_counted_without_streams,
                          several_threads})
        run_case(one);
    return check_cases(
        __FILE__,
        {{"kernel beside copy", kernel_beside_copy, "stream-race", "add_one in stream 2 writes 1024 bytes"},
         {"copy beside kernel", copy_beside_kernel, "stream-race", "cudaMemcpyAsync in stream 2 reads"},
         {"kernels", kernels, "stream-race", "that copy in stream 1 reads"},
         {"one word", one_word, "stream-race", "writes 4 bytes of device memory of 1024 bytes"},
         {"page-locked memory", page_locked_memory, "stream-race", "page-locked memory"},
         {"event too early", event_too_early, "stream-race", "add_one in stream 2"},
         {"default stream of its own", default_stream_of_its_own, "stream-race", "in the default stream"},
         {"other stream waited for", other_stream_waited_for, "stream-race", "add_one in stream 2"},
         {"buffer reused", buffer_reused, "stream-race", "before it has waited"},
         {"buffer reused in the default stream", buffer_reused_in_the_default_stream, "stream-race",
          "before it has waited"},
         {"per-thread streams", per_thread_streams, "stream-race", "add_one in stream 2"},
         {"one stream", one_stream, "", ""},
         {"event between", event_between, "", ""},
         {"event of an event", event_of_an_event, "", ""},
         {"implicit order", implicit_order, "", ""},
         {"waits of the host", waits_of_the_host, "", ""},
         {"free waits", free_waits, "", ""},
         {"halves", halves, "", ""},
         {"bytes of one word", bytes_of_one_word, "", ""},
         {"pageable copies wait", pageable_copies_wait, "", ""},
         {"ring", ring, "", ""},
         {"captured", captured, "", ""},
         {"branches of a graph", branches_of_a_graph, "stream-race", "add_one in stream"},
         {"joined branches", joined_branches, "", ""}});
}
