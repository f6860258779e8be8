// cuda_fp16.h: not on the CPU backend.
#pragma once
#error "<cuda_fp16.h>: 16-bit floating point runs on a GPU only: build with BACKEND=gpu, or store float"
