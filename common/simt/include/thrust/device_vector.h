// thrust/device_vector.h: not on the CPU backend.
#pragma once
#error \
    "<thrust/device_vector.h>: Thrust runs on a GPU only: build with BACKEND=gpu, or use lab::device_buffer"
