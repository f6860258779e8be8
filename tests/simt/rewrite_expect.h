// A check for programs that run kernels: silent if it holds; main returns failures() != 0.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>

inline int& failures() {
    static int count = 0;
    return count;
}

inline void expect(bool holds, const char* condition, const char* file, int line) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    failures()++;
}
#define EXPECT(condition) expect((condition), #condition, __FILE__, __LINE__)

/// Device memory of `size` zeros whose elements the host reads after everything has ended.
template <class T>
class zeros {
public:
    explicit zeros(int size) : size_(size) {
        EXPECT(cudaMalloc(&data_, size * sizeof(T)) == cudaSuccess);
        clear();
    }
    ~zeros() { cudaFree(data_); }
    operator T*() { return data_; }
    void clear() { EXPECT(cudaMemset(data_, 0, size_ * sizeof(T)) == cudaSuccess); }
    T at(int i) const {
        T value{};
        EXPECT(cudaDeviceSynchronize() == cudaSuccess);
        EXPECT(cudaMemcpy(&value, data_ + i, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
        return value;
    }

private:
    T* data_ = nullptr;
    int size_;
};
