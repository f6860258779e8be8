// Which calls at the beginning of basic blocks are left out of a file's assembly.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "simt/rewrite/rewrite.h"

namespace {

const std::string BLOCK = "\tcall\t__sanitizer_cov_trace_pc";

/// A function of these lines: `B` begins a block, `x:` is a label, anything else an instruction.
std::string function(const std::vector<std::string>& lines) {
    std::string text = "f:\n\t.cfi_startproc\n";
    for (const std::string& line : lines)
        text += (line == "B" ? BLOCK : line.ends_with(':') ? line : "\t" + line) + "\n";
    return text + "\t.cfi_endproc\n";
}

/// The blocks that are left, "1010": the first and the third.
std::string kept(const std::vector<std::string>& lines) {
    std::vector<std::string> numbered;
    int blocks = 0;
    for (const std::string& line : lines) {
        numbered.push_back(line);
        if (line == "B") numbered.push_back("nop\t" + std::to_string(blocks++));
    }
    const std::string left = rewrite::without_quiet_blocks(function(numbered));
    std::string found;
    for (int k = 0; k < blocks; k++) {
        const std::string mark = "\tnop\t" + std::to_string(k) + "\n", both = BLOCK + "\n" + mark;
        REQUIRE(left.find(mark) != left.npos);
        found += left.find(both) != left.npos ? '1' : '0';
    }
    return found;
}

}  // namespace

TEST_CASE("a loop keeps its first block and the one that turns back") {
    CHECK(kept({"B", ".L1:", ".loc 1 10 3", "B", "jle\t.L2", "B", "call\t__tsan_read4", ".L2:", "B",
                "jne\t.L1", "B", "call\t__tsan_func_exit", "ret"}) == "11011");
    CHECK(kept({"B", ".L1:", "B", "jne\t.L1", "B", "nop", "B", "ret"}) == "1101");
    CHECK(kept({"B", ".L1:", "B", "js\t.L3", "B", "nop", ".L2:", "B", "js\t.L3", "B", "jne\t.L2", ".L3:", "B",
                "jne\t.L1", "B", "ret"}) == "1101111");
}

TEST_CASE("it may turn back from, or to, the middle of a block, or come into it") {
    CHECK(kept({"B", ".L1:", "B", "js\t.L2", "B", "nop", ".L2:", "jne\t.L1", "B", "nop", "B", "ret"}) ==
          "11101");
    CHECK(kept({"B", ".L1:", "nop", "B", "jne\t.L1", "B", "nop", "B", "ret"}) == "1101");
    CHECK(kept({"B", ".L1:", "nop", "js\t.L2", "B", "nop", ".L2:", "B", "jne\t.L1", "B", "ret"}) == "1111");
    CHECK(kept({"B",       "js\t.L9", "B",    "jmp\t.L3", ".L1:",     "B", "js\t.L2",
                "B",       "nop",     ".L2:", "B",        "jne\t.L1", "B", "nop",
                "je\t.L9", ".L3:",    "nop",  "jmp\t.L1", ".L9:",     "B", "ret"}) == "1010111");
}

TEST_CASE("without a loop it is the beginning and the end of the function") {
    CHECK(kept({"B", "js\t.L1", "B", "call\tsimt_barrier@PLT", ".L1:", "B", "nop", "B", "ret"}) == "1001");
    CHECK(kept({"B", "js\t.L1", "B", "call\t__tsan_func_exit", "jmp\t.L2", ".L1:", "B", "nop", ".L2:", "B",
                "ret"}) == "1101");
    for (const std::string library :
         {"__syncthreads@PLT", "sinf@PLT", "_Z15simt_atomic_addPjj", "_ZN4simt8fetch_2dIfEET_yff"})
        CHECK_MESSAGE(
            kept({"B", "js\t.L1", "B", "call\t" + library, ".L1:", "B", "nop", "B", "ret"}) == "1001",
            library);
}

TEST_CASE("a function keeps all of them") {
    const std::vector<std::string> quiet = {"B", "js\t.L1", "B", "nop", ".L1:", "B", "nop", "B", "ret"};
    REQUIRE(kept(quiet) == "1001");
    SUBCASE("that calls another one, or by an address") {
        for (const std::string call : {"call\t_Z1gv", "call\tf", "call\t*%rax", "jmp\t*%rax",
                                       "call\t__x86_indirect_thunk_rax", "call\t_ZN1a6simt_bEv"}) {
            std::vector<std::string> lines = quiet;
            lines.insert(lines.begin() + 3, call);
            CHECK_MESSAGE(kept(lines) == "1111", call);
        }
    }
    SUBCASE("that uses members of an object, whose use ends with the block") {
        std::vector<std::string> lines = quiet;
        lines.insert(lines.begin() + 3, "call\tsimt_object");
        CHECK(kept(lines) == "1111");
    }
    SUBCASE("that lies in two pieces") {
        std::vector<std::string> lines = quiet;
        lines.insert(lines.begin() + 3, ".section\t.text.unlikely");
        CHECK(kept(lines) == "1111");
    }
}

TEST_CASE("all other text stays as it is") {
    for (const std::string text :
         {"", "\t.text\n", "\t.string\t\"call __sanitizer_cov_trace_pc\"\n", "f:\n\t.cfi_startproc\n\tnop\n",
          "f:\n\t.cfi_startproc\n\tcall\t__sanitizer_cov_trace_pc\n\tret\n\t.cfi_endproc\n"})
        CHECK(rewrite::without_quiet_blocks(text) == text);
}
