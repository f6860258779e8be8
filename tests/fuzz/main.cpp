// fuzz PROGRAMS SEED JOBS: writes random programs, builds and runs them on the CPU backend with and without the
// inspector, and compares what they show with the model.
//   fuzz PROGRAMS SEED source          prints the source of right programs, for another compiler
//   fuzz PROGRAMS SEED against FILE    compares what they printed there
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

#include "compare.h"
#include "generate.h"
#include "write.h"

namespace {

using namespace fuzz;
using std::to_string;

constexpr int BATCH = 25;  // programs of a source file
const std::string FOLDER = "build/fuzz/";

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

bool runs(const std::string& command) {
    return std::system(command.c_str()) == 0;
}

struct batch {
    unsigned first;
    std::vector<program> programs;
    std::string source;
    std::vector<std::string> differences;  // by program
};

/// Compiles, links and runs; what the programs printed, or the compiler.
std::string output_of(const std::string& name, bool is_inspected) {
    const std::string base = FOLDER + name + (is_inspected ? ".inspect" : ".plain");
    const char* const compiler = std::getenv("CXX");
    std::string compile = "common/simt/simtcc -w -Icommon -Itests/fuzz ", link = compiler ? compiler : "g++";
    if (is_inspected) compile += "--inspect ";
    compile += FOLDER + name + ".cu -o " + base + ".o";
    link += " " + base + ".o build/tests/fuzz/harness.o ";
    link += is_inspected ? "build/tests/fuzz/reported.o build/lib/libinspect.a "
                         : "build/tests/fidelity/profiled.o ";
    link += "build/lib/libsimt.a @build/link.flags -o " + base;
    if (!runs("{ " + compile + " && " + link + "; } >" + base + ".log 2>&1")) return text_of(base + ".log");
    // Where nobody watches, a planted stray hits what later programs need.
    const char* const which = is_inspected ? "" : " right";
    std::string text;
    for (int from = 0;;) {  // one that dies does not take the others with it
        const bool is_whole =
            runs("timeout 300 " + base + " " + to_string(from) + which + " >" + base + ".out 2>&1");
        text += text_of(base + ".out");
        const size_t last = text.rfind("program ");
        if (is_whole || last == std::string::npos) return text;
        from = std::atoi(text.c_str() + last + 8) + 1;
        text += "\nerror: it died\n";
    }
}

void compare(batch& all) {
    const std::string name = to_string(all.first);
    std::ofstream(FOLDER + name + ".cu") << all.source;
    const transcript inspected(output_of(name, true)), plain(output_of(name, false));
    for (const program& one : all.programs)
        all.differences.push_back(difference(one, inspected, plain));
}

class progress {
public:
    progress(int programs) : programs(programs) {}
    void add(int count, int failed) {
        done += count;
        wrong += failed;
        if (!shows) return;
        const double elapsed =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::fprintf(stderr, "\r  %d of %d programs, %d differ, %.0f s left ", done, programs, wrong,
                     elapsed / done * (programs - done));
        if (done == programs) std::fprintf(stderr, "\n");
    }

private:
    const int programs;
    int done = 0, wrong = 0;
    const bool shows = std::getenv("FUZZ_QUIET") == nullptr;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

batch make_batch(unsigned seed, int count, wish what) {
    batch made{seed, {}, "", {}};
    for (int k = 0; k < count; k++)
        made.programs.push_back(generate(seed + k, k, what));
    made.source = source_of(made.programs);
    return made;
}

/// Values alone; the exit code.
int print_differences(const batch& all, const transcript& seen) {
    int wrong = 0;
    for (const program& one : all.programs) {
        const std::string text = value_difference(one, seen);
        wrong += !text.empty();
        if (!text.empty()) std::printf("SEED=%u\n%s", one.seed, text.c_str());
    }
    std::printf("%d programs with the model's values, %d with others\n", int(all.programs.size()) - wrong,
                wrong);
    return wrong > 0;
}

}  // namespace

int main(int count, char** arguments) {
    std::filesystem::create_directories(FOLDER);
    const int programs = count > 1 ? std::atoi(arguments[1]) : 100;
    const unsigned seed = count > 2 ? static_cast<unsigned>(std::atoi(arguments[2])) : 1;
    if (count > 3 && std::strcmp(arguments[3], "source") == 0) {
        std::fputs(make_batch(seed, programs, wish::right).source.c_str(), stdout);
        return 0;
    }
    if (count > 4 && std::strcmp(arguments[3], "against") == 0) {
        const batch all = make_batch(seed, programs, wish::right);
        return print_differences(all, transcript(text_of(arguments[4])));
    }
    const int jobs = std::max(1, count > 3 ? std::atoi(arguments[3]) : 1);
    std::map<std::string, int> features, planted;
    int passed = 0, failed = 0;
    progress shown(programs);
    std::mutex lock;
    unsigned next = 0;
    const auto work = [&] {
        for (;;) {
            std::unique_lock guard(lock);
            const unsigned first = next;
            if (first >= unsigned(programs)) return;
            next += BATCH;
            guard.unlock();
            batch all = make_batch(seed + first, std::min(BATCH, programs - int(first)), wish::any);
            compare(all);
            guard.lock();
            int wrong = 0;
            for (size_t k = 0; k < all.programs.size(); k++) {
                const program& one = all.programs[k];
                for (const auto& [what, times] : one.features)
                    features[what] += times;
                planted[kind_of_plant(one.planted)]++;
                if (all.differences[k].empty()) continue;
                wrong++;
                std::vector<program> alone{one};
                std::ofstream(FOLDER + "seed_" + to_string(one.seed) + ".txt")
                    << source_of(alone) << all.differences[k];
                std::printf("SEED=%u%s\n%s", one.seed,
                            one.planted.empty() ? "" : (", planted: " + one.planted).c_str(),
                            all.differences[k].c_str());
                if (programs == 1) std::printf("%s", source_of(alone).c_str());
                std::fflush(stdout);
            }
            passed += int(all.programs.size()) - wrong;
            failed += wrong;
            shown.add(int(all.programs.size()), wrong);
        }
    };
    std::vector<std::thread> workers;
    for (int k = 0; k < jobs; k++)
        workers.emplace_back(work);
    for (std::thread& one : workers)
        one.join();
    std::printf("made of:");
    for (const auto& [what, times] : features)
        std::printf(" %s %d,", what.c_str(), times);
    std::printf("\nplanted:");
    for (const auto& [what, times] : planted)
        std::printf(" %s %d,", what.c_str(), times);
    std::printf("\n%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
