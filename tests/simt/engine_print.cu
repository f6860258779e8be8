// printf in kernels: in the order of the blocks, whatever runner was first; host output stays in its place.
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
        printf("after\n");
    });
    std::string expected = "before\n";
    for (int b = 0; b < BLOCKS; b++) {
        for (int t = 0; t < 2; t++) {
            expected += "block " + std::to_string(b) + " thread " + std::to_string(t) + " of many!\n";
        }
    }
    EXPECT(greetings == expected + "after\n");
}

static void check_forms() {
    const std::string forms = output_of([] { other_forms<<<1, 1>>>(); });
    EXPECT(forms == "text alone\nno newline\na string alone\n 3.14|-1|1099511627776|(nil)|ff%\n");
    const std::string longest = output_of([] { long_text<<<1, 1>>>(); });
    EXPECT(longest.size() == 1501 && longest[1499] == '7');
    EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
    return run_cases({check_order, check_forms});
}
