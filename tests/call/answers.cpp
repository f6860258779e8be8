// What a worker may write into the memory of a call, and what the judge makes of it.
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "call/call_memory.h"
#include "call/plain_text.h"

using channel::answer_header;

namespace {

const channel::token SECRET = {17, 4};

/// A call with one input and one output of four bytes, and a worker's view of its memory.
struct pretended_call {
    float in = 1, out = -1;
    check::argument arguments[2] = {{check::argument::kind::input, &in, nullptr, sizeof in},
                                    {check::argument::kind::output, nullptr, &out, sizeof out}};
    check::call_memory memory{"scale", arguments, {}, 5, SECRET};
    std::byte* view = nullptr;
    size_t size = 0;
    channel::call_header question;

    pretended_call() {
        // Question and arguments take less than the first part;
        // what lies behind the end of the file is not touched.
        size = 1024 + channel::ANSWER_BYTES;
        view = static_cast<std::byte*>(
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.file(), 0));
        std::memcpy(&question, view, sizeof question);
    }
    ~pretended_call() { munmap(view, size); }

    static answer_header right_answer() {
        answer_header header;
        header.sequence = 5;
        header.secret = SECRET;
        header.how = check::call_end::returned;
        header.call_ms = 2;
        header.copy_ms = 1;
        return header;
    }
    bool accepts(const answer_header& header, const std::string& body = "") const {
        std::memcpy(view + question.answer_offset, &header, sizeof header);
        std::memcpy(view + question.answer_offset + sizeof header, body.data(), body.size());
        return memory.read_answer().has_value();
    }
};

std::string bytes_of(double value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

TEST_CASE("a right answer is taken with its times and its text") {
    const pretended_call call;
    answer_header header = pretended_call::right_answer();
    CHECK(call.accepts(header));
    header.launches = 2;
    header.trouble_bytes = 3;
    REQUIRE(call.accepts(header, bytes_of(0.5) + bytes_of(0.25) + "yes"));
    const auto given = call.memory.read_answer();
    CHECK(given->kernel_ms == std::vector<double>{0.5, 0.25});
    CHECK(given->trouble == "yes");
    CHECK(given->call_ms == 2);
    CHECK_FALSE(given->seen.inspected);
}

TEST_CASE("an answer needs the number and the token of its call") {
    const pretended_call call;
    answer_header header = pretended_call::right_answer();
    header.sequence = 4;
    CHECK_FALSE(call.accepts(header));
    header = pretended_call::right_answer();
    header.secret[1]++;
    CHECK_FALSE(call.accepts(header));
    CHECK_FALSE(call.accepts(answer_header{}));
}

TEST_CASE("sizes that lead out of the memory are refused") {
    const pretended_call call;
    for (const uint64_t size : {channel::ANSWER_BYTES, channel::ANSWER_BYTES / 8, uint64_t(1) << 61,
                                uint64_t(1) << 63, ~uint64_t(0), ~uint64_t(0) - 7}) {
        CAPTURE(size);
        answer_header header = pretended_call::right_answer();
        header.launches = size;
        CHECK_FALSE(call.accepts(header));
        if (size < channel::ANSWER_BYTES) continue;
        header = pretended_call::right_answer();
        header.trouble_bytes = size;
        CHECK_FALSE(call.accepts(header));
        header = pretended_call::right_answer();
        header.report_bytes = size;
        CHECK_FALSE(call.accepts(header));
        header.trouble_bytes = ~size + 1;  // their sum is 0
        CHECK_FALSE(call.accepts(header));
    }
}

TEST_CASE("times that nobody can have measured are refused") {
    const pretended_call call;
    for (const double time : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        answer_header header = pretended_call::right_answer();
        header.call_ms = time;
        CHECK_FALSE(call.accepts(header));
        header = pretended_call::right_answer();
        header.copy_ms = time;
        CHECK_FALSE(call.accepts(header));
        header = pretended_call::right_answer();
        header.launches = 1;
        CHECK_FALSE(call.accepts(header, bytes_of(time)));
    }
}

TEST_CASE("unknown outcomes and reports that are none are refused") {
    const pretended_call call;
    answer_header header = pretended_call::right_answer();
    header.how = check::call_end(77);
    CHECK_FALSE(call.accepts(header));
    header = pretended_call::right_answer();
    for (const std::string report : {"{", "nonsense", "[[[[[[[[", "{\"launches\": 7}", "\xff\xfe"}) {
        header.report_bytes = report.size();
        CHECK_FALSE(call.accepts(header, report));
    }
}

namespace {

/// A report of one launch, as a worker would send it, with `now` in the place of `before`.
std::string report_with(const std::string& before, const std::string& now) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch& launch = seen.launches.emplace_back();
    for (int k = 0; k < 3; k++)
        launch.grid[k] = launch.block[k] = 1;
    launch.total.global.loads.lanes = 77;
    launch.dynamic_shared = 4711;
    launch.drawn.elements.push_back({"in", 40, 64, {1, 2}, {3, 4}, {5, 6}});
    seen.origin = {9, 8, 7, false};
    std::string text = inspect::to_json(seen);
    const size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    return text.replace(at, before.size(), now);
}

}  // namespace

TEST_CASE("reports with numbers that no device gives are refused") {
    const pretended_call call;
    const auto accepts = [&](const std::string& report) {
        answer_header header = pretended_call::right_answer();
        header.report_bytes = report.size();
        return call.accepts(header, report);
    };
    CHECK(accepts(report_with("4711", "4712")));
    for (const std::string number :
         {"-1", "9223372036854775808", "18446744073709551615", "1e300", "\"many\"", "null"}) {
        CAPTURE(number);
        CHECK_FALSE(accepts(report_with("77", number)));
        CHECK_FALSE(accepts(report_with("4711", number)));
        CHECK_FALSE(accepts(report_with("\"of_host\": 8", "\"of_host\": " + number)));
        CHECK_FALSE(accepts(report_with("\"pitch\": 64", "\"pitch\": " + number)));
        CHECK_FALSE(accepts(report_with("\"inspected_blocks\": 0", "\"inspected_blocks\": " + number)));
        CHECK_FALSE(accepts(report_with("\"inspected\": true", "\"inspected\": " + number)));
    }
    for (const std::string side : {"\"grid\"", "\"block\""}) {
        for (const std::string extent : {"[0, 1, 1]", "[1, 0, 1]", "[1, 1, 0]", "[-1, 1, 1]", "[1, 1]", "[]",
                                         "7", "[2147483648, 1, 1]", "[1, 65536, 1]", "[1, 1, 65536]"}) {
            CAPTURE(side);
            CAPTURE(extent);
            CHECK_FALSE(accepts(report_with(side + ": [", side + ": " + extent + ", \"unused\": [")));
        }
    }
    CHECK_FALSE(accepts(report_with("\"block\": [", "\"block\": [32, 33, 1], \"unused\": [")));
    CHECK(accepts(report_with("\"block\": [", "\"block\": [32, 32, 1], \"unused\": [")));
    CHECK_FALSE(accepts(report_with("\"stores\": [", "\"stores\": [1], \"unused\": [")));  // of two elements
    CHECK_FALSE(accepts(report_with("\"loader\": [", "\"loader\": [], \"unused\": [")));
    CHECK_FALSE(accepts(report_with("\"row_bytes\": 40", "\"row_bytes\": 65")));
}

TEST_CASE("reports that would fill the memory of their reader are refused at once") {
    const pretended_call call;
    for (const std::string piece : {"[", "{\"a\":", "[],", "0,"}) {
        answer_header header = pretended_call::right_answer();
        std::string report;
        while (report.size() < channel::ANSWER_BYTES / 2)
            report += piece;
        header.report_bytes = report.size();
        CHECK_FALSE(call.accepts(header, report));
    }
}

TEST_CASE("a changed question does not change where the judge looks for outputs") {
    pretended_call call;
    REQUIRE(call.accepts(pretended_call::right_answer()));
    std::memset(call.view, 0xff, sizeof(channel::call_header) + 2 * sizeof(channel::argument_record));
    CHECK(call.memory.read_answer().has_value());
    call.memory.copy_outputs(call.arguments);
    CHECK(call.out == 0.0f);  // fresh memory of the file; the worker wrote nothing there
}

TEST_CASE("the worker cannot take the memory away") {
    const pretended_call call;
    CHECK(ftruncate(call.memory.file(), 0) != 0);
    CHECK(ftruncate(call.memory.file(), 1 << 30) != 0);
}

TEST_CASE("text from a stranger becomes plain") {
    using check::plain_text;
    CHECK(plain_text("lines\nand\ttabs", true) == "lines\nand\ttabs");
    CHECK(plain_text("lines\nand\ttabs", false) == "lines and tabs");
    CHECK(plain_text("\x1b[31mred\r\x07", true) == "?[31mred??");
    CHECK(plain_text("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", false) ==
          "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(plain_text("\xc2\x85|", false) == "?|");      // a control character beyond ASCII
    CHECK(plain_text("\xff\xc3", false) == "??");       // no UTF-8, and a character cut off
    CHECK(plain_text("\xc0\x80", false) == "??");       // zero, written too long
    CHECK(plain_text("\xed\xa0\x80", false) == "???");  // half of a surrogate pair
    CHECK(plain_text(std::string("a\0b", 3), false) == "a?b");
}

TEST_CASE("sizes of memory read well") {
    CHECK(check::memory_text(uint64_t(2) << 30) == "2 GB");
    CHECK(check::memory_text((uint64_t(2) << 30) + (uint64_t(512) << 20)) == "2.5 GB");
    CHECK(check::memory_text(256 << 20) == "256 MB");
}
