// mma.h: not on the CPU backend.
#pragma once
#error "<mma.h>: tensor cores run on a GPU only: build with BACKEND=gpu, or multiply with plain loops"
