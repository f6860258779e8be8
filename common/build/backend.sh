#!/bin/sh
# Chooses the backend. Prints one word (gpu, cpu, error) and the line that says why.
#   backend.sh [gpu|cpu]       without an argument: gpu if nvcc and a device answer, else cpu
# NVCC in the environment is the compiler's path, empty if there is none.
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || gpu=""
case "$gpu" in *rror* | *ailed* | *"No devices"*) gpu="" ;; esac

case "$1" in
cpu) echo "cpu BACKEND=cpu: running on the CPU backend" ;;
gpu)
    if [ -z "$NVCC" ]; then
        echo "error BACKEND=gpu: no nvcc on PATH; install the CUDA Toolkit (12 or newer) or use BACKEND=cpu"
    elif [ -z "$gpu" ]; then
        echo "error BACKEND=gpu: no GPU found (nvidia-smi lists none); use BACKEND=cpu"
    else
        echo "gpu BACKEND=gpu: running on $gpu"
    fi ;;
"")
    if [ -z "$gpu" ]; then
        echo "cpu no GPU found: running on the CPU backend"
    elif [ -z "$NVCC" ]; then
        echo "cpu $gpu found, but no nvcc (CUDA Toolkit): running on the CPU backend"
    else
        echo "gpu running on $gpu"
    fi ;;
*) echo "error BACKEND=$1: must be gpu or cpu" ;;
esac
