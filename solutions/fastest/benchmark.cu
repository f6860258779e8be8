// How long every method takes, and how far its result is from the truth.
//   benchmark header           the first row of the file
//   benchmark DATE             the other rows: of every method, and which one is chosen by them from now on
//   benchmark DATE TIMES       only of those that are chosen by TIMES, a tuning file; by the rule, if that is "rule"
// A row is one method and one problem; its times are those of an image, of a run with so many of them. Every value of a result is compared with the sum in double precision, before and after it is
// timed; its error is that of the whole image: root of the sum of squares of the differences over that of the truth.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "choice.h"
#include "fastest.h"
#include "lab/buffer.h"
#include "method.h"
#include "plain.cuh"

namespace {

using fastest::accuracy;
using fastest::problem;

constexpr int BUFFERS = 8;  // in turn: no cache has the one that comes next
constexpr int WARMUPS = 4, REPEATS = 25;
constexpr int BLOCK_SIZE = 256, BLOCKS = 1024;

constexpr char COLUMNS[] =
    "method,chosen,device,date,images,width,height,filter_width,filter_height,filter_kind,accuracy,kernel_ms,"
    "row_ms,copy_ms,error,loop_error";

struct image_size {
    int width, height;
};
struct images_of_a_run {
    int count;  // one behind the other
    image_size size;
};
constexpr images_of_a_run IMAGES[] = {{1, {4096, 4096}}, {1, {1920, 1080}}, {8, {1920, 1080}}};
constexpr image_size FILTERS[] = {{3, 3},   {5, 5},   {7, 7},     {9, 9},   {11, 11}, {13, 13}, {15, 15},
                                  {17, 17}, {21, 21}, {27, 27},   {33, 33}, {43, 43}, {51, 51}, {57, 57},
                                  {65, 65}, {97, 97}, {129, 129}, {7, 33},  {33, 7},  {129, 5}, {5, 129}};
constexpr image_size SEPARABLE[] = {{3, 3}, {9, 9}, {13, 13}, {17, 17}, {27, 27}, {43, 43}};

/// sums[0] += the squares of out - truth, sums[1] += those of truth. What is no number counts as 1e30.
__global__ void add_squares_kernel(double* sums, const float* out, const double* truth, size_t count) {
    double wrong = 0, all = 0;
    for (size_t k = blockIdx.x * size_t(BLOCK_SIZE) + threadIdx.x; k < count;
         k += size_t(BLOCKS) * BLOCK_SIZE) {
        const double difference = double(out[k]) - truth[k];
        wrong += isfinite(difference) ? difference * difference : 1e30;
        all += truth[k] * truth[k];
    }
    atomicAdd(&sums[0], wrong);
    atomicAdd(&sums[1], all);
}

class timer {
public:
    timer() {
        CUDA_CHECK(cudaEventCreate(&begin_));
        CUDA_CHECK(cudaEventCreate(&end_));
    }
    ~timer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;

    /// Milliseconds of what `work` asks the device for.
    template <class callable>
    double ms_of(const callable& work) {
        CUDA_CHECK(cudaEventRecord(begin_));
        work();
        CUDA_CHECK(cudaEventRecord(end_));
        CUDA_CHECK(cudaEventSynchronize(end_));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Medians of a run alone and of one among BUFFERS in a row.
struct launch_times {
    double alone, in_a_row;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// `launch(k)` works on buffer k. Before each time is taken the device has something to do that takes longer than the host takes to
/// ask for the launches: they then follow each other without a gap.
template <class callable>
launch_times time_launches(const callable& launch) {
    lab::device_buffer<float> something(size_t(64) << 20);
    const auto keep_busy = [&] {
        CUDA_CHECK(cudaMemsetAsync(something.data(), 0, something.size() * sizeof(float)));
    };
    timer clock;
    std::vector<double> alone, in_a_row;
    for (int k = 0; k < WARMUPS + REPEATS; k++) {
        keep_busy();
        const double ms = clock.ms_of([&] { launch(k % BUFFERS); });
        if (k >= WARMUPS) alone.push_back(ms);
    }
    for (int k = 0; k < REPEATS / 3; k++) {
        keep_busy();
        in_a_row.push_back(clock.ms_of([&] {
            for (int buffer = 0; buffer < BUFFERS; buffer++)
                launch(buffer);
        }) / BUFFERS);
    }
    return {median(alone), median(in_a_row)};
}

std::vector<float> random_values(size_t count, float least, unsigned seed) {
    std::minstd_rand generator(seed);
    std::uniform_real_distribution<float> values(least, 1.0f);
    std::vector<float> all(count);
    for (float& one : all)
        one = values(generator);
    return all;
}

/// One line of the file.
struct row {
    fastest::measured_time time;
    bool is_separable;
    double in_a_row, copy_ms, error, loop_error;

    /// Whether the other one's method would do for what was measured here.
    bool has_use_for(const row& other) const {
        const problem &a = time.size, &b = other.time.size;
        return a.images == b.images && a.width == b.width && a.height == b.height &&
               a.filter_width == b.filter_width && a.filter_height == b.filter_height &&
               is_separable == other.is_separable && (a.wanted == b.wanted || b.wanted == accuracy::floats);
    }
};

/// The images of one size, the truth for one filter.
class bench {
public:
    bench(const images_of_a_run& run)
        : images_(run.count),
          size_(run.size),
          count_(size_t(size_.width) * size_.height),
          truth_(count_),
          sums_(2) {
        const std::vector<float> image = random_values(count_, 0.0f, 1);
        std::vector<float> all;
        for (int k = 0; k < images_; k++)
            all.insert(all.end(), image.begin(), image.end());
        for (int k = 0; k < BUFFERS; k++) {
            in_.push_back(std::make_unique<lab::device_buffer<float>>(all));
            out_.push_back(std::make_unique<lab::device_buffer<float>>(all.size()));
        }
        copy_ms_ = time_launches([&](int k) {
                       CUDA_CHECK(cudaMemcpyAsync(out_[k]->data(), in_[k]->data(),
                                                  in_[k]->size() * sizeof(float), cudaMemcpyDeviceToDevice));
                   }).alone /
                   images_;
    }

    /// Adds the rows of all methods, or of the one that is chosen. To half accuracy only those that have one are measured.
    void measure(std::vector<row>& rows, image_size filter, bool is_separable, bool all) {
        const std::vector<float> taps = filter_of(filter, is_separable);
        make_truth(taps, filter);
        for (const accuracy wanted : {accuracy::floats, accuracy::halves}) {
            const problem size{size_.width, size_.height, filter.width, filter.height, wanted, 1.0f, images_};
            const std::string chosen = all ? "" : fastest::plan(taps, size).method();
            for (const fastest::method& one : fastest::methods()) {
                const std::string name = one.name;
                const bool is_wanted = name == "tensor" || (wanted == accuracy::floats && name != "plain");
                if (is_wanted && (all || name == chosen)) add_row(rows, taps, size, name, is_separable);
            }
        }
    }

private:
    std::vector<float> filter_of(image_size filter, bool is_separable) const {
        std::vector<float> taps = random_values(size_t(filter.width) * filter.height, -1.0f, 2);
        if (!is_separable) return taps;
        const std::vector<float> row = random_values(size_t(filter.width), -1.0f, 3);
        const std::vector<float> column = random_values(size_t(filter.height), -1.0f, 4);
        for (size_t k = 0; k < taps.size(); k++)
            taps[k] = row[k % row.size()] * column[k / row.size()];
        return taps;
    }

    void make_truth(const std::vector<float>& taps, image_size filter) {
        const lab::device_buffer<float> d_taps(taps);
        const dim3 grid = fastest::plain_grid(size_.width, size_.height);
        const dim3 block(fastest::PLAIN_WIDTH, fastest::PLAIN_HEIGHT);
        const auto loop = [&]<class number>(number* to) {
            fastest::plain_kernel<number><<<grid, block>>>(to, in_[0]->data(), d_taps.data(), size_.width,
                                                           size_.height, size_.width, size_.width,
                                                           filter.width, filter.height);
            CUDA_CHECK(cudaGetLastError());
            CUDA_CHECK(cudaDeviceSynchronize());
        };
        loop(truth_.data());
        loop(out_[0]->data());
        loop_error_ = error_of(out_[0]->data());
    }

    /// Of an image's result.
    double error_of(const float* out) {
        CUDA_CHECK(cudaMemset(sums_.data(), 0, 2 * sizeof(double)));
        add_squares_kernel<<<BLOCKS, BLOCK_SIZE>>>(sums_.data(), out, truth_.data(), count_);
        CUDA_CHECK(cudaGetLastError());
        std::vector<double> sums(2);
        sums_.copy_to(sums);
        return std::sqrt(sums[0] / sums[1]);
    }

    /// What was there before must not pass for a result.
    void forget_results() {
        for (auto& one : out_)
            CUDA_CHECK(cudaMemset(one->data(), 0xff, one->size() * sizeof(float)));
    }

    void add_row(std::vector<row>& rows, const std::vector<float>& taps, const problem& size,
                 const std::string& method, bool is_separable) {
        std::unique_ptr<fastest::plan> plan;
        try {
            plan = std::make_unique<fastest::plan>(taps, size, method);
        } catch (const std::invalid_argument&) {
            return;  // it does not serve this filter here
        }
        forget_results();
        const launch_times times = time_launches([&](int k) { plan->run(out_[k]->data(), in_[k]->data()); });
        double error = 0;
        for (const auto& one : out_) {
            for (int k = 0; k < images_; k++)
                error = std::max(error, error_of(one->data() + k * count_));
        }
        constexpr double WRONG = 1e-3;  // far above the error of halves
        if (!(error < WRONG))
            throw std::runtime_error(method + ": error " + std::to_string(error) + " at " +
                                     std::to_string(size.filter_width) + " x " +
                                     std::to_string(size.filter_height));
        rows.push_back({{method, size, times.alone / images_},
                        is_separable,
                        times.in_a_row / images_,
                        copy_ms_,
                        error,
                        loop_error_});
    }

    int images_;
    image_size size_;
    size_t count_;
    std::vector<std::unique_ptr<lab::device_buffer<float>>> in_, out_;
    lab::device_buffer<double> truth_, sums_;
    double copy_ms_ = 0, loop_error_ = 0;
};

/// Whether a plan takes this row's method, once these rows are known.
bool is_chosen(const row& one, const std::vector<row>& rows,
               const std::vector<fastest::measured_time>& times) {
    for (const std::string& name : fastest::ranked_methods(one.time.size, times)) {
        for (const row& other : rows)
            if (one.has_use_for(other) && other.time.method == name) return name == one.time.method;
    }
    return false;
}

void print(const std::vector<row>& rows, bool all, const char* device, const char* date) {
    std::vector<fastest::measured_time> times;
    for (const row& one : rows)
        if (fastest::is_accurate(one.time.size, one.error, one.loop_error)) times.push_back(one.time);
    for (const row& one : rows) {
        const problem& size = one.time.size;
        std::printf("%s,%d,%s,%s,%d,%d,%d,%d,%d,%s,%s,%.5f,%.5f,%.5f,%.2e,%.2e\n", one.time.method.c_str(),
                    int(!all || is_chosen(one, rows, times)), device, date, size.images, size.width,
                    size.height, size.filter_width, size.filter_height,
                    one.is_separable ? "separable" : "random",
                    size.wanted == accuracy::floats ? "floats" : "halves", one.time.ms, one.in_a_row,
                    one.copy_ms, one.error, one.loop_error);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 2 && argv[1] == std::string("header")) {
        std::printf("%s\n", COLUMNS);
        return 0;
    }
    if (argc != 2 && argc != 3)
        throw std::invalid_argument("benchmark header or benchmark DATE [TIMES]: prints rows");
    int device = 0;
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    const bool all = argc == 2;
    if (!all && argv[2] != std::string("rule")) fastest::use_times_of(argv[2]);
    std::vector<row> rows;
    for (const images_of_a_run& images : IMAGES) {
        bench measured(images);
        for (const image_size filter : FILTERS)
            measured.measure(rows, filter, false, all);
        for (const image_size filter : SEPARABLE)
            measured.measure(rows, filter, true, all);
    }
    print(rows, all, properties.name, argv[1]);
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "benchmark: %s\n", trouble.what());
    return 1;
}
