// One run of a judge.
#include "check/session.h"

#include <algorithm>
#include <stdexcept>

#include "call/plain_text.h"
#include "check/expectation_memory.h"
#include "check/failure_lines.h"

namespace check {

constexpr size_t MOST_PRINTED_NOTED = 10;  // lines
// Of a method in a check: its points are lost, and more failures would say nothing new.
constexpr ptrdiff_t MOST_FAILURES = 6;
constexpr uint64_t VAIN_REQUESTS = 200'000;  // of a run: what the inspector counts in half a second

session* the_session = nullptr;

session& running_session() {
    if (!the_session)
        throw std::logic_error("expectations need a session: run them through a judge's main()");
    return *the_session;
}

session::session(std::string lab, const std::string& worker, const std::string& inspector,
                 const std::string& box)
    : lab_(std::move(lab)),
      worker_path_(worker),
      worker_(std::make_shared<worker_process>(worker, box)),
      memory_(std::make_unique<expectation_memory>()) {
    const bool same = inspector.empty() || inspector == worker;
    inspector_ = same ? worker_ : std::make_shared<worker_process>(inspector, box);
    result.lab = lab_;
}

session::~session() = default;

worker_process& session::checking() {
    if (worker_ == inspector_) return *worker_;
    return worker_->is_for_gpu() ? *worker_ : *inspector_;
}

bool session::begin_case(const std::string& method_name, const std::string& problem, bool costly) {
    method = method_name.substr(0, method_name.find(" ("));
    subject = method_name + ": " + problem;
    const auto has = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), method) != names.end();
    };
    muted = !methods.empty() && !has(methods);
    if (muted || !current) return !muted;
    const auto is_mine = [&](const failure& one) { return one.method == method; };
    const bool is_lost = !current->failures.empty() && !every_case;
    const bool is_enough = std::ranges::count_if(current->failures, is_mine) >= MOST_FAILURES;
    if (is_enough || (is_lost && (costly || vain_requests_ >= VAIN_REQUESTS)))
        muted = current->cut = true;
    else if (!has(current->methods))
        current->methods.push_back(method);
    return !muted;
}

void session::count_requests(uint64_t requests) {
    if (current && !current->failures.empty()) vain_requests_ += requests;
}

failure& session::fail(call_end how, std::vector<std::string> lines) {
    if (!current) throw std::logic_error("an expectation outside of a check");
    static failure unsaid;
    if (muted) return unsaid;
    current->failures.push_back({subject, std::move(lines), how});
    current->failures.back().method = method;
    return current->failures.back();
}

void session::note(const call_result& result) {
    if (printed_.empty() && !result.printed.empty()) {
        printed_in_ = "\nprinted in " + subject + "\n";
        for (const std::string& line : printed_lines(result.printed, MOST_PRINTED_NOTED))
            printed_.push_back(printable(line) + "\n");
    }
    if (untimed_.empty() && result.returned() && !result.seen.launches.empty() && result.kernel_ms.empty())
        untimed_ = "\nnot timed: " + subject +
                   "\n  the launch stands outside of timed_launch: without it make bench" +
                   " and make plot have no time to show\n";
}

std::string session::notes(const std::string& told) const {
    const auto is_told = [&](const std::string& line) { return told.find(line) != std::string::npos; };
    std::string text;
    if (!std::ranges::all_of(printed_, is_told)) {
        text = printed_in_;
        for (const std::string& line : printed_)
            text += "  " + line;
    }
    return text + untimed_;
}

}  // namespace check
