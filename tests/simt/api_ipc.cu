// Memory and events that processes share.
#include "api_test.h"

constexpr size_t COUNT = 50000;

/// `act` runs in another process, and all its expectations hold.
template <class action>
void elsewhere(const char* what, const action& act) {
    const child_end end = in_child([&] {
        const int before = failures;
        act();
        _exit(failures == before ? 0 : 1);
    });
    expect(end.code == 0 && end.signal == 0, std::string(what) + ": " + end.text);
}

cudaIpcMemHandle_t handle_of(void* pointer) {
    cudaIpcMemHandle_t handle;
    EXPECT_OK(cudaIpcGetMemHandle(&handle, pointer));
    return handle;
}

int* opened(const cudaIpcMemHandle_t& handle) {
    void* pointer = nullptr;
    EXPECT_OK(cudaIpcOpenMemHandle(&pointer, handle, cudaIpcMemLazyEnablePeerAccess));
    return static_cast<int*>(pointer);
}

__global__ void add_one(int* values, size_t count) {
    const size_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count) values[k]++;
}

/// First of all: a process that forks later has the same device memory as its child. The child's is of its own.
void memory_of_a_process_of_its_own() {
    int there[2], back[2];
    EXPECT(pipe(there) == 0 && pipe(back) == 0);
    const pid_t child = fork();
    if (child == 0) {
        int* memory = nullptr;
        cudaMalloc(&memory, COUNT * sizeof(int));
        cudaMemset(memory, 0, COUNT * sizeof(int));
        const cudaIpcMemHandle_t handle = handle_of(memory);
        char done = 0;
        if (write(there[1], &handle, sizeof handle) != sizeof handle || read(back[0], &done, 1) != 1)
            _exit(1);
        std::vector<int> got(COUNT);
        cudaMemcpy(got.data(), memory, COUNT * sizeof(int), cudaMemcpyDeviceToHost);
        _exit(got == std::vector<int>(COUNT, 2) ? 0 : 2);
    }
    cudaIpcMemHandle_t handle = {};
    EXPECT(read(there[0], &handle, sizeof handle) == sizeof handle);
    for (int k = 0; k < 2; k++) {
        add_one<<<COUNT / 256 + 1, 256>>>(opened(handle), COUNT);
        EXPECT_OK(cudaDeviceReset());  // closes what is open, and leaves its values
    }
    EXPECT(write(back[1], "", 1) == 1);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (const int file : {there[0], there[1], back[0], back[1]})
        close(file);
    void* pointer = nullptr;  // it has ended
    EXPECT_REFUSED(cudaErrorMapBufferObjectFailed,
                   cudaIpcOpenMemHandle(&pointer, handle, cudaIpcMemLazyEnablePeerAccess));
}

void what_one_writes_the_other_reads() {
    const std::vector<int> sent(COUNT, 7);
    int *memory = nullptr, *behind = nullptr;
    EXPECT_OK(cudaMalloc(&memory, COUNT * sizeof(int)));
    EXPECT_OK(cudaMalloc(&behind, sizeof(int)));
    EXPECT_OK(cudaMemcpy(memory, sent.data(), COUNT * sizeof(int), cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemset(behind, 0, sizeof(int)));
    const cudaIpcMemHandle_t handle =
        handle_of(memory + 3);  // the allocation's, wherever in it the pointer is
    elsewhere("reads and writes", [&] {
        int* theirs = opened(handle);
        EXPECT(theirs != memory);
        EXPECT(opened(handle) == theirs);
        std::vector<int> got(COUNT);
        EXPECT_OK(cudaMemcpy(got.data(), theirs, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
        EXPECT(got == sent);
        EXPECT_OK(cudaMemset(theirs + COUNT / 2, 0x11, COUNT / 2 * sizeof(int)));
        EXPECT_OK(cudaIpcCloseMemHandle(theirs));
        EXPECT_OK(cudaMemset(theirs, 0x22, sizeof(int)));  // once more open than closed
        EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(theirs));
        EXPECT_OK(cudaIpcCloseMemHandle(theirs));
        EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcCloseMemHandle(theirs));
        EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset(theirs, 0, sizeof(int)));
    });
    std::vector<int> got(COUNT);
    EXPECT_OK(cudaMemcpy(got.data(), memory, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> wanted = sent;
    std::fill(wanted.begin() + COUNT / 2, wanted.end(), 0x11111111);
    wanted[0] = 0x22222222;
    EXPECT(got == wanted);
    int untouched = 1;
    EXPECT_OK(cudaMemcpy(&untouched, behind, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(untouched == 0);
    EXPECT_OK(cudaFree(memory));
    EXPECT_OK(cudaFree(behind));
}

void wrong_handles_of_memory() {
    int* memory = nullptr;
    EXPECT_OK(cudaMalloc(&memory, sizeof(int)));
    const cudaIpcMemHandle_t handle = handle_of(memory);
    void* pointer = nullptr;
    EXPECT_REFUSED(cudaErrorDeviceUninitialized,
                   cudaIpcOpenMemHandle(&pointer, handle, cudaIpcMemLazyEnablePeerAccess));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&pointer, handle, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaIpcOpenMemHandle(nullptr, handle, cudaIpcMemLazyEnablePeerAccess));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle,
                   cudaIpcOpenMemHandle(&pointer, cudaIpcMemHandle_t{}, cudaIpcMemLazyEnablePeerAccess));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcCloseMemHandle(memory));
    cudaIpcMemHandle_t made;
    int on_host = 0;
    void *pinned = nullptr, *managed = nullptr;
    EXPECT_OK(cudaMallocHost(&pinned, 4));
    EXPECT_OK(cudaMallocManaged(&managed, 4));
    for (void* no_memory : {static_cast<void*>(&on_host), pinned, managed, static_cast<void*>(nullptr)})
        EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcGetMemHandle(&made, no_memory));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcGetMemHandle(nullptr, memory));
    EXPECT_OK(cudaFree(memory));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcGetMemHandle(&made, memory));
    EXPECT_OK(cudaFreeHost(pinned));
    EXPECT_OK(cudaFree(managed));
}

void events() {
    cudaEvent_t event = nullptr, other = nullptr;
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    EXPECT_OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    EXPECT_OK(cudaEventCreate(&other));
    cudaIpcEventHandle_t handle;
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, other));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcGetEventHandle(nullptr, event));
    EXPECT_OK(cudaIpcGetEventHandle(&handle, event));
    EXPECT_REFUSED(cudaErrorDeviceUninitialized, cudaIpcOpenEventHandle(&other, handle));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaIpcOpenEventHandle(&other, cudaIpcEventHandle_t{}));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaIpcOpenEventHandle(nullptr, handle));
    elsewhere("waits for the event", [&] {
        cudaEvent_t theirs = nullptr;
        EXPECT_OK(cudaIpcOpenEventHandle(&theirs, handle));
        EXPECT_OK(cudaStreamWaitEvent(nullptr, theirs));
        EXPECT_OK(cudaEventRecord(theirs));
        EXPECT_OK(cudaEventQuery(theirs));
        EXPECT_OK(cudaEventDestroy(theirs));
    });
    EXPECT_OK(cudaEventSynchronize(event));
}

int main() {
    return run_cases(
        {memory_of_a_process_of_its_own, what_one_writes_the_other_reads, wrong_handles_of_memory, events});
}
