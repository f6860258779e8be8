// printf in kernels: in the order of the blocks, whatever runner was first, and when the host waits.
#include <unistd.h>

#include "engine_test.h"

__global__ void greet(int rounds) {
    // Earlier blocks take longer, so that with several runners they finish later.
    float sum = 0;
    for (int i = 0; i < rounds * int(gridDim.x - blockIdx.x); i++)
        sum += sqrtf(float(i));
    if (threadIdx.x < 2)
        printf("block %d thread %u of %s%c\n", blockIdx.x, threadIdx.x, "many", sum < 0 ? '?' : '!');
}

__global__ void other_forms() {
    printf("text alone\n");
    printf("no newline");
    printf("\n");
    printf("%s\n", "a string alone");
    printf("%5.2f|%d|%lld|%p|%x%%\n", 3.14159, -1, 1ll << 40, nullptr, 255u);
}

__global__ void long_text() {
    printf("%01500d\n", 7);
}

/// What `work` prints to stdout.
template <class function>
static std::string output_of(const function& work) {
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    FILE* file = tmpfile();
    dup2(fileno(file), STDOUT_FILENO);
    work();
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    std::string text;
    rewind(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        text += char(c);
    fclose(file);
    return text;
}

static void check_order() {
    constexpr int BLOCKS = 200, THREADS = 64;
    const std::string greetings = output_of([] {
        printf("before\n");
        greet<<<BLOCKS, THREADS>>>(200);
        printf("meanwhile\n");
        cudaDeviceSynchronize();
        printf("after\n");
    });
    std::string expected = "before\nmeanwhile\n";
    for (int b = 0; b < BLOCKS; b++) {
        for (int t = 0; t < 2; t++) {
            expected += "block " + std::to_string(b) + " thread " + std::to_string(t) + " of many!\n";
        }
    }
    EXPECT(greetings == expected + "after\n");
}

static void check_forms() {
    const std::string forms = output_of([] {
        other_forms<<<1, 1>>>();
        cudaDeviceSynchronize();
    });
    EXPECT(forms == "text alone\nno newline\na string alone\n 3.14|-1|1099511627776|(nil)|ff%\n");
    const std::string longest = output_of([] {
        long_text<<<1, 1>>>();
        cudaDeviceSynchronize();
    });
    EXPECT(longest.size() == 1501 && longest[1499] == '7');
    EXPECT(cudaGetLastError() == cudaSuccess);
}

__global__ void say(int number) {
    printf("kernel %d ", number);
}

__global__ void say_nothing() {}

/// What has been printed before the host prints "host", if it does `work` after a kernel.
template <class function>
static std::string output_before_host(const function& work) {
    const std::string all = output_of([&] {
        say<<<1, 1>>>(1);
        work();
        printf("host");
        cudaDeviceSynchronize();
    });
    return all.substr(0, all.find("host"));
}

// Which calls show what kernels have printed, and which do not: as seen on an H200 with CUDA 13.
static void check_what_shows() {
    float *memory, *other, *locked, plain[4] = {};
    cudaMalloc(&memory, sizeof(plain));
    cudaMalloc(&other, sizeof(plain));
    cudaMallocHost(&locked, sizeof(plain));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEvent_t event;
    cudaEventCreate(&event);
    const auto shows = [](const auto& work) { return output_before_host(work) == "kernel 1 "; };
    const auto shows_nothing = [](const auto& work) { return output_before_host(work).empty(); };

    EXPECT(shows([&] { cudaMemcpy(memory, plain, sizeof(plain), cudaMemcpyHostToDevice); }));
    EXPECT(shows([&] { cudaMemcpy(plain, memory, sizeof(plain), cudaMemcpyDeviceToHost); }));
    EXPECT(shows([&] { cudaMemcpy(other, memory, sizeof(plain), cudaMemcpyDeviceToDevice); }));
    EXPECT(shows([&] { cudaStreamSynchronize(stream); }));
    EXPECT(shows([&] {
        cudaEventRecord(event);
        cudaEventSynchronize(event);
    }));
    EXPECT(shows([&] { cudaFree(other); }));
    EXPECT(output_before_host([&] {
               const auto print = [](void*) { printf("function "); };
               cudaLaunchHostFunc(stream, print, nullptr);
           }) == "kernel 1 function ");
    EXPECT(output_before_host([&] { say<<<1, 1>>>(2); }) == "kernel 1 ");

    EXPECT(shows_nothing([&] { cudaMemset(memory, 0, sizeof(plain)); }));
    EXPECT(shows_nothing(
        [&] { cudaMemcpyAsync(locked, memory, sizeof(plain), cudaMemcpyDeviceToHost, stream); }));
    EXPECT(shows_nothing([&] { cudaMalloc(&other, sizeof(plain)); }));
    EXPECT(shows_nothing([&] { cudaStreamQuery(stream); }));
    EXPECT(shows_nothing([&] { say_nothing<<<1, 1>>>(); }));
    EXPECT(shows([&] { cudaFreeHost(locked); }));
    EXPECT(shows([&] { cudaDeviceReset(); }));
    EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
    return run_cases({check_order, check_forms, check_what_shows});
}
