// Reserves device memory as one memory file mapped twice, opens and closes the view that kernels have of it,
// and reads from /proc/meminfo and the control group how much memory is left.
#include "simt/memory/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "simt/engine/observer.h"
#include "simt/engine/pool.h"
#include "simt/engine/report.h"

namespace simt {

uintptr_t device_begin = 0, device_end = 0;

namespace {

constexpr size_t USUAL_RANGE = size_t(4) << 30;
constexpr size_t SMALLEST_RANGE = size_t(64) << 20;
// Asked for, not insisted on: with the same addresses in every run, a run can be repeated exactly.
constexpr uintptr_t PREFERRED_ADDRESS = uintptr_t(0x10'0000'0000) << 4;

size_t largest_range = size_t(64) << 30;
int memory_file = -1;
char* runtime_view = nullptr;

struct open_window {
    const host_window* owner = nullptr;
    uintptr_t begin = 0;
    size_t bytes = 0;
    char* view = nullptr;
};

/// Few: the arrays of a call, and what is copied just now.
std::vector<open_window>& windows() {
    static auto* list = new std::vector<open_window>;  // never destroyed, see allocations.cpp
    return *list;
}

size_t limit_of(int resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    return limit.rlim_cur;
}

/// The first range to try: half of the machine's memory, if that is more than usual; but two views may take half of the
/// address space, and the file may not be too large (beyond that limit the kernel does not only refuse, it sends a signal).
size_t first_range() {
    const size_t allowed = std::min(limit_of(RLIMIT_AS) / 4, limit_of(RLIMIT_FSIZE));
    const size_t machine = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
    size_t bytes = USUAL_RANGE;
    while (bytes < largest_range && bytes * 4 <= machine)
        bytes *= 2;
    while (bytes > allowed && bytes >= SMALLEST_RANGE)
        bytes /= 2;
    return bytes;
}

constexpr size_t LARGE_PAGE = 2 << 20;

/// A view of so many bytes of device memory, aligned to large pages. Null if there are no addresses for it.
char* map_view(size_t bytes, int access) {
    void* hint = reinterpret_cast<void*>(PREFERRED_ADDRESS);
    const size_t reserved = bytes + LARGE_PAGE;
    void* raw = mmap(hint, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    const uintptr_t aligned = (reinterpret_cast<uintptr_t>(raw) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    const int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
    void* view = mmap(reinterpret_cast<void*>(aligned), bytes, access, flags, memory_file, 0);
    if (view == MAP_FAILED) {
        munmap(raw, reserved);
        return nullptr;
    }
    return static_cast<char*>(view);
}

bool map_twice(size_t bytes) {
    if (ftruncate(memory_file, off_t(bytes)) != 0) return false;
    char* kernel_view = map_view(bytes, PROT_NONE);
    if (!kernel_view) return false;
    runtime_view = map_view(bytes, PROT_READ | PROT_WRITE);
    if (!runtime_view) {
        munmap(kernel_view, bytes);
        return false;
    }
    device_begin = reinterpret_cast<uintptr_t>(kernel_view);
    device_end = device_begin + bytes;
    return true;
}

bool reserve() {
    memory_file = memfd_create("simt device memory", MFD_CLOEXEC);
    const size_t largest = first_range();
    if (memory_file >= 0) {
        for (size_t bytes = largest; bytes >= SMALLEST_RANGE; bytes /= 2) {
            if (map_twice(bytes)) return true;
        }
    }
    const std::string reason =
        largest < SMALLEST_RANGE ? "the limits of this process are too low" : std::strerror(errno);
    complain("no address space for device memory (at least " + std::to_string(4 * SMALLEST_RANGE >> 20) +
             " MB): " + reason + "; raise ulimit -v and -f");
    return false;
}

std::atomic<uintptr_t> first_managed = 0;  // 0: none is
bool stays_open = false;

void protect(uintptr_t begin, uintptr_t end, int access) {
    if (begin == end || mprotect(reinterpret_cast<void*>(begin), end - begin, access) == 0) return;
    // Nothing sensible can be done without device memory: every access of the kernel would fault.
    complain(std::string("cannot change the protection of device memory: ") + std::strerror(errno));
    std::abort();
}

/// Both views of a piece; the kernels' is closed.
bool map_views(uintptr_t begin, size_t bytes, int file, size_t offset) {
    bytes = whole_chunks(bytes);
    const int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
    const auto map = [&](void* at, int access) {
        return mmap(at, bytes, access, flags, file, off_t(offset)) != MAP_FAILED;
    };
    return map(host_view(begin), PROT_READ | PROT_WRITE) && map(reinterpret_cast<void*>(begin), PROT_NONE);
}

struct stat status_of(int file) {
    struct stat status {};
    fstat(file, &status);
    return status;
}

/// The number a one-line file holds; SIZE_MAX for a missing file or the word "max".
size_t number_in(const char* path) {
    std::ifstream file(path);
    size_t value = 0;
    return file >> value ? value : SIZE_MAX;
}

size_t machine_memory() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    size_t kilobytes = 0;
    while (file >> name >> kilobytes) {
        if (name == "MemAvailable:") return kilobytes * 1024;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return SIZE_MAX;
}

size_t left_below(const char* limit_path, const char* usage_path) {
    const size_t limit = number_in(limit_path);
    const size_t usage = number_in(usage_path);
    if (limit == SIZE_MAX || usage == SIZE_MAX) return SIZE_MAX;
    return limit > usage ? limit - usage : 0;
}

}  // namespace

size_t whole_chunks(size_t bytes) {
    return (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
}

void limit_device_memory(size_t most) {
    largest_range = most;
}

bool reserve_device_memory() {
    catch_faults();
    static const bool reserved = [] {
        const bool done = reserve();
        if (done) make_runners();  // a program that wants memory will launch
        if (done && stays_open) open_device_memory();
        return done;
    }();
    return reserved;
}

void open_device_memory() {
    protect(device_begin, managed_begin(), PROT_READ | PROT_WRITE);
}

void close_device_memory() {
    if (!stays_open) protect(device_begin, managed_begin(), PROT_NONE);
}

void keep_device_memory_open() {
    stays_open = true;
    if (device_begin != 0) open_device_memory();
}

bool host_may_write(memory_use use) {
    return use != memory_use::device || stays_open;
}

void close_to_kernels(uintptr_t begin, size_t bytes) {
    protect(begin, begin + whole_chunks(bytes), PROT_NONE);
}

void use_large_pages(uintptr_t begin, size_t bytes) {
    constexpr int COLLAPSE = 25;  // MADV_COLLAPSE, which older headers do not know
    const uintptr_t first = (begin + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE,
                    last = (begin + bytes) / LARGE_PAGE * LARGE_PAGE;
    for (uintptr_t page = first; page < last; page += LARGE_PAGE)
        *host_view(page) = 0;  // only what is there can be joined
    if (first < last) madvise(host_view(first), last - first, COLLAPSE);
}

uintptr_t managed_begin() {
    const uintptr_t begin = first_managed;
    return begin ? begin : device_end;
}

uintptr_t open_managed_memory() {
    const uintptr_t middle = device_begin + (device_end - device_begin) / 2 / CHUNK_BYTES * CHUNK_BYTES;
    if (first_managed.exchange(middle) == 0) protect(middle, device_end, PROT_READ | PROT_WRITE);
    return middle;
}

bool is_device_address(uintptr_t address) {
    return address >= device_begin && address < device_end;
}

shared_piece piece_at(uintptr_t begin) {
    return {getpid(), memory_file, status_of(memory_file).st_ino, begin - device_begin};
}

bool map_piece(uintptr_t begin, size_t bytes, const shared_piece& piece) {
    const std::string name = "/proc/" + std::to_string(piece.process) + "/fd/" + std::to_string(piece.file);
    const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return false;
    const struct stat found = status_of(file);
    const size_t size = size_t(found.st_size);
    const bool is_there =
        found.st_ino == piece.inode && piece.offset <= size && whole_chunks(bytes) <= size - piece.offset;
    const bool mapped = is_there && map_views(begin, bytes, file, piece.offset);
    close(file);
    return mapped;
}

void map_own(uintptr_t begin, size_t bytes) {
    if (map_views(begin, bytes, memory_file, begin - device_begin)) return;
    complain(std::string("cannot map device memory again: ") + std::strerror(errno));
    std::abort();
}

char* host_view(uintptr_t address) {
    if (is_device_address(address)) return runtime_view + (address - device_begin);
    for (auto window = windows().rbegin(); window != windows().rend(); ++window) {
        if (address - window->begin < window->bytes) return window->view + (address - window->begin);
    }
    return reinterpret_cast<char*>(address);
}

host_window::host_window(const void* begin, size_t bytes, const void* view) {
    windows().push_back(
        {this, reinterpret_cast<uintptr_t>(begin), bytes, static_cast<char*>(const_cast<void*>(view))});
}

host_window::~host_window() {
    std::erase_if(windows(), [this](const open_window& one) { return one.owner == this; });
}

void leave_device_memory() {
    if (device_begin == device_end) return;
    const size_t bytes = device_end - device_begin;
    munmap(runtime_view, bytes);
    mmap(reinterpret_cast<void*>(device_begin), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    close(memory_file);
    memory_file = -1;
    runtime_view = nullptr;
}

void drop_kernel_mappings(uintptr_t begin, size_t bytes) {
    // Shared memory: the contents stay in the file.
    madvise(reinterpret_cast<void*>(begin), bytes, MADV_DONTNEED);
}

void release_pages(uintptr_t begin, size_t bytes) {
    const int flags = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    if (fallocate(memory_file, flags, off_t(begin - device_begin), off_t(bytes)) == 0) return;
    // A file system without holes: at least nothing readable is left.
    std::memset(host_view(begin), 0, bytes);
}

size_t available_memory() {
    const size_t group = left_below("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    const size_t older_group = left_below("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                          "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return std::min({machine_memory(), group, older_group});
}

}  // namespace simt
