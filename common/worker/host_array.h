// Host memory that a student's function works on: a private copy that ends at a page nobody may touch.
#pragma once
#include <cstddef>

namespace worker {

/// `size` bytes: a copy of those at `bytes`, or all 0xff. A page without access stands before them and one
/// behind, so that host code that runs past an end stops at once (up to 15 bytes late: the start is aligned
/// to 16). Throws std::bad_alloc.
class host_array {
public:
    host_array(const void* bytes, size_t size);
    explicit host_array(size_t size);
    ~host_array();
    host_array(host_array&& other) noexcept;
    host_array& operator=(host_array&&) = delete;

    void* data() const { return data_; }
    size_t size() const { return size_; }

private:
    void map(size_t size);

    void* data_ = nullptr;
    void* mapping_ = nullptr;
    size_t size_ = 0, mapped_ = 0;
};

}  // namespace worker
