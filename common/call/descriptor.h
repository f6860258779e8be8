// A file descriptor that closes itself.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace check {

class descriptor {
public:
    descriptor() = default;
    /// Takes over `number`; a negative one is none.
    explicit descriptor(int number) : number_(number) {}
    ~descriptor() {
        if (number_ >= 0) close(number_);
    }
    descriptor(descriptor&& other) noexcept : number_(other.release()) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    /// Moves out of the way of 0 to 9, which a child gives new meanings. False if there are too many.
    bool move_away() {
        *this = descriptor(fcntl(number_, F_DUPFD_CLOEXEC, 10));
        return number_ >= 0;
    }

private:
    int number_ = -1;
};

}  // namespace check
