// CUB is headers alone: those of Debian's libcub-dev, or of -isystem FOLDER, are device code as a program's own.
#pragma once
#if !__has_include_next(<cub/cub.cuh>)
#error "CUB runs here by headers that are not there: install libcub-dev, or use -isystem FOLDER"
#else
#include_next <cub/version.cuh>
#if CUB_VERSION >= 200000
#error "CUB 2 and newer need libcu++, which is not on the CPU backend: use CUB 1.17, as libcub-dev has it"
#else
#include_next <cub/cub.cuh>
#endif
#endif
