// The judge of a lab: NN_name --worker=PATH --inspector=PATH [check|demo|gallery|bench|inspect|methods] [options]
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bench/bench.h"
#include "check/method.h"
#include "check/modes/check_mode.h"
#include "check/modes/demo_mode.h"
#include "check/modes/gallery_mode.h"
#include "check/modes/inspect_mode.h"
#include "check/terminal.h"

namespace {

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

struct command_line {
    std::string lab, worker, inspector, box, why, seed_file;
    bool exact = false, serial_values = false, no_fmad = false, every_case = false;
    uint64_t seed = 42;
    check::check_options check;
    check::demo_options demo;
    check::gallery_options gallery;
    bench::options bench;
    check::inspect_options inspect;
    // Of more than one mode:
    std::string csv, date;
    std::vector<std::string> methods;
};

void define_run(CLI::App& app, command_line& line) {
    app.add_option("--worker", line.worker, "program around the student's functions, on the active backend");
    app.add_option("--inspector", line.inspector,
                   "the same on the CPU backend with the inspector; default: the worker");
    app.add_option("--lab", line.lab, "NN_name of the lab; default: this program's name");
    app.add_option("--why", line.why, "why this backend, for the first line: \"no GPU found\"");
    app.add_option("--box", line.box, "program that starts the workers in a box: build/bin/boxed");
    app.add_option("--seed", line.seed, "of the inputs");
    app.add_option("--seed-file", line.seed_file, "file that holds it: a command line is for all to read");
    app.add_flag("--exact", line.exact, "counts must be met as equalities (reference solutions)");
    app.add_flag("--serial-values", line.serial_values,
                 "values must be the serial loop's (faster forms, whose counts are their own); --exact asks "
                 "for them, too");
    app.add_flag("--no-fmad", line.no_fmad,
                 "the worker was built with --fmad=false: its values can be the serial loop's");
    app.add_flag("--every-case", line.every_case,
                 "methods are called for what takes long, too, in a check that is lost already");
}

void define(CLI::App& app, check::check_options& check) {
    app.add_option("--json", check.json, "check: write the report to this file");
    app.add_option("--only", check.only,
                   "check: only checks with this in their name, or the one of this number");
    app.add_option("--source", check.source, "check: the student's file, for the state of its TODOs");
    app.add_option("--steps", check.steps, "check: steps.json of the lab");
    app.add_flag("!--brief", check.all, "check: explain only what is to be mended first");
    app.add_flag("--first-loss", check.first_loss, "check: stop after the first check that loses its points");
    app.add_flag("--quiet", check.quiet, "check: only the points");
}

void define(CLI::App& app, check::demo_options& demo) {
    app.add_option("--image", demo.image, "demo: PNG or JPEG");
    app.add_option("--out", demo.out, "demo: folder for pictures and results.csv");
}

/// An option that is a list: one argument, with commas.
void define_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
                 const std::string& help) {
    app.add_option(name, list, help)->delimiter(',')->allow_extra_args(false);
}

void define_shared(CLI::App& app, command_line& line) {
    app.add_option("--csv", line.csv,
                   "bench: results file (default bench.csv); inspect: counts of every launch");
    define_list(
        app, "--methods", line.methods,
        "check, demo, bench, inspect: only these, as in serial,naive; demo passes over those of other labs");
    app.add_option("--date", line.date, "bench, demo: date of the data, YYYY-MM-DD; default: today");
}

void define(CLI::App& app, bench::options& bench) {
    define_list(app, "--lengths", bench.lengths, "bench, inspect: of arrays, as in 1000,65536");
    define_list(app, "--images", bench.images, "bench, inspect: sizes, as in 4096x4096,1920x1080");
    define_list(app, "--filters", bench.filters,
                "bench, inspect: width x height, as in 3,5,7x33; in 1D taps");
    app.add_flag("--map", bench.map,
                 "bench: every filter width with every height, and the tables of the lab");
    define_list(app, "--kinds", bench.kinds, "bench: of filters, as in random,gaussian");
    app.add_flag("!--no-tables", bench.tables, "bench --map: without the tables of the lab");
    app.add_flag("!--no-serial", bench.serial, "bench: without the serial loop");
    app.add_flag("--pinned", bench.pinned, "bench: host arrays are page-locked");
    app.add_option("--calls", bench.calls, "bench: of which the copies are timed; default: 2, of a map 1");
    app.add_option("--block", bench.block, "bench: 16x16: launches of other blocks are left out");
    app.add_option("--build", bench.build, "bench: how the worker was compiled, for the results file");
    app.add_flag("--more", bench.more, "bench: the results file stays unfinished, other calls add rows");
    app.add_option("--comment", bench.comments, "bench: a comment line of the results file, may be repeated");
}

void define(CLI::App& app, check::inspect_options& inspect) {
    app.add_option("--width", inspect.width, "inspect: of the image")->check(CLI::Range(1, 4096));
    app.add_option("--height", inspect.height, "inspect: of the image")->check(CLI::Range(1, 4096));
    app.add_option("--reference", inspect.reference,
                   "inspect: the reference solution's worker, for its counts beside yours");
    app.add_option("--pictures", inspect.pictures,
                   "inspect: folder for the data of pictures, emptied of earlier ones");
    app.add_option("--gpu", inspect.gpu,
                   "inspect: bounds for this GPU of data/gpus.csv; default: the one that is here, else " +
                       std::string(check::DEFAULT_GPU));
    app.add_option("--registers", inspect.registers, "inspect: file with what nvcc -Xptxas -v printed");
    app.add_flag("--expected-counts", inspect.expected_counts,
                 "inspect: run all checks as well, for the verdicts on their counts");
    app.add_option("--radius", inspect.radius, "inspect: of the filter")->check(CLI::Range(0, 100));
    app.add_option("--failed", inspect.failed,
                   "inspect: report.json, of which the first failing case is run");
    app.add_flag("--all", inspect.all, "inspect: every line of every method, and every count");
}

/// All options work before and after the mode's name.
void define(CLI::App& app, command_line& line) {
    define_run(app, line);
    define(app, line.check);
    define(app, line.demo);
    define_shared(app, line);
    define(app, line.bench);
    define(app, line.inspect);
    app.require_subcommand(0, 1);
    app.fallthrough();
    for (const char* mode : {"check", "demo", "gallery", "bench", "inspect", "methods"})
        app.add_subcommand(mode, "")->fallthrough();
}

void share_out(command_line& line) {
    if (line.date.empty()) line.date = today();
    line.bench.csv = line.inspect.csv = line.csv;
    line.bench.date = line.demo.date = line.gallery.date = line.date;
    line.check.methods = line.bench.methods = line.demo.methods = line.inspect.asked.methods = line.methods;
    line.inspect.asked.lengths = line.bench.lengths;
    line.inspect.asked.images = line.bench.images;
    line.inspect.asked.filters = line.bench.filters;
}

uint64_t read_seed(const std::string& path) {
    std::ifstream file(path);
    uint64_t seed = 0;
    if (!(file >> seed)) throw std::runtime_error(path + ": holds no seed");
    return seed;
}

int run(const CLI::App& app, const command_line& line) {
    if (app.got_subcommand("methods")) {
        std::printf("%s\n", check::method_names().c_str());
        return 0;
    }
    if (line.worker.empty()) throw std::invalid_argument("--worker is required");
    check::session session(line.lab, line.worker, line.inspector, line.box);
    session.active().require_gpu();
    session.exact = line.exact;
    session.serial_values = line.exact || line.serial_values;
    session.no_fmad = line.no_fmad;
    session.every_case = line.every_case;
    session.seed = line.seed_file.empty() ? line.seed : read_seed(line.seed_file);
    session.result.why = line.why;
    check::the_session = &session;
    if (app.got_subcommand("demo")) return check::run_demo(line.demo, session);
    if (app.got_subcommand("gallery")) return check::run_gallery(line.gallery, session);
    if (app.got_subcommand("bench")) return bench::run(line.bench, session);
    if (app.got_subcommand("inspect")) return check::run_inspect(line.inspect, session);
    return check::run_check(line.check, session);
}

}  // namespace

int main(int argc, char** argv) try {
    command_line line;
    line.lab = std::filesystem::path(argv[0]).filename().string();
    CLI::App app("The checks of a lab");
    define(app, line);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help
        std::fprintf(stderr, "%s: %s\n", line.lab.c_str(), error.what());
        return 2;
    }
    share_out(line);
    return run(app, line);
} catch (const std::exception& error) {
    const std::string text = std::filesystem::path(argv[0]).filename().string() + ": " + error.what() + "\n";
    std::fputs((isatty(STDERR_FILENO) ? check::wrapped(text, check::TERMINAL_COLUMNS) : text).c_str(),
               stderr);
    return 2;
}
