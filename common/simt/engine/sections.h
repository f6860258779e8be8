// Where the launch rewriter puts __constant__ and __device__ variables: the linker gives the bounds of both
// sections. Weak: a program without such variables has no such section, and both addresses are null.
#pragma once

extern "C" {
extern char __start_simt_const[] __attribute__((weak));
extern char __stop_simt_const[] __attribute__((weak));
extern char __start_simt_dev[] __attribute__((weak));
extern char __stop_simt_dev[] __attribute__((weak));
}
