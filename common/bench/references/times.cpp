// Linked into a sample of NVIDIA's by measure.sh: how long its kernels take, and its references, the same in serial
// C++. The linker sends calls of both by here (--wrap); the sums, in milliseconds, go to stderr when the program ends.
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

namespace simt {
std::string function_name(const void* address);
}

using steady = std::chrono::steady_clock;

struct sums {
    std::map<std::string, steady::duration> references;
    std::map<const void*, steady::duration> kernels;

    ~sums() {
        const auto print = [](const char* what, const std::string& name, steady::duration time) {
            std::fprintf(stderr, "%s,%s,%.4f\n", what, name.c_str(),
                         std::chrono::duration<double, std::milli>(time).count());
        };
        for (const auto& [name, time] : references)
            print("reference", name, time);
        for (const auto& [kernel, time] : kernels)
            print("kernel", simt::function_name(kernel), time);
    }
};

static sums all;
static steady::time_point began;

extern "C" {

void reference_begins() {
    began = steady::now();
}
void reference_ends(const char* name) {
    all.references[name] += steady::now() - began;
}

// simt::launch(), whose symbol measure.sh reads here
#define LAUNCH "_ZN4simt6launchEPKvPKcRKNS_13launch_configEPFvS1_S1_ES1_m"
void real_launch(const void* kernel, const char* name, const void* config, const void* call,
                 const void* closure, size_t closure_bytes) asm("__real_" LAUNCH);
void wrapped_launch(const void* kernel, const char* name, const void* config, const void* call,
                    const void* closure, size_t closure_bytes) asm("__wrap_" LAUNCH);
void wrapped_launch(const void* kernel, const char* name, const void* config, const void* call,
                    const void* closure, size_t closure_bytes) {
    const auto launched = steady::now();
    real_launch(kernel, name, config, call, closure, closure_bytes);
    all.kernels[kernel] += steady::now() - launched;
}

}  // extern "C"

// Whatever a reference takes and returns, in registers or on the stack, passes through: the caller's return address is
// taken off the stack, so that arguments there lie where the reference looks for them. The script has a WRAPPED(name) for
// each.
#define WRAPPED(name)                                                        \
    asm(".local caller_of_" #name "\n.comm caller_of_" #name                 \
        ", 8\n"                                                              \
        ".globl __wrap_" #name "\n__wrap_" #name                             \
        ":\n"                                                                \
        "popq caller_of_" #name                                              \
        "(%rip)\n"                                                           \
        "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\n"        \
        "pushq %r9\nsubq $32, %rsp\nmovsd %xmm0, (%rsp)\n"                   \
        "movsd %xmm1, 8(%rsp)\nmovsd %xmm2, 16(%rsp)\n"                      \
        "call reference_begins\n"                                            \
        "movsd (%rsp), %xmm0\nmovsd 8(%rsp), %xmm1\nmovsd 16(%rsp), %xmm2\n" \
        "addq $32, %rsp\npopq %r9\npopq %r8\npopq %rcx\npopq %rdx\n"         \
        "popq %rsi\npopq %rdi\n"                                             \
        "call __real_" #name                                                 \
        "\n"                                                                 \
        "pushq %rax\nsubq $8, %rsp\nmovsd %xmm0, (%rsp)\n"                   \
        "leaq name_" #name                                                   \
        "(%rip), %rdi\ncall reference_ends\n"                                \
        "movsd (%rsp), %xmm0\naddq $8, %rsp\npopq %rax\n"                    \
        "jmp *caller_of_" #name                                              \
        "(%rip)\n"                                                           \
        "name_" #name ": .string \"" #name "\"\n");
#ifdef REFERENCES
REFERENCES
#endif
