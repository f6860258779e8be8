// Launches of one thread for each output whose threads take another place than their own, or another guard: what
// each would store where.
#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "diagnose/formula.h"
#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

constexpr uint64_t MOST_THREADS = 4'000;  // that are followed one by one, by every suspect anew
constexpr size_t MOST_STORES = 16;        // to one output, of which the last one counts

/// What a thread knows of itself.
struct thread {
    int block_x, block_y, in_x, in_y;  // blockIdx, threadIdx
    int width, height;                 // of its block
};

struct place {
    int64_t x, y;
    bool operator==(const place&) const = default;
};

/// Which places store to a flat index of the output.
using story = std::map<int64_t, std::vector<place>>;

struct wrong_place {
    const char* formula;
    int64_t (*of)(int block, int thread, int size, int other_block, int other_thread, int other_size);
};

const wrong_place OWN_PLACES[] = {
    {"block * size - thread", [](int b, int t, int s, int, int, int) { return int64_t(b) * s - t; }},
    {"block + size + thread", [](int b, int t, int s, int, int, int) { return int64_t(b) + s + t; }},
    {"block + thread", [](int b, int t, int, int, int, int) { return int64_t(b) + t; }},
    {"size + thread", [](int, int t, int s, int, int, int) { return int64_t(s) + t; }},
    {"thread", [](int, int t, int, int, int, int) { return int64_t(t); }},
    {"block * size", [](int b, int, int s, int, int, int) { return int64_t(b) * s; }},
    {"block", [](int b, int, int, int, int, int) { return int64_t(b); }},
    {"thread * size + block", [](int b, int t, int s, int, int, int) { return int64_t(t) * s + b; }},
    {"block * size * thread", [](int b, int t, int s, int, int, int) { return int64_t(b) * s * t; }},
    {"block / size + thread", [](int b, int t, int s, int, int, int) { return int64_t(b) / s + t; }},
    {"block * size + thread + 1", [](int b, int t, int s, int, int, int) { return int64_t(b) * s + t + 1; }},
    {"block * size + thread - 1", [](int b, int t, int s, int, int, int) { return int64_t(b) * s + t - 1; }},
    {"the other block", [](int, int t, int s, int b, int, int) { return int64_t(b) * s + t; }},
    {"the other thread", [](int b, int, int s, int, int t, int) { return int64_t(b) * s + t; }},
};

struct wrong_guard {
    const char *id, *cause;
    bool (*stores)(int64_t x, int64_t y, int64_t row, int64_t rows);
    bool of_images = false;  // it compares with the other side, which an array has not
};

const wrong_guard GUARDS[] = {
    {"no-guard", "threads beyond the last row store as well",
     [](int64_t x, int64_t, int64_t row, int64_t) { return x < row; }},
    {"no-guard", "threads beyond the last column store as well, into the next row",
     [](int64_t, int64_t y, int64_t, int64_t rows) { return y < rows; }},
    {"no-guard", "threads outside the image store as well",
     [](int64_t, int64_t, int64_t, int64_t) { return true; }},
    {"no-guard", "the threads next to the last column store as well, into the next row",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x <= row && y < rows; }},
    {"no-guard", "the threads next to the last row store as well",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < row && y <= rows; }},
    {"no-guard", "threads store unless they are outside both to the right and at the bottom",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < row || y < rows; }},
    {"outputs-left-out", "the guard is the wrong way around: the threads of the image's columns return",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x >= row && y < rows; }},
    {"outputs-left-out", "the guard is the wrong way around: the threads of the image's columns return",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x > row && y < rows; }},
    {"outputs-left-out", "the guard is the wrong way around: the threads of the image's rows return",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < row && y >= rows; }},
    {"outputs-left-out", "the guard is the wrong way around: the threads of the image's rows return",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < row && y > rows; }},
    {"outputs-left-out", "the threads of the last column return: does the guard end one too early?",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < row - 1 && y < rows; }},
    {"outputs-left-out", "the threads of the last row return: does the guard end one too early?",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < row && y < rows - 1; }},
    {"outputs-left-out", "the guard compares the column with the height, and nobody's row",
     [](int64_t x, int64_t, int64_t row, int64_t rows) { return x < row && x < rows; }, true},
    {"outputs-left-out", "the guard compares the row with the width, and nobody's column",
     [](int64_t, int64_t y, int64_t row, int64_t rows) { return y < row && y < rows; }, true},
    {"square-guard", "the guard compares the column with the height",
     [](int64_t x, int64_t y, int64_t, int64_t rows) { return x < rows && y < rows; }, true},
    {"square-guard", "the guard compares the row with the width",
     [](int64_t x, int64_t y, int64_t row, int64_t) { return x < row && y < row; }, true},
    {"square-guard", "the guard compares the column with the height and the row with the width",
     [](int64_t x, int64_t y, int64_t row, int64_t rows) { return x < rows && y < row; }, true},
};

struct wrong_index {
    const char* cause;
    int64_t (*of)(int64_t x, int64_t y, int64_t row, int64_t rows);
};

const wrong_index INDICES[] = {
    {"the column is taken away in the index of the output",
     [](int64_t x, int64_t y, int64_t row, int64_t) { return y * row - x; }},
    {"the column is missing in the index of the output",
     [](int64_t, int64_t y, int64_t row, int64_t) { return y * row; }},
    {"the row is not multiplied by the width in the index of the output",
     [](int64_t x, int64_t y, int64_t, int64_t) { return y + x; }},
    {"the row is added to the width in the index of the output, not multiplied by it",
     [](int64_t x, int64_t y, int64_t row, int64_t) { return y + row + x; }},
    {"the width stands where the row is meant in the index of the output",
     [](int64_t x, int64_t, int64_t row, int64_t) { return row + x; }},
    {"x stands where y is meant in the index of the output",
     [](int64_t x, int64_t, int64_t row, int64_t) { return x * row + x; }},
    {"y stands where x is meant in the index of the output",
     [](int64_t, int64_t y, int64_t row, int64_t) { return y * row + y; }},
    {"x and y change places in the index of the output",
     [](int64_t x, int64_t y, int64_t row, int64_t) { return x * row + y; }},
    {"row and column are multiplied in the index of the output",
     [](int64_t x, int64_t y, int64_t row, int64_t) { return y * row * x; }},
};

}  // namespace

/// All formulas with one change, made once.
const std::vector<formula>& mistake_list::workshop::changes_of_once(const char* text) {
    static std::map<std::string, std::vector<formula>> known;
    const auto [at, is_new] = known.try_emplace(text);
    if (is_new) at->second = formula(text).with_one_change();
    return at->second;
}

/// What threads with one mistake store, if as many stores were counted.
void mistake_list::workshop::misplaced_threads() {
    if (!known_.seen || !known_.seen->inspected || known_.seen->launches.size() != 1) return;
    const inspect::launch& launch = known_.seen->launches.front();
    const int size_x = int(launch.block[0]), size_y = int(launch.block[1]);
    const uint64_t threads = launch.blocks() * size_x * size_y;
    if (launch.total.global.stores.lanes == 0 || threads > MOST_THREADS || launch.grid[2] != 1 ||
        launch.block[2] != 1)
        return;
    const bool tangled = known_.seen->finds([](const auto& one) {
        return one.is_error && (one.kind == "never-written" || one.direction == "store");
    });
    if (!tangled) return;
    const bool strays = known_.seen->finds(
        [](const auto& one) { return one.kind == "out-of-bounds" && one.direction == "store"; });
    const int64_t row = int64_t(width()) * channels(), rows = height();
    // A tile's halo has threads of its own, which these stories do not know.
    const bool one_for_each =
        (row + size_x - 1) / size_x == launch.grid[0] && (rows + size_y - 1) / size_y == launch.grid[1];
    const output_tile tile = tile_of(launch, problem_);
    if (!one_for_each || (tile.has_halo && (tile.width != size_x || tile.height != size_y))) return;
    using place_function = std::function<place(const thread&)>;
    using guard_function = std::function<bool(const place&)>;
    using index_function = std::function<int64_t(const place&)>;
    const place_function own = [](const thread& t) {
        return place{int64_t(t.block_x) * t.width + t.in_x, int64_t(t.block_y) * t.height + t.in_y};
    };
    const guard_function inside_image = [=](const place& at) { return at.x < row && at.y < rows; };
    const index_function flat_place = [=](const place& at) { return at.y * row + at.x; };
    const uint64_t counted = launch.total.global.stores.lanes;

    const auto told = [&](const place_function& at, const guard_function& guard, const index_function& index,
                          bool sums_there) {
        story stored;
        for (unsigned block = 0; block < launch.blocks(); block++) {
            for (int k = 0; k < size_x * size_y; k++) {
                const thread t{int(block % launch.grid[0]),
                               int(block / launch.grid[0]),
                               k % size_x,
                               k / size_x,
                               size_x,
                               size_y};
                const place its = at(t);
                if (guard(its)) stored[index(its)].push_back(sums_there ? its : own(t));
            }
        }
        return stored;
    };
    const story usual = told(own, inside_image, flat_place, true);
    const auto stores_of = [](const story& one) {
        uint64_t stores = 0;
        for (const auto& [output, places] : one)
            stores += places.size();
        return stores;
    };
    const auto tell = [&](const std::string& id, const std::string& cause, const place_function& at,
                          const guard_function& guard, const index_function& index, bool sums_there) {
        const auto stored = std::make_shared<const story>(told(at, guard, index, sums_there));
        if (stores_of(*stored) != counted || *stored == usual) return;
        // Who stores nothing where it belongs stores beside it, as the inspector would know.
        const auto first_inside = stored->lower_bound(0);
        if (!strays && (first_inside == stored->end() || first_inside->first >= row * rows)) return;
        const int64_t pixel_size = channels();
        found_.push_back({id, cause,
                          [this, stored, rule = right(), pixel_size](size_t value) {
                              const auto here = stored->find(int64_t(value));
                              if (here == stored->end()) return std::vector<mistaken_value>{UNWRITTEN};
                              if (here->second.size() > MOST_STORES)
                                  return std::vector<mistaken_value>{UNKNOWN};
                              std::vector<mistaken_value> values;
                              for (const place& from : here->second) {
                                  const int64_t column = from.x >= 0 ? from.x / pixel_size : from.x;
                                  const int64_t channel = from.x >= 0 ? from.x % pixel_size : 0;
                                  values.push_back(from.x < 0 && pixel_size > 1
                                                       ? UNKNOWN
                                                       : rule.at({int(column), int(from.y), int(channel)}));
                              }
                              return values;
                          },
                          true, true});
    };
    const auto tell_both = [&](const std::string& id, const std::string& cause, const place_function& at) {
        for (const bool sums_there : {true, false})
            tell(id, cause, at, inside_image, flat_place, sums_there);
    };
    const std::string own_column =
        std::string("threads do not find their own ") + (one_dimensional_ ? "element" : "column");
    for (const wrong_place& wrong : OWN_PLACES) {
        const std::string where = std::string(": is it ") + wrong.formula + "?";
        tell_both("thread-index-wrong", own_column + where, [&](const thread& t) {
            return place{wrong.of(t.block_x, t.in_x, t.width, t.block_y, t.in_y, t.height),
                         int64_t(t.block_y) * t.height + t.in_y};
        });
        if (one_dimensional_) continue;
        tell_both("thread-index-wrong", "threads do not find their own row" + where, [&](const thread& t) {
            return place{int64_t(t.block_x) * t.width + t.in_x,
                         wrong.of(t.block_y, t.in_y, t.height, t.block_x, t.in_x, t.width)};
        });
    }
    variables v{};
    v[WIDTH] = row, v[HEIGHT] = rows, v[THREADS_X] = size_x, v[THREADS_Y] = size_y;
    const auto with_thread = [v](const thread& t) {
        variables own = v;
        own[BLOCK_X] = t.block_x, own[BLOCK_Y] = t.block_y, own[THREAD_X] = t.in_x, own[THREAD_Y] = t.in_y;
        return own;
    };
    const auto with_place = [v](const place& at) {
        variables own = v;
        own[X] = at.x, own[Y] = at.y;
        return own;
    };
    const size_t others = found_.size();
    for (const formula& column : changes_of_once("bx * threads_x + tx"))
        tell_both("thread-index-wrong", own_column + ": as if it were " + column.text(),
                  [&](const thread& t) {
                      return place{column.of(with_thread(t)), int64_t(t.block_y) * t.height + t.in_y};
                  });
    for (const formula& line : changes_of_once("by * threads_y + ty"))
        if (!one_dimensional_)
            tell_both("thread-index-wrong", "threads do not find their own row: as if it were " + line.text(),
                      [&](const thread& t) {
                          return place{int64_t(t.block_x) * t.width + t.in_x, line.of(with_thread(t))};
                      });
    const bool too_many = counted > stores_of(usual);
    for (const formula& guard : changes_of_once("x < width && y < height"))
        tell(
            too_many ? "no-guard" : "outputs-left-out",
            "the guard is wrong: as if threads stored where " + guard.text(), own,
            [&](const place& at) { return guard.of(with_place(at)) != 0; }, flat_place, true);
    for (const formula& index : changes_of_once("y * width + x"))
        tell(
            "thread-index-wrong", "the index of the output is wrong: as if it were " + index.text(), own,
            inside_image, [&](const place& at) { return index.of(with_place(at)); }, true);
    for (size_t k = others; k < found_.size(); k++)
        found_[k].rank = mistake::rarity::any_token;
    for (const wrong_guard& wrong : GUARDS)
        if (!wrong.of_images || !one_dimensional_)
            tell(
                wrong.id, wrong.cause, own,
                [&](const place& at) { return wrong.stores(at.x, at.y, row, rows); }, flat_place, true);
    for (const wrong_index& wrong : INDICES)
        tell(
            "thread-index-wrong", wrong.cause, own, inside_image,
            [&](const place& at) { return wrong.of(at.x, at.y, row, rows); }, true);
}

}  // namespace check
