// curand_kernel.h: not on the CPU backend.
#pragma once
#error "<curand_kernel.h>: cuRAND runs on a GPU only: build with BACKEND=gpu, or draw the numbers on the host"
