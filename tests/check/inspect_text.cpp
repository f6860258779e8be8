// What make inspectNN says: sentences about source lines,
// tables beside a reference, verdicts, data of pictures.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "check/check.h"
#include "check/failure_lines.h"
#include "check/modes/inspect_mode.h"
#include "check/modes/inspect_problems.h"
#include "check/modes/inspect_table.h"
#include "check/modes/pictures.h"
#include "check/terminal.h"
#include "diagnose/launch_tile.h"
#include "inspect/report/report_meaning.h"
#include "inspect/report/timeline.h"
#include "problem/describe.h"

namespace fs = std::filesystem;
using namespace check;

namespace {

/// A request of lanes that read 4 bytes each at offset(lane).
template <class function>
inspect::request_sample request(const function& offset, uint32_t mask = ~0u) {
    inspect::request_sample one;
    one.file = "x.cu";
    one.line = 3;
    one.space = "global";
    one.direction = "load";
    one.variable = "in";
    one.access_bytes = 4;
    one.mask = mask;
    for (uint32_t lane = 0; lane < 32; lane++)
        one.offsets.push_back(uint32_t(offset(lane)));
    return one;
}

inspect::line_traffic line(const std::string& space, uint64_t requests, uint64_t cost, uint64_t ideal) {
    inspect::line_traffic one;
    one.file = "x.cu";
    one.line = 3;
    one.space = space;
    one.direction = "load";
    one.variable = "in";
    one.seen.requests = requests;
    one.seen.lanes = 32 * requests;
    one.seen.bytes = 128 * requests;
    (space == "global" ? one.seen.sectors : one.seen.wavefronts) = cost;
    one.seen.ideal = ideal;
    return one;
}

inspect::report report_of(uint64_t loads, uint64_t stores) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch launch;
    launch.kernel = "k";
    launch.grid[0] = 2, launch.grid[1] = 5, launch.grid[2] = 1;
    launch.block[0] = 32, launch.block[1] = 8, launch.block[2] = 1;
    inspect::variable_traffic in{"in", "global", {}}, out{"out", "global", {}};
    in.seen.loads.lanes = launch.total.global.loads.lanes = loads;
    in.seen.loads.requests = loads / 32;
    in.seen.loads.sectors = loads / 4;
    in.seen.loads.ideal = loads / 8;
    out.seen.stores.lanes = launch.total.global.stores.lanes = stores;
    launch.variables = {in, out};
    seen.launches.push_back(launch);
    return seen;
}

/// Of in, all of whose elements were loaded.
inspect::element_map element_map(size_t size) {
    return {"in",
            0,
            0,
            std::vector<uint32_t>(size, 1),
            std::vector<uint32_t>(size),
            std::vector<int32_t>(size, -1)};
}

std::string file_text(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

size_t lines_in(const fs::path& path) {
    const std::string text = file_text(path);
    return size_t(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("what the sectors of a line mean") {
    const auto global = [](double sectors, const inspect::request_sample& sample) {
        return inspect::meaning(line("global", 10, uint64_t(10 * sectors), 40), &sample);
    };
    CHECK(global(4, request([](int lane) { return 4 * lane; })) ==
          "each warp asks for 4 sectors, as few as its 128 bytes take");
    CHECK(global(6, request([](int lane) { return lane / 16 * 400 + 4 + lane % 16 * 4; })) ==
          "each warp asks for 6 sectors where 4 would do: its 16-wide rows start mid-sector");
    CHECK(global(5, request([](int lane) { return 20 + 4 * lane; })) ==
          "each warp asks for 5 sectors where 4 would do: its 32-wide row starts mid-sector, 20 bytes in");
    CHECK(global(32, request([](int lane) { return 256 * lane; })) ==
          "each warp asks for 32 sectors where 4 would do: neighbouring threads are 64 elements apart");
    CHECK(global(32, request([](int lane) { return lane * lane * 64; })) ==
          "each warp asks for 32 sectors where 4 would do: no two neighbouring threads are neighbours in "
          "memory");
    const auto few = [](int lane) { return lane < 4 ? 4 * lane : -1; };
    inspect::line_traffic four = line("global", 10, 10, 10);
    four.seen.lanes = 40, four.seen.bytes = 160;
    const inspect::request_sample first_four = request(few, 0xf);
    CHECK(inspect::meaning(four, &first_four) == "each warp asks for 1 sector, as few as its 16 bytes take");
    inspect::line_traffic shared_address = line("global", 10, 10, 10);
    const inspect::request_sample same = request([](int) { return 64; });
    CHECK(inspect::meaning(shared_address, &same) ==
          "all threads of a warp ask for the same address: 1 sector");
    CHECK(inspect::meaning(line("global", 10, 60, 40), nullptr) ==
          "each warp asks for 6 sectors where 4 would do");
    CHECK(inspect::meaning(line("global", 0, 0, 0), nullptr) == "");
}

TEST_CASE("what wavefronts and addresses mean") {
    const inspect::request_sample two_rows =
        request([](int lane) { return (lane / 16 * 18 + lane % 16) * 4; });
    CHECK(inspect::meaning(line("shared", 10, 20, 10), &two_rows) ==
          "each request takes 2 passes over the banks where 1 would do: threads 0 and 30 of the warp want "
          "different words "
          "of bank 0, 32 words apart");
    CHECK(inspect::meaning(line("shared", 10, 10, 10), &two_rows) == "no bank conflicts: 1 pass a request");
    CHECK(inspect::meaning(line("constant", 10, 10, 10), nullptr) ==
          "one address for the whole warp: a broadcast");
    CHECK(inspect::meaning(line("constant", 10, 320, 10), nullptr) ==
          "the threads of a warp read 32 addresses, one after the other: no broadcast");
}

TEST_CASE("passes over the banks") {
    const std::vector<int> strided = inspect::bank_passes(request([](int lane) { return lane * 16 * 4; }));
    CHECK(strided[0] == 0);
    CHECK(strided[1] == 0);  // bank 16
    CHECK(strided[2] == 1);  // bank 0 again
    CHECK(strided[31] == 15);
    const std::vector<int> broadcast = inspect::bank_passes(request([](int) { return 8; }, 0xf));
    CHECK(broadcast[3] == 0);
    CHECK(broadcast[4] == -1);  // takes no part
}

TEST_CASE("the tile of a launch") {
    problem_2d p{noise_image(64, 37), random_filter(3, 3)};
    const auto tile = [&](unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y,
                          uint64_t shared) {
        inspect::launch launch;
        launch.grid[0] = grid_x, launch.grid[1] = grid_y;
        launch.block[0] = block_x, launch.block[1] = block_y;
        launch.dynamic_shared = shared;
        const output_tile found = tile_of(launch, p);
        return std::to_string(found.width) + "x" + std::to_string(found.height) +
               (found.has_halo ? " halo" : "");
    };
    CHECK(tile(2, 5, 32, 8, 0) == "32x8");
    CHECK(tile(2, 5, 32, 8, 34 * 10 * 4) == "32x8 halo");
    CHECK(tile(4, 3, 18, 18, 18 * 18 * 4) == "16x16 halo");  // the block is the input tile
    CHECK(tile(1, 3, 16, 16, 66 * 18 * 4) == "64x16 halo");  // four outputs a thread
    CHECK(tile(2, 2, 34, 8, 34 * 34 * 4) == "32x32 halo");   // subblocks
    CHECK(tile(1, 1, 256, 1, 0) == "64x37");                 // a grid-stride loop, perhaps
    CHECK(tile(3, 2, 32, 32, 9000) == "30x32");              // a halo to the left and right
    find_edges(p);  // the outermost ring of the threads has no outputs
    CHECK(tile(3, 2, 32, 32, 9000) == "30x30");
    CHECK(tile(2, 2, 32, 32, 0) == "32x32");
}

TEST_CASE("of a method that METHODS= leaves out nobody divides by the sizes of its launch") {
    const inspect::launch none = main_launch({});
    CHECK(none.blocks() == 1);
    CHECK((none.block[0] == 1 && none.block[1] == 1 && none.block[2] == 1));
}

TEST_CASE("a cell of a tile is told by row and column where its rows are known") {
    const problem_2d p{noise_image(64, 37), random_filter(3, 3)};
    const auto told = [&](unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y, int cells,
                          const std::string& text) {
        inspect::report seen;
        seen.launches.resize(1);
        inspect::launch& launch = seen.launches[0];
        launch.grid[0] = grid_x, launch.grid[1] = grid_y;
        launch.block[0] = block_x, launch.block[1] = block_y;
        launch.dynamic_shared = sizeof(float) * uint64_t(cells);
        seen.findings.resize(1);
        seen.findings[0].text = text;
        tell_tile_cells(seen, p);
        return seen.findings[0].text;
    };
    const std::string read = "reads element 339 of dynamic shared memory";
    CHECK(told(2, 5, 32, 8, 34 * 10, read + ", past the end") ==
          read + " (row 9, column 33 of the tile), past the end");
    CHECK(told(4, 3, 18, 18, 18 * 18, read) == read + " (row 18, column 15 of the tile)");  // a thread a cell
    CHECK(told(1, 2, 32, 32, 66 * 34, read) == read + " (row 5, column 9 of the tile)");
    CHECK(told(4, 3, 16, 16, 48 * 18, read) == read);  // rows with a gap behind them
    CHECK(told(2, 5, 32, 8, 34 * 10, "reads element -1 of dynamic shared memory") ==
          "reads element -1 of dynamic shared memory");
    CHECK(told(2, 5, 32, 8, 34 * 10, "reads in[339]") == "reads in[339]");
    CHECK(told(2, 5, 32, 8, 0, read) == read);
    // In an image of one block a gap must not be taken for a higher tile.
    const problem_2d small{noise_image(4, 3), random_filter(3, 3)};
    inspect::report seen;
    seen.launches.resize(1);
    inspect::launch& launch = seen.launches[0];
    launch.grid[0] = launch.grid[1] = 1, launch.block[0] = launch.block[1] = 16;
    launch.dynamic_shared = 48 * 18 * sizeof(float);
    CHECK(tile_row_cells(seen, small) == 0);
    // Nor may sums of the tile's rows, which lie behind it.
    launch.block[0] = launch.block[1] = 32;
    launch.dynamic_shared = (34 + 32) * 34 * sizeof(float);
    CHECK(tile_row_cells(seen, small) == 0);
}

TEST_CASE("the tile of a launch whose warps have matrices of outputs") {
    const problem_2d p{noise_image(189, 54), random_filter(3, 3)};
    inspect::launch launch;
    launch.grid[0] = 3, launch.grid[1] = 2;
    launch.block[0] = 32, launch.block[1] = 8;
    CHECK(tile_of(launch, p).width == 63);
    launch.total.matrix_products = 1;
    CHECK(tile_of(launch, p).width == 64);
    CHECK(tile_of(launch, p).height == 32);
}

TEST_CASE("the tile of a launch whose threads take values, not pixels") {
    const problem_2d p{noise_image(64, 37, 3), random_filter(3, 3)};
    inspect::launch launch;
    launch.grid[0] = 6, launch.grid[1] = 5;
    launch.block[0] = 32, launch.block[1] = 8;
    CHECK(tile_of(launch, p).row_values == 32);
    CHECK(tile_of(launch, p).width == 11);
    launch.grid[0] = 2, launch.grid[2] = 3;  // a layer of the grid for each channel
    CHECK(tile_of(launch, p).row_values == 96);
}

TEST_CASE("counts beside the reference and the closed form") {
    const problem_2d p{noise_image(64, 37), random_filter(3, 3)};
    const inspect::report yours = report_of(21312, 2368), solution = report_of(20710, 2368);
    const std::string text = table_of_counts(yours, &solution, p);
    CHECK(text.find("  global loads of in                           21312       20710       20710\n"
                    "      closed form: every tap") != std::string::npos);
    CHECK(text.find("  global stores of out                          2368        2368        2368\n"
                    "      closed form: one for each") != std::string::npos);
    CHECK(wrapped(text, TERMINAL_COLUMNS) == text);
    CHECK(text.find("constant") == std::string::npos);  // nothing there: no row
    const std::string alone = table_of_counts(yours, nullptr, p);
    CHECK(alone.find("reference") == std::string::npos);
    CHECK(alone.find("21312       20710\n      closed form: every tap") != std::string::npos);
    CHECK(alone.find("recognised") == std::string::npos);
    problem_2d twice = p;
    twice.passes = 2;
    CHECK(table_of_counts(yours, nullptr, twice).find("one for each") == std::string::npos);
    inspect::report guessed = yours;
    guessed.guesses = {{"filter", "d_turned"}};
    CHECK(table_of_counts(guessed, nullptr, p)
              .ends_with("\n  filter was not recognised on the device (changed on its way?): d_turned is "
                         "taken for it\n"));
}

TEST_CASE("lines of launches that are alike are told once") {
    inspect::report seen = report_of(320, 64);
    seen.launches[0].lines = {line("global", 10, 40, 40)};
    CHECK(table_of_lines(seen).find("together") == std::string::npos);
    for (int k = 0; k < 3; k++)
        seen.launches.push_back(seen.launches[0]);
    const std::string strips = table_of_lines(seen);
    CHECK(strips ==
          "  4 launches of k together:\n  x.cu:3   \n      global load of in: 1280 accesses in 40 requests\n"
          "      each warp asks for 4 sectors, as few as its 128 bytes take\n");
    seen.launches[3].block[0] = 64;  // blocks of another kind
    CHECK(table_of_lines(seen).starts_with("  3 launches of k together:\n"));
}

TEST_CASE("what is told of methods fits on two screens") {
    const auto lines = [](int count) {
        std::string text;
        for (int k = 0; k < count; k++)
            text += "line\n";
        return text;
    };
    CHECK(fits_on_screens("", lines(200), ""));  // one is told in any case
    CHECK(fits_on_screens(lines(40), lines(40), lines(10)));
    CHECK_FALSE(fits_on_screens(lines(40), lines(40), lines(11)));
    const std::string breaks = lines(39) + std::string(80, 'a') + " " + "b\n";
    CHECK_FALSE(fits_on_screens(lines(40), breaks, lines(10)));

    using places = std::vector<size_t>;
    const std::vector<std::string> two = {lines(40), lines(50)};
    CHECK(told_in_full(two, {true, true}, 2, "") == places{0, 1});
    CHECK(told_in_full(two, {true, true}, 2, lines(1)) == places{0});
    CHECK(told_in_full(two, {true, false}, 2, lines(1)) == places{1});  // what is wrong comes first
    CHECK(told_in_full({lines(9), lines(9), lines(9)}, {true, true, false}, 2, "") == places{0, 2});
    CHECK(told_in_full({}, {}, 2, "").empty());
}

TEST_CASE("in brief: no rows that follow from others, no counts that are met") {
    const problem_2d p{noise_image(64, 37), random_filter(3, 3)};
    const inspect::report yours = report_of(20710, 2368);
    CHECK(table_of_counts(yours, nullptr, p).find("at best") != std::string::npos);
    const std::string brief = table_of_counts(yours, nullptr, p, true);
    CHECK(brief.find("at best") == std::string::npos);
    CHECK(brief.find("global loads, all") == std::string::npos);
    CHECK(brief.find("sectors per request") != std::string::npos);
    const expected_count fine{"few loads", "naive: 64x37", "loads of in", 100, 100, 105, false, true};
    CHECK(table_of_expected_counts({fine}, {}, true) == "  1 of 1 counts are met; ALL=1 lists them\n");
    std::vector<expected_count> counts{fine};
    for (int k = 0; k < 7; k++)
        counts.push_back(
            {"check " + std::to_string(k), "naive: 96x24", "loads of in", 32, 4, 8, false, false});
    const std::string text = table_of_expected_counts(counts, {}, true);
    CHECK(text.find("check 4") != std::string::npos);
    CHECK(text.find("check 5") == std::string::npos);
    CHECK(text.ends_with("  1 of 8 counts are met; ALL=1 lists them\n"));
}

TEST_CASE("the case of a report that failed first") {
    const fs::path file = fs::temp_directory_path() / ("report-" + std::to_string(getpid()));
    const auto first_of = [&](const std::string& subject) {
        std::ofstream(file)
            << R"({"checks": [{"passed": true, "messages": []}, {"passed": false, "messages": [")" + subject +
                   R"(\nelement 0: expected 1, got 2"]}]})";
        const inspect_wishes wishes = failing_case(file);
        std::string text;
        for (const auto& list : {wishes.methods, wishes.lengths, wishes.images, wishes.filters})
            text += (list.empty() ? "-" : list[0]) + " ";
        return text + std::to_string(int(wishes.border));
    };
    CHECK(first_of("basic: n = 1000, filter of 9 taps, random values") == "basic 1000 - 9 0");
    CHECK(first_of("basic: n = 1, filter -0.1988, in = 0.4564") == "basic 1 - 1 0");
    CHECK(first_of("basic: n = 7, filter 3 4 5e-05 4 3, in = 1 2") == "basic 7 - 5 0");
    CHECK(first_of("naive: 33x7 pixels, filter random 3x5, border zero, random values") ==
          "naive - 33x7 3x5 0");
    CHECK(first_of("tiled (tile 4): 33x7 pixels of 3 channels, filter box 3x3 (1 1 1), border mirror, x") ==
          "tiled (tile 4) - 33x7 3x3 " + std::to_string(int(lab::border::mirror)));
    CHECK(first_of("naive: 33x7 pixels, filter sobel x, border clamp, random values") ==
          "naive - 33x7 3 " + std::to_string(int(lab::border::clamp)));
    CHECK_THROWS_AS(first_of("crashed"), std::invalid_argument);
    // What is to be mended first, not what fails first.
    std::ofstream(file)
        << R"({"start_with": "start with: sizes\n          tiled (tile 4): n = 9, filter 1, x\n",
        "checks": [{"passed": false, "messages": ["basic: n = 7, filter 3 4 5, in = 1 2\nelement 0"]}]})";
    CHECK(failing_case(file).subject == "tiled (tile 4): n = 9, filter 1, x");
    fs::remove(file);
    CHECK_THROWS_WITH(failing_case(file), "CASE=1: there is no report yet: make the lab first");
    // As describe() says it.
    const problem_2d p{noise_image(33, 7, 3), random_filter(3, 5)};
    CHECK(first_of("colour: " + describe(p)) == "colour - 33x7 3x5 0");
    CHECK(first_of("row: " + describe(problem_1d{random_values(70, 1), random_values(3, 2)})) ==
          "row 70 - 3 0");
}

TEST_CASE("pictures are of an input with a block in the middle") {
    const problem_2d p{noise_image(64, 37), random_filter(3, 3)};
    inspect::report seen = report_of(20710, 2368);  // 2 x 5 blocks of 32 x 8
    CHECK(with_middle_block({64, 37}, seen, p).width == 93);
    CHECK(with_middle_block({64, 37}, seen, p).height == 37);
    inspect::launch& launch = seen.launches[0];
    launch.grid[0] = launch.grid[1] = 1;
    launch.block[0] = 256, launch.block[1] = 1;
    const problem_2d row{noise_image(64, 1), random_filter(3, 1)};
    CHECK(with_middle_block({64, 1}, seen, row).width == 765);
    CHECK(with_middle_block({64, 1}, seen, row).height == 1);
    launch.block[0] = 1 << 20;
    CHECK(with_middle_block({64, 1}, seen, row).width == 64);
    CHECK(with_middle_block({64, 1}, {}, row).width == 64);
}

TEST_CASE("the closed form names no size of a tile that has room for all") {
    const problem_2d p{noise_image(64, 1), random_filter(3, 1)};
    inspect::report seen = report_of(64, 64);
    inspect::launch& launch = seen.launches[0];
    launch.grid[0] = launch.grid[1] = 1;
    launch.block[0] = 256, launch.block[1] = 1;
    launch.dynamic_shared = 256 * sizeof(float);
    launch.total.shared.stores.lanes = 64;
    CHECK(table_of_counts(seen, nullptr, p)
              .find("64\n      closed form: every value once: one block takes them all") !=
          std::string::npos);
    launch.grid[0] = 2;
    launch.block[0] = 32;
    launch.dynamic_shared = 34 * sizeof(float);
    CHECK(table_of_counts(seen, nullptr, p).find("66\n      closed form: tiles of 32 x 1 with their halos") !=
          std::string::npos);
}

TEST_CASE("a verdict on every expected count") {
    const expected_count fine{"few loads", "naive: 64x37", "loads of in", 100, 100, 105, false, true};
    expected_count missed = fine;
    missed.subject = "naive: 96x24", missed.now = 32, missed.right = 4, missed.passes_at = 8,
    missed.met = false;
    const expected_count floor{"few loads", "naive: 64x37", "reads", 7, 5, 5, true, true};
    CHECK(to_text(missed) == "now 32, right is 4, passes at 8");
    CHECK(to_text(floor) == "now 7, at least 5 are needed");
    expected_count unasked = missed;
    unasked.asked = false;
    CHECK(to_text(unasked) == "now 32, not asked: in was not recognised");
    CHECK(worst_of_each({fine, missed, fine, floor}).size() == 2);
    CHECK(worst_of_each({fine, missed, fine})[0].now == 32);
    expected_count theirs = missed;
    theirs.now = 4;
    const std::string text = table_of_expected_counts({fine, missed, floor}, {theirs});
    CHECK(text.find("MISSED  loads of in: now 32, right is 4, passes at 8 (reference 4)\n            in "
                    "naive: 96x24\n") != std::string::npos);
    CHECK(text.find("met     reads: now 7, at least 5 are needed\n") != std::string::npos);
    CHECK(table_of_expected_counts({}, {}) == "");
}

TEST_CASE("the data of pictures") {
    const fs::path folder = fs::temp_directory_path() / ("pictures-" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "old.png") << "old";
    const problem_2d p{noise_image(64, 37), random_filter(3, 3)};
    inspect::report seen = report_of(20710, 2368);
    inspect::sketch& drawn = seen.launches[0].drawn;
    drawn.block = 5;  // block (1, 2) of 2 x 5
    inspect::element_map in{"in", 256, 512, {}, {}, {}};
    in.loads.assign(128 * 37, 7);  // pitched: 64 of 128 floats a row are pixels
    in.stores.assign(128 * 37, 0);
    in.loader.assign(128 * 37, -1);
    in.loader[128 * 16 + 32] = 3;
    drawn.elements.push_back(in);
    inspect::request_sample bank = request([](int lane) { return 4 * lane; });
    bank.space = "shared";
    bank.variable = "it's";
    drawn.samples.push_back(bank);
    std::vector<float> out = convolve_serial(p);
    const reference truth = convolve_cpu(p);
    {
        picture_folder pictures(folder);
        CHECK(!fs::exists(folder / "old.png"));
        pictures.draw("naive (3 x 3)", p, shape_of(p), seen, out, truth);
    }
    CHECK(lines_in(folder / "naive__3_x_3__loads.csv") == 1 + 64 * 37);
    CHECK(file_text(folder / "naive__3_x_3__loads.csv").find("\n63,36,7\n") != std::string::npos);
    CHECK(file_text(folder / "naive__3_x_3__threads.csv") == "x,y,thread\n32,16,3\n");
    CHECK(file_text(folder / "naive__3_x_3__threads.gp").find("first_x = 32\nfirst_y = 16\n") !=
          std::string::npos);
    CHECK(lines_in(folder / "naive__3_x_3__banks_1.csv") == 1 + 32);
    CHECK(file_text(folder / "naive__3_x_3__banks_1.gp").find("it''s") !=
          std::string::npos);                                 // gnuplot's own quotes
    CHECK(!fs::exists(folder / "naive__3_x_3__errors.csv"));  // nothing is wrong
    out[0] = NAN;
    out[65] += 1.0f;
    picture_folder(folder).draw("naive", p, shape_of(p), seen, out, truth);
    CHECK(file_text(folder / "naive_errors.csv").starts_with("x,y,state\n0,0,2\n1,0,0\n"));
    CHECK(file_text(folder / "naive_errors.csv").find("\n1,1,1\n") != std::string::npos);
    CHECK(file_text(folder / "naive_errors.gp").find("wrong = 1\nnans = 1\n") != std::string::npos);
    // Of two launches the second has the rows from 19 on: its tiles begin there.
    seen.launches.push_back(seen.launches[0]);
    inspect::launch& strip = seen.launches[1];
    strip.grid[1] = 3;
    strip.drawn.block = 3;  // block (1, 1) of 2 x 3
    inspect::element_map stored{"out", 0, 0, {}, {}, {}};
    stored.loads.assign(64 * 37, 0);
    stored.stores.assign(64 * 37, 0);
    std::fill(stored.stores.begin() + 64 * 19, stored.stores.end(), 1);
    strip.drawn.elements.push_back(stored);
    picture_folder(folder).draw("strips", p, shape_of(p), seen, out, truth);
    CHECK(!fs::exists(folder / "strips_2_loads.gp"));  // like the first
    picture_folder(folder, true).draw("strips", p, shape_of(p), seen, out, truth);
    CHECK(file_text(folder / "strips_threads.gp").find("top = 0\nrows = 37\n") != std::string::npos);
    const std::string second = file_text(folder / "strips_2_threads.gp");
    CHECK(second.find("top = 19\nrows = 18\ntile_width = 32\ntile_height = 8\n") != std::string::npos);
    CHECK(second.find("first_x = 32\nfirst_y = 27\n") != std::string::npos);
    // A padded image is drawn with its ghost cells, and its tiles begin behind them.
    seen.launches.resize(1);
    seen.launches[0].drawn.elements[0] = element_map(66 * 39);
    picture_folder(folder).draw("padded", p, shape_of(p), seen, out, truth);
    CHECK(lines_in(folder / "padded_loads.csv") == 1 + 66 * 39);
    const std::string padded = file_text(folder / "padded_loads.gp");
    CHECK(padded.find(
              "width = 66\nheight = 39\nchannels = 1\nmargin_x = 1\nmargin_y = 1\ntop = 1\nrows = 37\n") !=
          std::string::npos);
    CHECK(padded.find("first_x = 33\nfirst_y = 17\n") != std::string::npos);
    CHECK(!fs::exists(folder / "padded_timeline.csv"));  // all is one stream's
    // Two streams, in order of their numbers; what allocates is no slot's.
    seen.operations = {{"to-device", "", 3, 4, 64, false, 0, 0},
                       {"kernel", "k", 5, 2, 0, false, 0, 1},
                       {"allocate", "", 1, 9, 64, false, 0, 0}};
    picture_folder(folder).draw("streams", p, shape_of(p), seen, out, truth);
    CHECK(file_text(folder / "streams_timeline.csv") ==
          "slot,row,stream,kind\n0,1,\"stream 4\",0\n1,0,\"stream 2\",1\n");
    CHECK(file_text(folder / "streams_timeline.gp")
              .find("slots = 2\nstreams = 2\npeers = 0\ntransforms = 0\n") != std::string::npos);
    // The rows of a device lie together; between two of them lies an empty one.
    seen.operations[0].device = 1;
    seen.operations.push_back({"peer", "", 6, 2, 64, false, 0, 3, 0});
    picture_folder(folder).draw("devices", p, shape_of(p), seen, out, truth);
    CHECK(file_text(folder / "devices_timeline.csv") ==
          "slot,row,stream,kind\n0,2,\"device 1, stream 4\",0\n1,0,\"device 0, stream 2\",1\n"
          "3,0,\"device 0, stream 2\",4\n");
    CHECK(file_text(folder / "devices_timeline.gp")
              .find("slots = 4\nstreams = 3\npeers = 1\ntransforms = 0\n") != std::string::npos);
    CHECK(inspect::timeline(seen) ==
          "  > to the device, # kernel, < to the host, ~ to another device, each as if it took one slot\n"
          "  device 0\n  stream 2     # ~\n  device 1\n  stream 4    >\n");
    seen.operations.clear();
    // A frame of a film of two.
    const problem_2d film{noise_image(64, 37, 6), random_filter(3, 3)};
    seen.launches[0].drawn.elements[0] = element_map(64 * 37 * 3);
    picture_folder(folder).draw("film", film, shape_of(film), seen, convolve_serial(film),
                                convolve_cpu(film));
    CHECK(lines_in(folder / "film_loads.csv") == 1 + 64 * 37 * 3);
    CHECK(file_text(folder / "film_loads.gp").find("width = 192\nheight = 37\nchannels = 3\n") !=
          std::string::npos);
    fs::remove_all(folder);
}
