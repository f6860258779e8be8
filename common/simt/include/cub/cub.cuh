// cub/cub.cuh: not on the CPU backend.
#pragma once
#error "<cub/cub.cuh>: CUB runs on a GPU only: build with BACKEND=gpu, or use warp shuffles and shared memory"
