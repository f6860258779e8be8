// What an inspected call did wrong although its values are right.
#include "check/verdict_lines.h"

#include <fmt/format.h>
#include <set>

#include "check/failure_lines.h"
#include "problem/describe.h"

namespace check {

namespace {

constexpr int A_WARP = 32;  // threads
/// Threads to a request: whoever has a thread for every output has more.
constexpr uint64_t LEAST_TOGETHER = 2;

bool is_stray_store(const inspect::finding& one) {
    static const std::set<std::string> BESIDE = {"out-of-bounds", "row-overrun", "use-after-free",
                                                 "constant-write", "index-out-of-array"};
    return one.is_error && (one.direction == "store" || one.direction == "atomic") &&
           BESIDE.count(one.kind) > 0;
}

}  // namespace

std::string not_from_kernels(const inspect::report& seen, const shape& where) {
    if (!seen.inspected) return "";
    const std::string verdict = "no kernel stored these values: ";
    if (seen.launches.empty()) return verdict + "none was launched";
    const inspect::memory_traffic global = seen.total().global;
    const uint64_t stored = global.stores.bytes + global.atomics.bytes;
    const uint64_t needed = where.values() * sizeof(float);
    if (stored < needed)
        return verdict + fmt::format("they take {} bytes, and kernels stored {}", needed, stored);
    const inspect::value_origin& from = seen.origin;
    if (from.of_host > 0 && from.first_of_host < where.values())
        return verdict + fmt::format("{} of {} were not copied from the device, {} the first", from.of_host,
                                     from.values, place(from.first_of_host, where));
    if (from.sent_by_host) return verdict + "the host had them first, and sent them to the device";
    return "";
}

std::string one_by_one(const inspect::report& seen, const shape& where, int block) {
    // Warps may stand upright: of an image of one row each then has one value.
    const bool has_no_company =
        where.width * where.channels < A_WARP || (!where.one_dimensional && where.height == 1);
    if (!seen.inspected || block < A_WARP || has_no_company) return "";
    inspect::memory_traffic traffic = seen.of("out");
    if (traffic.stores.lanes + traffic.atomics.lanes == 0) traffic = seen.total().global;
    const uint64_t lanes = traffic.stores.lanes + traffic.atomics.lanes;
    const uint64_t requests = traffic.stores.requests + traffic.atomics.requests;
    if (lanes >= LEAST_TOGETHER * requests) return "";
    if (seen.launches.size() == 1) {
        const inspect::launch& launch = seen.launches.front();
        const unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
        if (threads < unsigned(A_WARP) && launch.blocks() > threads)
            return fmt::format(
                "no threads side by side stored these values: a warp has 32, and {} blocks have {} thread{} "
                "each. Is it <<<blocks, threads>>>, in this order?",
                launch.blocks(), threads, threads == 1 ? "" : "s");
    }
    return fmt::format(
        "no threads side by side stored these values: a warp has 32, and {} requests of warps stored {} "
        "values. Give every output a thread",
        requests, lanes);
}

std::vector<std::string> stray_store_lines(const inspect::report& seen) {
    inspect::report strays;
    for (const inspect::finding& one : seen.findings) {
        if (is_stray_store(one)) strays.findings.push_back(one);
    }
    return inspector_lines(strays);
}

}  // namespace check
