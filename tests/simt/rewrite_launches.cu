// Every way to write a launch: each runs its kernel once, with the grid and the arguments that were written.
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include "engine_test.h"

__global__ void add(int* sum, int value) {
    atomicAdd(sum, value);
}
__global__ void add_twice(int* sum, int value);
__global__ void add_default(int* sum, int value = 7, const int* more = nullptr) {
    atomicAdd(sum, value + (more ? 100 : 0));
}
__global__ void overloaded(int* sum) {
    atomicAdd(sum, 1);
}
__global__ void overloaded(int* sum, float value) {
    atomicAdd(sum, int(2 * value));
}

// A function of the host that has the kernel's name.
__global__ void of_both(int* sum) {
    atomicAdd(sum, 3);
}
void of_both(int* sum, int times) {
    for (int k = 0; k < times; k++)
        of_both<<<1, 1>>>(sum);
}

namespace scope {
namespace inner {
template <int FACTOR, class T>
__global__ void scaled(T* sum, T value) {
    atomicAdd(sum, FACTOR * value);
}
}  // namespace inner
template <class T = int, int... VALUES>
__global__ void pack(T* sum) {
    atomicAdd(sum, (VALUES + ... + 0));
}
}  // namespace scope

template <class F>
__global__ void apply(int* sum, F f) {
    atomicAdd(sum, f(int(threadIdx.x)));
}
template <bool LARGE>
__global__ void __launch_bounds__(LARGE ? 256 : 64) bounded(int* sum) {
    atomicAdd(sum, LARGE ? 10 : 20);
}
template <int... VALUES>
struct sequence {};
template <int A, int B>
__global__ void deduced(int* sum, sequence<A, B>) {
    atomicAdd(sum, 10 * A + B);
}
template <int N>
struct size {
    static constexpr int value = N;
};
template <class T>
constexpr int bytes = sizeof(T);

typedef void (*kernel_pointer)(int*, int);
struct holder {
    kernel_pointer kernel;
    kernel_pointer table[2];
};
template <int N>
kernel_pointer pick() {
    return N > 0 ? add : add_twice;
}

#define LAUNCH(kernel, grid, block, ...) kernel<<<(grid), (block)>>>(__VA_ARGS__)
#define ONE_THREAD <<<dim3(1), 1>>>
#define RUN(kernel, ...)               \
    do {                               \
        kernel<<<1, 1>>>(__VA_ARGS__); \
    } while (0)

struct stream_like {
    int shifted = 0;
};
template <class T>
stream_like& operator<<(stream_like& s, const std::vector<T>& values) {
    s.shifted += int(values.size());
    return s;
}

// clang-format takes some launches for comparisons.
// clang-format off
template <int R>
void launch_in_template(int* sum) {
    deduced<R, 3><<<dim3(1), 1, R < 4 ? 0 : (R > 8)>>>(sum, sequence<R, 3>{});
    constexpr int TWICE = 2 * R;
    scope::inner::scaled<TWICE><<<1, 1>>>(sum, 1);
}

__global__ void add_twice(int* sum, int value) {
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) continue;
        switch (i) {
            case 1:
                atomicAdd(sum, value);
                break;
            default:
                atomicAdd(sum, value);
        }
    }
}

void check_forms() {
    device_array<int> total(1);
    int* sum = total;
    const auto gives = [&](int expected,
                           std::source_location where = std::source_location::current()) {
        expect(cudaGetLastError() == cudaSuccess, "working launches", where);
        expect(total.at(0) == expected, "the sum that the launches add up to", where);
        total.clear();
    };
    add<<<2, 3>>>(sum, 5);
    gives(30);
    add<<<dim3(2, 2), dim3{3, 1, 1}, 0, nullptr>>>(sum, 1);
    gives(12);
    add<<<2,
          3
       >>>(sum,  // a comment with <<< and >>>
           1);
    gives(6);
    add<<<1, size<3>::value>>>(sum, 1);
    gives(3);
    add<<<1, bytes<int>>>>(sum, 1);
    gives(4);
    add<<<8 >> 2, (3 > 2) ? 4 : 5>>>(sum, 1);
    gives(8);
    add<<<1, bytes<std::function<void(std::vector<int>)>> / bytes<std::function<void(std::vector<int>)>>>>>(
        sum, 1);
    gives(1);
    add<<<1, [](int n) { return n > 2 ? 2 : n; }(5)>>>(sum, 1);
    gives(2);

    scope::inner::scaled<3, int><<<1, 2>>>(sum, 1);
    gives(6);
    ::scope::inner::scaled<3><<<1, 2>>>(sum, 1);
    gives(6);
    scope::pack<int, 1, 2, 3><<<1, 1>>>(sum);
    gives(6);
    deduced<<<1, 1>>>(sum, sequence<4, 7>());
    gives(47);
    launch_in_template<2>(sum);
    gives(27);
    bounded<true><<<1, 1>>>(sum);
    bounded<(3 > 4)><<<1, 1>>>(sum);
    bounded<!true><<<1, 1>>>(sum);
    gives(50);
    add_default<<<1, 1>>>(sum);
    add_default<<<1, 1>>>(sum, 1);
    add_default<<<1, 1>>>(sum, 1, sum);
    gives(109);
    overloaded<<<1, 1>>>(sum);
    overloaded<<<1, 1>>>(sum, 2.0f);
    gives(5);
    of_both(sum, 2);
    gives(6);
    add << <1, 2 >> > (sum, 1);
    add<< < 1, bytes<int>>> >(sum, 1);
    gives(6);

    kernel_pointer pointer = add;
    holder h{add, {add, add_twice}};
    holder* to = &h;
    kernel_pointer array[2] = {add, add_twice};
    pointer<<<1, 1>>>(sum, 1);
    (*pointer)<<<1, 1>>>(sum, 1);
    h.kernel<<<1, 1>>>(sum, 1);
    to->kernel<<<1, 1>>>(sum, 1);
    to->table[1]<<<1, 1>>>(sum, 1);
    array[1]<<<1, 1>>>(sum, 1);
    pick<1>()<<<1, 1>>>(sum, 1);
    if (to) (pick<0>())<<<1, 1>>>(sum, 1);
    gives(11);

    LAUNCH(add, 2, 2, sum, 1);
    add ONE_THREAD(sum, 1);
    RUN(add_twice, sum, 1);
    gives(7);
    if (to == nullptr)
        add<<<1, 1>>>(sum, 1);
    else
        add<<<1, 1>>>(sum, 2);
    for (int k = 0; k < 3; k++)
        add<<<1, 1>>>(sum, k);
    to ? add<<<1, 1>>>(sum, 10) : add<<<1, 1>>>(sum, 20);
    gives(15);

    const std::function<void()> later = [=] { add<<<1, 1>>>(sum, 4); };
    later();
    const int offset = 10;
    apply<<<1, 2>>>(sum, [] __device__(int a) { return a; });
    apply<<<1, 2>>>(sum, [=] __host__ __device__(int a) { return a + offset; });
    gives(4 + 1 + 21);
    int one = 1, three = 3;
    void* arguments[] = {&sum, &one};
    void* three_of_it[] = {&sum, &three};
    cudaLaunchKernel(add, 1, 2, arguments);
    cudaLaunchKernel((void*)add, dim3(1), dim3(2), arguments, 0, nullptr);
    cudaLaunchKernel((const void*)&scope::inner::scaled<3, int>, 1, 1, three_of_it, 0, 0);
    cudaLaunchKernel(reinterpret_cast<const void*>(pointer), dim3(1), dim3(1), three_of_it, size_t(0), cudaStream_t(0));
    gives(2 + 2 + 9 + 3);
    // The address of a kernel whose name is cast somewhere, by any way; and one of something else.
    void* const by_name[] = {(void*)add, (void*)::scope::inner::scaled<3, int>};
    const void* known = reinterpret_cast<const void*>(pointer);
    EXPECT(known == by_name[0] && cudaLaunchKernel(known, 1, 2, arguments) == cudaSuccess);
    EXPECT(cudaLaunchKernel(by_name[1], 1, 1, three_of_it) == cudaSuccess);
    gives(2 + 9);
    EXPECT(cudaLaunchKernel((const void*)&three, 1, 1, arguments) == cudaErrorInvalidDeviceFunction);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
    cudaLaunchConfig_t config = {dim3(1), dim3(2), 0, nullptr, nullptr, 0};
    EXPECT(cudaLaunchKernelEx(&config, add, sum, short{4}) == cudaSuccess);
    EXPECT(cudaLaunchKernelExC(&config, by_name[0], arguments) == cudaSuccess);
    gives(2 * 4 + 2);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {1, 1, 1};
    config.attrs = attributes;
    config.numAttrs = 2;
    EXPECT(cudaLaunchKernelEx(&config, add, sum, 3) == cudaSuccess);
    gives(2 * 3);
    attributes[1].val.clusterDim.x = 2;
    EXPECT(cudaLaunchKernelEx(&config, add, sum, 3) == cudaErrorNotSupported);
    EXPECT(cudaGetLastError() == cudaErrorNotSupported);
    // NULL is an integer; only the kernel's own parameter makes it a pointer.
    pointer<<<1, 1>>>(sum, 0);
    add_default<<<1, 1>>>(sum, 3, nullptr);
    gives(3);
}

// clang-format on

void check_lookalikes() {
    const char* text = "add<<<1, 2>>>(sum, 1); __global__ __shared__";
    const char* raw = R"x(add<<<1, 2>>>(")" )x";
    EXPECT(std::string(text).size() == 44);
    EXPECT(std::string(raw).size() == 18);
    EXPECT('"' == 34 && 1'000'000 == 1000 * 1000 && 0xFF'FF == 65535);
    std::vector<std::vector<std::vector<int>>> nested(3);
    stream_like s;
    s << nested << nested;
    // clang-format off
    operator<< <std::vector<std::vector<int>>>(s, nested);
    operator<<<int>(s, std::vector<int>(4));
    // clang-format on
    EXPECT(s.shifted == 13);
    std::ostringstream out;
    out << 1 << (8 >> 2) << (1 << 3);
    EXPECT(out.str() == "128");
    EXPECT(__LINE__ == 261);
}

int main() {
    return run_cases({check_forms, check_lookalikes});
}
