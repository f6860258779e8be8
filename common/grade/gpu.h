// The GPU of this machine, for programs in boxes: one job at a time, and after it as it was before.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "call/descriptor.h"

namespace grade {

/// What a box needs for a program of GPU `number`, as the driver numbers it.
struct gpu_parts {
    std::vector<std::filesystem::path> devices;    // nodes in `nodes`
    std::vector<std::filesystem::path> libraries;  // folders of the driver's, where they are not the system's
};
gpu_parts parts_of_gpu(int number, const std::filesystem::path& nodes = "/dev");

/// While it lives no other grader of this machine, of whichever user, has the same GPU.
class gpu_lease {
public:
    /// Takes the first that is free, or waits for one. Throws std::runtime_error if the driver answers for none.
    explicit gpu_lease(const std::filesystem::path& nodes = "/dev");
    int number() const { return number_; }
    /// After a job: throws std::runtime_error if a program is still there or device memory is still taken
    /// after `seconds`, or if the GPU no longer answers.
    void require_clean(double seconds = 10) const;

private:
    int number_ = -1;
    uint64_t used_before_ = 0;  // MiB
    check::descriptor lock_;    // of the device's node
};

}  // namespace grade
