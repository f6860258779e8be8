// Runs generated programs one after another and prints what their arrays hold.
//   PROGRAM          values and, under the inspector, counts and findings
//   PROGRAM counts   launches only: whoever counts them prints
//   PROGRAM N        values from program N on
#include "harness.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../fidelity/pattern.h"
#include "contents.h"

void (*name_memory)(const void* device, const char* name) = nullptr;
static bool prints_values = true;
static std::vector<char*> kept;  // names of host memory last until the program ends

struct part {
    int kind, offset;
};

static std::vector<part> parts_of(const char* layout, int& bytes) {
    std::vector<part> parts;
    char* rest = nullptr;
    bytes = int(strtol(layout, &rest, 10));
    while (*rest == ' ') {
        const int kind = int(strtol(rest, &rest, 10));
        parts.push_back({kind, int(strtol(rest + 1, &rest, 10))});
    }
    return parts;
}

static char* host_memory(int bytes) {
    kept.push_back(static_cast<char*>(calloc(bytes + 1, 1)));
    return kept.back();
}

template <class type>
static void put(char* at, int64_t value) {
    const auto converted = static_cast<type>(value);
    memcpy(at, &converted, sizeof converted);
}
template <class type>
static int64_t get(const char* at) {
    type value;
    memcpy(&value, at, sizeof value);
    // What no program stores: an unwritten NaN, too.
    if (!(double(value) > -9e15 && double(value) < 9e15)) return INT64_MIN;
    return static_cast<int64_t>(value);
}
// In the order of fuzz::scalar.
static void (*const PUT[])(char*, int64_t) = {put<int8_t>,  put<uint8_t>,  put<int16_t>, put<uint16_t>,
                                              put<int32_t>, put<uint32_t>, put<float>,   put<double>};
static int64_t (*const GET[])(const char*) = {get<int8_t>,  get<uint8_t>,  get<int16_t>, get<uint16_t>,
                                              get<int32_t>, get<uint32_t>, get<float>,   get<double>};

const void* fuzz_contents(int id, const char* layout, int count) {
    int bytes = 0;
    const std::vector<part> parts = parts_of(layout, bytes);
    char* memory = host_memory(count * bytes);
    for (int element = 0; element < count; element++) {
        for (size_t k = 0; k < parts.size(); k++)
            PUT[parts[k].kind](memory + element * bytes + parts[k].offset,
                               fuzz::content(id, element, int(k)));
    }
    return memory;
}

static void check(const char* what) {
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("error %s: %s\n", what, cudaGetErrorString(error));
}

void* fuzz_array(const char* name, int id, const char* layout, int count, bool is_filled) {
    int bytes = 0;
    parts_of(layout, bytes);
    void* device = nullptr;
    cudaMalloc(&device, size_t(count) * bytes);
    if (name_memory) name_memory(device, name);
    if (is_filled)
        cudaMemcpy(device, fuzz_contents(id, layout, count), size_t(count) * bytes, cudaMemcpyHostToDevice);
    check(name);
    return device;
}

void* fuzz_buffer(int bytes) {
    return host_memory(bytes);
}

void fuzz_launched(const char* name) {
    cudaDeviceSynchronize();
    check(name);
    count_launch(name);
}

void fuzz_print(const char* name, const char* layout, int count, const void* device) {
    if (!prints_values) return;
    int bytes = 0;
    const std::vector<part> parts = parts_of(layout, bytes);
    char* memory = kept.empty() ? nullptr : kept.back();
    if (device) {
        memory = host_memory(count * bytes);
        cudaMemcpy(memory, device, size_t(count) * bytes, cudaMemcpyDeviceToHost);
    }
    std::string text = std::string("value ") + name;
    for (int element = 0; element < count; element++) {
        for (const part& one : parts)
            text += " " + std::to_string(GET[one.kind](memory + element * bytes + one.offset));
    }
    puts(text.c_str());
}

int main(int count, char** arguments) {
    prints_values = count < 2 || strcmp(arguments[1], "counts") != 0;
    begin_counting();
    const int first = count > 1 ? atoi(arguments[1]) : 0;
    const bool right_ones_alone = count > 2;
    for (const fuzz_program* one = FUZZ_PROGRAMS; one->run; one++) {
        if (one->number < first || (right_ones_alone && !one->is_right)) continue;
        if (prints_values) printf("program %d\n", one->number), fflush(stdout);
        one->run();
        if (prints_values) count_launch("");
        cudaDeviceReset();
        for (char* memory : kept)
            free(memory);
        kept.clear();
        fflush(stdout);
    }
}
