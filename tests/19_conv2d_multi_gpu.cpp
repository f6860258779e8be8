// Checks of lab 19: strips on several devices, what goes from one to another, and what runs beside it.
#include "conv2d_multi_gpu.h"

#include <algorithm>

#include "check/check.h"

using namespace check;

namespace {

/// The CPU backend is lent as many devices as there are strips. The last one is the current one: a function that takes it
/// for the first, and does not ask, leaves another behind.
call_options with_devices(int devices, const call_options& options) {
    call_options lent = options;
    lent.devices = std::max(devices, 1);
    lent.current_device = lent.devices - 1;
    return lent;
}

method_2d::run_function run_in_turn(int devices) {
    return [devices](worker_process& worker, const call_options& options, std::span<float> out,
                     const problem_2d& p) {
        const call_options lent = with_devices(devices, options);
        return CALL(worker, lent, conv2d_in_turn, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, p.passes, devices);
    };
}

method_2d::run_function run_overlapped(int devices) {
    return [devices](worker_process& worker, const call_options& options, std::span<float> out,
                     const problem_2d& p) {
        const call_options lent = with_devices(devices, options);
        return CALL(worker, lent, conv2d_overlapped, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, p.passes, devices);
    };
}

/// What demo, benchmark and inspection ask for.
void repeat(problem_2d& p) {
    p.passes = 3;
}

// A number of devices behind the name: benchmarks compare them. An inspection shows the first in full, with its timeline.
const method_2d overlapped_2("overlapped_2", run_overlapped(2), 1, repeat);
const method_2d overlapped_4("overlapped_4", run_overlapped(4), 1, repeat);
const method_2d in_turn_1("in_turn_1", run_in_turn(1), 1, repeat);
const method_2d in_turn_2("in_turn_2", run_in_turn(2), 1, repeat);
const method_2d in_turn_4("in_turn_4", run_in_turn(4), 1, repeat);

method_2d in_turn(int devices) {
    return method_2d::unlisted("in turn on " + std::to_string(devices) + " devices", run_in_turn(devices));
}

method_2d overlapped(int devices) {
    return method_2d::unlisted("overlapped on " + std::to_string(devices) + " devices",
                               run_overlapped(devices));
}

/// Of seeded noise under a filter without symmetry for a mistake to hide behind, whose size goes into its seed.
problem_2d noise(int width, int height, int filter_width, int filter_height, int passes) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(filter_height) + uint64_t(filter_width);
    problem_2d p{noise_image(width, height, 1, seed()),
                 random_filter(filter_width, filter_height, taps_seed)};
    p.passes = passes;
    return p;
}

struct cut {
    int width, height, filter_width, filter_height, passes, devices;
    problem_2d problem() const { return noise(width, height, filter_width, filter_height, passes); }
};

/// What a call asked of the devices.
struct traffic_of_call {
    double to_peers = 0, to_host = 0;  // bytes
    double copies_to_peers = 0,
           beside = 0;  // and those that may run beside a kernel of the device they leave

    explicit traffic_of_call(const inspect::report& seen) {
        for (const inspect::operation& one : seen.operations) {
            if (one.what == "to-host") to_host += double(one.bytes);
            if (one.what != "peer") continue;
            to_peers += double(one.bytes);
            copies_to_peers++;
            beside += one.overlaps > 0;
        }
    }
};

/// Every seam, either way, after every pass but the last.
double bytes_at_seams(const cut& c) {
    const double seams = c.devices - 1, rows = 2.0 * (c.filter_height / 2);
    return seams * rows * c.width * sizeof(float) * (c.passes - 1);
}

void expect_traffic(const cut& c, const traffic_of_call& moved) {
    expect_count("bytes copied from device to device", moved.to_peers, bytes_at_seams(c), 1);
    expect_count("bytes copied to the host", moved.to_host, 4.0 * c.width * c.height, 1);
}

const cut CUTS[] = {{50, 48, 3, 5, 3, 2}, {33, 61, 3, 3, 4, 3}, {20, 83, 1, 7, 2, 4}};

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    problem_2d example{{2, 6, 1, {1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12}}, {1, 3, {1, 2, 1}, "1 2 1"}};
    example.passes = 2;
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{16, 32, 32, 64, 48, 96, 64, 128, 73, 146, 54, 108});
    expect_right_and_clean(in_turn(3), example);
}

TEST_CASE("[20] strips in turn at many sizes") {
    for (const int devices : {1, 2, 4}) {
        expect_right_and_clean(in_turn(devices), noise(40, 41, 3, 3, 3));
        expect_right(in_turn(devices), noise(31, 67, 5, 9, 2));
        expect_right(in_turn(devices), noise(37, 12, 3, 5, 5));
    }
    expect_right(in_turn(2), noise(70, 33, 9, 1, 3));
    expect_right(in_turn(3), noise(1, 50, 1, 3, 4));
    expect_right(in_turn(4), noise(300, 45, 7, 7, 1));
    expect_right(in_turn(2), noise(1, 70'001, 1, 3, 2));  // more rows than 16 bits count
}

TEST_CASE("[20] the exchange beside the interior at many sizes") {
    for (const int devices : {1, 2, 4}) {
        expect_right_and_clean(overlapped(devices), noise(40, 41, 3, 3, 4));
        expect_right_and_clean(overlapped(devices), noise(31, 67, 5, 9, 3));
        expect_right_and_clean(overlapped(devices), noise(37, 12, 3, 5, 5));
    }
    expect_right_and_clean(overlapped(2), noise(70, 33, 9, 1, 3));
    expect_right_and_clean(overlapped(3), noise(1, 50, 1, 3, 6));
    expect_right_and_clean(overlapped(4), noise(300, 45, 7, 7, 1));
}

TEST_CASE("[10] strips that are too short for the filter are refused") {
    for (const auto& method : {in_turn(4), overlapped(4)}) {
        expect_refused(method, noise(9, 7, 3, 5, 2), {1, 2});
        expect_refused(method, noise(9, 3, 3, 1, 2), {0});
        expect_refused(method, noise(5, 600, 129, 129, 1), {16641, 16384});
        expect_right(method, noise(9, 8, 3, 5, 2));  // just long enough
        expect_right(method, noise(9, 4, 3, 3, 3));  // a row each
    }
    expect_refused(in_turn(0), noise(9, 7, 3, 5, 2), {0});
    expect_right(overlapped(1), noise(9, 1, 3, 5, 2));  // no neighbour that it would be too short for
}

TEST_CASE("[15] only the rows that neighbours need go from device to device") {
    for (const cut& c : CUTS) {
        expect_traffic(c, traffic_of_call(inspect_right(in_turn(c.devices), c.problem())));
        const inspect::report seen = inspect_right(overlapped(c.devices), c.problem());
        expect_traffic(c, traffic_of_call(seen));
    }
}

TEST_CASE("[15] every copy to another device may run beside its interior") {
    for (const cut& c : CUTS) {
        const traffic_of_call moved(inspect_right(overlapped(c.devices), c.problem()));
        expect_count("copies to another device that may run beside a kernel of theirs", moved.beside,
                     moved.copies_to_peers, 1);
        expect_at_least("copies to another device", moved.copies_to_peers,
                        2.0 * (c.devices - 1) * (c.passes - 1));
    }
}

TEST_CASE("[10] all is given back and a failing device is named") {
    for (const auto& method : {in_turn(3), overlapped(3)}) {
        expect_given_back(method, noise(30, 25, 3, 3, 2));
        expect_failures_told(method, noise(30, 25, 3, 3, 2));
        expect_lost_device_told(method, noise(30, 25, 3, 3, 2));
    }
}
