// Memory and events that processes share.
#pragma once
#include "types.h"

#define cudaIpcMemLazyEnablePeerAccess 0x01

typedef struct {
    char reserved[64];
} cudaIpcMemHandle_t, cudaIpcEventHandle_t;

extern "C" {
/// A handle of the allocation that the pointer points into, for other processes of the same user.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
/// Where another process's allocation begins here. Opened again it is in the same place. `flags` is
/// cudaIpcMemLazyEnablePeerAccess.
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
/// To be called as often as it was opened.
cudaError_t cudaIpcCloseMemHandle(void* pointer);

/// A handle of an event that was made with cudaEventInterprocess.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
/// What another process recorded has happened: its calls return when their work is done.
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
}
