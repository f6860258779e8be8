// cuFFT's transforms beside sums that are written out, and what it refuses. Errors and what is left of inputs were read off
// an H100 (cuFFT 12.0).
#include <cufft.h>

#include <cfloat>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <thread>

#include "api_test.h"
#include "simt/engine/error_state.h"

namespace {

const bool are_there = setenv("SIMT_DEVICES", "2", 1) == 0;  // before anybody asks

using wave = std::complex<double>;
using waves = std::vector<wave>;
constexpr float UNTOUCHED = 12345.0f;

#define EXPECT_FFT(call) expect((call) == CUFFT_SUCCESS, #call " to succeed")

/// The call is refused with this error, and says why in one line.
template <class action>
void expect_told(cufftResult wanted, const action& call, const char* what,
                 std::source_location where = std::source_location::current()) {
    cufftResult got = CUFFT_SUCCESS;
    const std::string text = stderr_of([&] { got = call(); });
    expect(got == wanted && is_one_line(text) && cudaGetLastError() == cudaSuccess,
           std::string(what) + " to give " + std::to_string(wanted) + " in one line, got " +
               std::to_string(got) + ", \"" + text + "\"",
           where);
}
#define EXPECT_TOLD(error, call) \
    expect_told(                 \
        error, [&] { return call; }, #call)

// ---- sums that are written out

/// One transform: its sizes, the last that of values side by side.
struct shape {
    int rank = 1;
    int n[3] = {1, 1, 1};
    explicit shape(std::initializer_list<int> sizes) : rank(int(sizes.size())) {
        std::copy(sizes.begin(), sizes.end(), n);
    }
    int count() const { return n[0] * n[1] * n[2]; }
    int row() const { return n[rank - 1]; }
    int rows() const { return count() / row(); }
    /// The coordinates of element k, x fastest.
    void place(int k, int at[3]) const {
        for (int axis = rank - 1; axis >= 0; axis--) {
            at[axis] = k % n[axis];
            k /= n[axis];
        }
    }
    int index(const int at[3]) const {
        int k = 0;
        for (int axis = 0; axis < rank; axis++)
            k = k * n[axis] + at[axis];
        return k;
    }
};

waves sums_of(const waves& in, const shape& of, int direction) {
    waves out(in.size());
    for (int k = 0; k < of.count(); k++) {
        for (int j = 0; j < of.count(); j++) {
            int a[3], b[3];
            of.place(k, a);
            of.place(j, b);
            double turns = 0;
            for (int axis = 0; axis < of.rank; axis++)
                turns += double(a[axis] * b[axis] % of.n[axis]) / of.n[axis];
            out[size_t(k)] += in[size_t(j)] * std::polar(1.0, direction * 2 * M_PI * turns);
        }
    }
    return out;
}

waves noise(size_t count, bool is_complex, unsigned seed) {
    waves made(count);
    const auto next = [&] { return double((seed = seed * 1664525 + 1013904223) >> 8) / (1 << 24) - 0.5; };
    for (wave& one : made) {
        const double real = float(next());
        one = {real, is_complex ? float(next()) : 0};
    }
    return made;
}

/// How far a value may be off: an error of every stage, of the size of the input's root of squares.
double bound_of(const waves& in) {
    double squares = 0;
    for (const wave& one : in)
        squares += std::norm(one);
    return FLT_EPSILON * (4 + 2 * std::log2(double(in.size()))) * std::sqrt(squares);
}

// ---- arrays on the device

/// Where the elements of an array lie, of real or of complex numbers.
struct layout {
    shape stored;  // as many elements as there are along each axis
    int embed[3] = {1, 1, 1};
    int stride = 1, dist = 0;
    bool is_complex = false;

    layout(const shape& of, bool is_half, bool is_complex) : stored(of), is_complex(is_complex) {
        if (is_half) stored.n[of.rank - 1] = of.row() / 2 + 1;
        std::copy_n(stored.n, 3, embed);
        dist = stored.count();
    }
    size_t place(int b, int k) const {
        int at[3];
        stored.place(k, at);
        size_t place = 0;
        for (int axis = 0; axis < stored.rank; axis++)
            place = place * size_t(embed[axis]) + size_t(at[axis]);
        return size_t(b) * size_t(dist) + place * size_t(stride);
    }
    int floats() const { return is_complex ? 2 : 1; }
    /// Of `batch` transforms with their gaps.
    size_t extent(int batch) const { return (place(batch - 1, stored.count() - 1) + 1) * size_t(floats()); }
};

struct device_array {
    explicit device_array(size_t floats) : count(floats) {
        EXPECT_OK(cudaMalloc(&data, count * sizeof(float)));
        set(std::vector<float>(count, UNTOUCHED));
    }
    ~device_array() { EXPECT_OK(cudaFree(data)); }
    device_array(const device_array&) = delete;
    void set(const std::vector<float>& values) {
        EXPECT_OK(cudaMemcpy(data, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    std::vector<float> get() const {
        std::vector<float> values(count);
        EXPECT_OK(cudaMemcpy(values.data(), data, count * sizeof(float), cudaMemcpyDeviceToHost));
        return values;
    }
    cufftComplex* waves() const { return reinterpret_cast<cufftComplex*>(data); }
    float* data = nullptr;
    size_t count;
};

/// A transform in all its forms: what goes in, what has to come out.
struct example {
    cufftType type;
    shape of;
    int batch = 1;
    int direction = CUFFT_FORWARD;
    layout in, out;
    bool in_place = false;

    example(cufftType type, const shape& of, int batch = 1, int direction = CUFFT_FORWARD)
        : type(type),
          of(of),
          batch(batch),
          direction(type == CUFFT_C2R ? CUFFT_INVERSE : direction),
          in(of, type == CUFFT_C2R, type != CUFFT_R2C),
          out(of, type == CUFFT_R2C, type != CUFFT_C2R) {}

    /// Of half a spectrum the whole: wave k and wave n - k are conjugates.
    waves whole(int b) const {
        if (type != CUFFT_C2R) return noise(size_t(of.count()), type == CUFFT_C2C, unsigned(b + 1));
        return sums_of(noise(size_t(of.count()), false, unsigned(b + 1)), of, CUFFT_FORWARD);
    }
    std::string name() const {
        std::string text = std::to_string(type) + (direction == CUFFT_FORWARD ? " of " : " back of ");
        for (int axis = 0; axis < of.rank; axis++)
            text += (axis ? "x" : "") + std::to_string(of.n[axis]);
        return text + ", batch " + std::to_string(batch) + (in_place ? ", in place" : "");
    }
};

cufftResult execute(cufftHandle plan, const example& one, const device_array& in, const device_array& out) {
    if (one.type == CUFFT_R2C) return cufftExecR2C(plan, in.data, out.waves());
    if (one.type == CUFFT_C2R) return cufftExecC2R(plan, in.waves(), out.data);
    return cufftExecC2C(plan, in.waves(), out.waves(), one.direction);
}

std::vector<float> stored(const example& one, size_t floats) {
    std::vector<float> values(floats, UNTOUCHED);
    for (int b = 0; b < one.batch; b++) {
        const waves whole = one.whole(b);
        for (int k = 0; k < one.in.stored.count(); k++) {
            int at[3];
            one.in.stored.place(k, at);
            const wave value = whole[size_t(one.of.index(at))];
            float* place = &values[one.in.place(b, k) * size_t(one.in.floats())];
            place[0] = float(value.real());
            if (one.in.is_complex) place[1] = float(value.imag());
        }
    }
    return values;
}

/// Compares all values, and that nothing beside them was stored.
void check_values(const example& one, std::vector<float> got) {
    double worst = 0;
    for (int b = 0; b < one.batch; b++) {
        const waves whole = one.whole(b), right = sums_of(whole, one.of, one.direction);
        const double bound = bound_of(whole);
        for (int k = 0; k < one.out.stored.count(); k++) {
            int at[3];
            one.out.stored.place(k, at);
            float* value = &got[one.out.place(b, k) * size_t(one.out.floats())];
            const wave is(value[0], one.out.is_complex ? value[1] : 0.0f);
            const double error = std::abs(is - right[size_t(one.of.index(at))]) / bound;
            worst = error <= worst ? worst : error;  // and NaN
            value[0] = value[one.out.is_complex] = UNTOUCHED;
        }
    }
    expect(worst <= 1, one.name() + " within its bound, not " + std::to_string(worst) + " times that");
    const bool is_alone = one.in_place || std::count(got.begin(), got.end(), UNTOUCHED) == long(got.size());
    expect(is_alone, one.name() + " to store nothing beside");
}

void check_with(cufftHandle plan, const example& one) {
    const size_t in_floats = one.in.extent(one.batch), out_floats = one.out.extent(one.batch);
    device_array in(one.in_place ? std::max(in_floats, out_floats) : in_floats);
    const std::vector<float> given = stored(one, in.count);
    in.set(given);
    if (one.in_place) {
        EXPECT_FFT(execute(plan, one, in, in));
        return check_values(one, in.get());
    }
    const device_array out(out_floats);
    EXPECT_FFT(execute(plan, one, in, out));
    check_values(one, out.get());
    const bool is_spoilt = one.type == CUFFT_C2R && one.of.rank > 1;
    if (!is_spoilt) expect(in.get() == given, one.name() + " to leave its input");
}

void check_packed(const example& one) {
    cufftHandle plan = 0;
    int n[3];
    std::copy_n(one.of.n, 3, n);
    EXPECT_FFT(cufftPlanMany(&plan, one.of.rank, n, nullptr, 1, 0, nullptr, 1, 0, one.type, one.batch));
    check_with(plan, one);
    EXPECT_FFT(cufftDestroy(plan));
}

/// In place a row of real values has room for the waves.
example made_in_place(example one) {
    one.in_place = true;
    for (layout* side : {&one.in, &one.out}) {
        if (side->is_complex) continue;
        side->embed[one.of.rank - 1] = 2 * (one.of.row() / 2 + 1);
        side->dist = one.of.rows() * side->embed[one.of.rank - 1];
    }
    return one;
}

void check_all_types(const shape& of, int batch) {
    for (const cufftType type : {CUFFT_R2C, CUFFT_C2R, CUFFT_C2C}) {
        check_packed(example(type, of, batch));
        check_packed(made_in_place(example(type, of, batch)));
    }
    check_packed(example(CUFFT_C2C, of, batch, CUFFT_INVERSE));
}

// ---- the cases

void every_small_size() {
    for (int n = 1; n <= 33; n++)
        check_all_types(shape({n}), 1);
}

void large_composite_and_prime_sizes() {
    for (const int n : {64, 97, 100, 101, 128, 210, 243, 257})
        check_all_types(shape({n}), 1);
}

void rows_and_slices() {
    for (const auto& of : {shape({1, 1}), shape({1, 8}), shape({8, 1}), shape({6, 10}), shape({7, 11}),
                           shape({16, 9}), shape({2, 3, 4}), shape({5, 4, 3}), shape({3, 1, 7})})
        check_all_types(of, 1);
}

void batches() {
    check_all_types(shape({12}), 3);
    check_all_types(shape({7}), 5);
    check_all_types(shape({4, 6}), 2);
    check_all_types(shape({3, 5}), 3);
    check_all_types(shape({2, 3, 5}), 2);
}

/// Elements apart, rows with room behind them, transforms between each other.
void strides_and_gaps() {
    for (const cufftType type : {CUFFT_R2C, CUFFT_C2R, CUFFT_C2C}) {
        for (const shape& of : {shape({10}), shape({6, 5}), shape({3, 2, 4})}) {
            example one(type, of, 3);
            const auto spread = [&](layout& side, int stride, int gap) {
                side.embed[of.rank - 1] += gap;
                side.stride = stride;
                side.dist = side.embed[of.rank - 1] * of.rows() * stride + gap;
            };
            spread(one.in, 2, 3);
            spread(one.out, 3, 1);
            const auto interleave = [](layout& side) {
                side.stride = 3;
                side.dist = 1;
            };
            example woven(type, of, 3);
            interleave(woven.in);
            interleave(woven.out);
            for (example* each : {&one, &woven}) {
                cufftHandle plan = 0;
                EXPECT_FFT(cufftPlanMany(&plan, of.rank, each->of.n, each->in.embed, each->in.stride,
                                         each->in.dist, each->out.embed, each->out.stride, each->out.dist,
                                         type, 3));
                check_with(plan, *each);
                EXPECT_FFT(cufftDestroy(plan));
            }
        }
    }
}

void plans_of_every_name() {
    cufftHandle plan = 0;
    EXPECT_FFT(cufftPlan1d(&plan, 12, CUFFT_R2C, 2));
    check_with(plan, example(CUFFT_R2C, shape({12}), 2));
    EXPECT_FFT(cufftDestroy(plan));
    EXPECT_FFT(cufftPlan2d(&plan, 6, 10, CUFFT_C2R));
    check_with(plan, example(CUFFT_C2R, shape({6, 10})));
    EXPECT_FFT(cufftDestroy(plan));
    EXPECT_FFT(cufftPlan3d(&plan, 2, 3, 4, CUFFT_C2C));
    check_with(plan, example(CUFFT_C2C, shape({2, 3, 4}), 1, CUFFT_INVERSE));
    EXPECT_FFT(cufftDestroy(plan));

    size_t bytes = 77;
    int n[] = {6, 10};
    const auto made = [&](cufftResult (*make)(cufftHandle, int*, size_t*), const example& one) {
        EXPECT_FFT(cufftCreate(&plan));
        EXPECT_TOLD(CUFFT_INVALID_PLAN, cufftExecR2C(plan, nullptr, nullptr));
        EXPECT_FFT(make(plan, n, &bytes));
        EXPECT(bytes == 0);
        check_with(plan, one);
        EXPECT_TOLD(CUFFT_INVALID_PLAN, make(plan, n, &bytes));
        EXPECT_FFT(cufftDestroy(plan));
    };
    made([](cufftHandle p, int* of, size_t* work) { return cufftMakePlan1d(p, of[1], CUFFT_R2C, 1, work); },
         example(CUFFT_R2C, shape({10})));
    made([](cufftHandle p, int* of,
            size_t* work) { return cufftMakePlan2d(p, of[0], of[1], CUFFT_R2C, work); },
         example(CUFFT_R2C, shape({6, 10})));
    made([](cufftHandle p, int* of,
            size_t* work) { return cufftMakePlan3d(p, 2, of[0], of[1], CUFFT_R2C, work); },
         example(CUFFT_R2C, shape({2, 6, 10})));
    made(
        [](cufftHandle p, int* of, size_t* work) {
            return cufftMakePlanMany(p, 2, of, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, 2, work);
        },
        example(CUFFT_R2C, shape({6, 10}), 2));
    int version = 0;
    EXPECT_FFT(cufftGetVersion(&version));
    EXPECT(version == CUFFT_VERSION);
}

void there_and_back_is_the_product_with_the_size() {
    constexpr int ROWS = 5, COLUMNS = 12;
    const example there(CUFFT_R2C, shape({ROWS, COLUMNS}));
    cufftHandle forth = 0, back = 0;
    EXPECT_FFT(cufftPlan2d(&forth, ROWS, COLUMNS, CUFFT_R2C));
    EXPECT_FFT(cufftPlan2d(&back, ROWS, COLUMNS, CUFFT_C2R));
    device_array pixels(ROWS * COLUMNS), spectrum(ROWS * (COLUMNS / 2 + 1) * 2);
    const std::vector<float> given = stored(there, pixels.count);
    pixels.set(given);
    EXPECT_FFT(cufftExecR2C(forth, pixels.data, spectrum.waves()));
    EXPECT_FFT(cufftExecC2R(back, spectrum.waves(), pixels.data));
    const std::vector<float> got = pixels.get();
    for (size_t k = 0; k < got.size(); k++)
        EXPECT(std::abs(got[k] / float(ROWS * COLUMNS) - given[k]) < 1e-6f);
    for (const float left : spectrum.get())
        EXPECT(std::isnan(left));  // of two dimensions nothing is left
    EXPECT_FFT(cufftDestroy(forth));
    EXPECT_FFT(cufftDestroy(back));
}

void plans_that_cannot_be() {
    cufftHandle plan = 77;
    int n[] = {16, 16, 16, 16}, none[] = {0, 0}, well[] = {16, 16};
    EXPECT_TOLD(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    EXPECT(plan == 0);
    EXPECT_TOLD(CUFFT_INVALID_SIZE, cufftPlan2d(&plan, 8, -1, CUFFT_C2C));
    EXPECT_TOLD(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 8, CUFFT_C2C, 0));
    EXPECT_TOLD(CUFFT_INVALID_SIZE, cufftPlan3d(&plan, 1 << 10, 1 << 10, 1 << 10, CUFFT_C2C));
    EXPECT_TOLD(CUFFT_INVALID_TYPE, cufftPlan1d(&plan, 8, cufftType(5), 1));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
    EXPECT_TOLD(CUFFT_NOT_SUPPORTED, cufftPlan1d(&plan, 8, CUFFT_Z2Z, 1));
    const auto many = [&](int rank, int* sizes, int* inembed, int istride, int idist, int* onembed) {
        return cufftPlanMany(&plan, rank, sizes, inembed, istride, idist, onembed, 1, 256, CUFFT_C2C, 2);
    };
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(0, n, nullptr, 1, 0, nullptr));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(4, n, nullptr, 1, 0, nullptr));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(2, nullptr, nullptr, 1, 0, nullptr));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(2, n, well, 1, 256, nullptr));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(2, n, nullptr, 1, 256, well));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(2, n, well, 0, 256, well));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(2, n, well, 1, 0, well));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, many(2, n, none, 1, 256, well));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftCreate(nullptr));
    EXPECT_TOLD(CUFFT_INVALID_PLAN, cufftMakePlan1d(999, 8, CUFFT_R2C, 1, nullptr));
    EXPECT_FFT(cufftCreate(&plan));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftMakePlan1d(plan, 8, CUFFT_R2C, 1, nullptr));
    EXPECT_FFT(cufftDestroy(plan));
    EXPECT(simt::live_plans() == 0);
}

void plans_are_there_until_they_are_destroyed() {
    const device_array memory(64);
    cufftHandle plan = 0;
    EXPECT_FFT(cufftPlan1d(&plan, 8, CUFFT_R2C, 1));
    EXPECT(simt::live_plans() == 1);
    EXPECT_FFT(cufftDestroy(plan));
    EXPECT(simt::live_plans() == 0);
    EXPECT_TOLD(CUFFT_INVALID_PLAN, cufftDestroy(plan));
    EXPECT_TOLD(CUFFT_INVALID_PLAN, cufftExecR2C(plan, memory.data, memory.waves() + 8));
    EXPECT_TOLD(CUFFT_INVALID_PLAN, cufftSetStream(plan, nullptr));
    EXPECT_FFT(cufftDestroy(CUFFT_PLAN_NULL));
}

void executions_that_fit_no_plan() {
    const device_array memory(64);
    cufftHandle real = 0, complex = 0;
    EXPECT_FFT(cufftPlan1d(&real, 8, CUFFT_R2C, 1));
    EXPECT_FFT(cufftPlan1d(&complex, 8, CUFFT_C2C, 1));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftExecC2R(real, memory.waves(), memory.data + 32));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftExecC2C(real, memory.waves(), memory.waves() + 16, CUFFT_FORWARD));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftExecR2C(complex, memory.data, memory.waves() + 16));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftExecC2C(complex, memory.waves(), memory.waves(), 0));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftExecR2C(real, memory.data + 1, memory.waves() + 16));  // 8 bytes
    EXPECT_OK(cudaSetDevice(1));
    EXPECT_TOLD(CUFFT_INVALID_DEVICE, cufftExecR2C(real, memory.data, memory.waves() + 16));
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_FFT(cufftDestroy(real));
    EXPECT_FFT(cufftDestroy(complex));
}

/// What a GPU's kernels would be stopped for: an error that stays, and a sentence.
void memory_that_is_not_there() {
    cufftHandle plan = 0;
    EXPECT_FFT(cufftPlan2d(&plan, 4, 8, CUFFT_R2C));
    device_array in(4 * 8), out(4 * 5 * 2), large(4 * 10);
    std::vector<float> host(4 * 10);
    float *freed = nullptr, *others = nullptr;
    EXPECT_OK(cudaMalloc(&freed, 4 * 10 * sizeof(float)));
    EXPECT_OK(cudaFree(freed));
    EXPECT_OK(cudaSetDevice(1));
    EXPECT_OK(cudaMalloc(&others, 4 * 10 * sizeof(float)));
    EXPECT_OK(cudaSetDevice(0));
    const auto waves_at = [](float* memory) { return reinterpret_cast<cufftComplex*>(memory); };
    const auto expect_stopped = [&](float* from, float* to, const std::string& words) {
        const child_end end = in_child([&] {
            const bool is_stopped = cufftExecR2C(plan, from, waves_at(to)) == CUFFT_EXEC_FAILED &&
                                    cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
                                    cufftExecR2C(plan, in.data, out.waves()) == CUFFT_EXEC_FAILED &&
                                    cufftPlan1d(&plan, 8, CUFFT_R2C, 1) == CUFFT_INTERNAL_ERROR;
            _exit(is_stopped ? 0 : 1);
        });
        expect(end.code == 0 && end.signal == 0, words + ": failures that stay");
        expect(is_one_line(end.text) && end.text.find(words) != std::string::npos,
               "\"" + words + "\" in one line, not \"" + end.text + "\"");
    };
    expect_stopped(nullptr, out.data, "illegal-address: cufftExecR2C reads at a null pointer");
    expect_stopped(in.data, nullptr, "cufftExecR2C writes at a null pointer");
    expect_stopped(host.data() + (address_of(host.data()) % 8 != 0), out.data,
                   "cufftExecR2C reads host memory");
    expect_stopped(in.data, freed, "use-after-free: cufftExecR2C writes");
    expect_stopped(
        in.data + 2, out.data,
        "out-of-bounds: cufftExecR2C reads 128 bytes, and 120 are there, device memory of 128 bytes "
        "from byte 8 on");
    expect_stopped(in.data, in.data,
                   "cufftExecR2C reads 152 bytes, and 128 are there");  // no room for the waves
    expect_stopped(large.data, large.data + 2, "cufftExecR2C writes 160 bytes, and 152 are there");
    expect_stopped(others, out.data, "peer-access: cufftExecR2C reads memory of device 1 on device 0");
    const device_array both(4 * 10 + 8);
    expect_stopped(both.data, both.data + 8, "reads and writes the same memory, and not in place");
    EXPECT_FFT(cufftExecR2C(plan, large.data, large.waves()));
    EXPECT_OK(cudaFree(others));
    EXPECT_FFT(cufftDestroy(plan));
}

/// In place, with rows of the output where other rows of the input are.
void layouts_that_cannot_be_in_place() {
    const device_array memory(400);
    int rows[] = {4, 6}, row[] = {1, 6}, fits[] = {4, 8}, wide[] = {4, 20}, waves_embed[] = {4, 4};
    struct {
        int *n, *embed;
        int stride, dist;
        bool can_be;
    } cases[] = {{rows, fits, 1, 32, true},
                 {rows, wide, 1, 32, false},
                 {rows, fits, 2, 32, false},
                 {rows, fits, 1, 33, false},
                 {row, wide, 1, 32, true}};  // there is no next row
    for (const auto& [n, embed, stride, dist, can_be] : cases) {
        cufftHandle plan = 0;
        EXPECT_FFT(cufftPlanMany(&plan, 2, n, embed, stride, dist, waves_embed, 1, 16, CUFFT_R2C, 2));
        const child_end end = in_child(
            [&] { _exit(cufftExecR2C(plan, memory.data, memory.waves()) == CUFFT_EXEC_FAILED ? 1 : 0); });
        expect((end.code == 0) == can_be && is_one_line(end.text) != can_be,
               "in place as far as it can be, not \"" + end.text + "\"");
        EXPECT_FFT(cufftDestroy(plan));
    }
}

void plans_have_streams() {
    cudaStream_t stream = nullptr;
    cufftHandle plan = 0;
    const example one(CUFFT_R2C, shape({8}));
    EXPECT_FFT(cufftPlan1d(&plan, 8, CUFFT_R2C, 1));
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_FFT(cufftSetStream(plan, stream));
    check_with(plan, one);

    // Captured: nothing is done before the graph is launched.
    device_array in(8), out(10);
    in.set(stored(one, 8));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT_FFT(cufftExecR2C(plan, in.data, out.waves()));
    EXPECT_OK(cudaStreamEndCapture(stream, &graph));
    EXPECT(out.get()[0] == UNTOUCHED);
    EXPECT_OK(cudaGraphInstantiate(&ready, graph, 0));
    EXPECT_OK(cudaGraphLaunch(ready, stream));
    check_values(one, out.get());
    EXPECT_OK(cudaGraphExecDestroy(ready));
    EXPECT_OK(cudaGraphDestroy(graph));

    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_TOLD(CUFFT_INVALID_VALUE, cufftSetStream(plan, stream));
    EXPECT(is_one_line(
        stderr_of([&] { EXPECT(cufftExecR2C(plan, in.data, out.waves()) == CUFFT_EXEC_FAILED); })));
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT_OK(cudaSetDevice(1));
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_FFT(cufftSetStream(plan, stream));  // of another device than the plan's
    EXPECT(is_one_line(
        stderr_of([&] { EXPECT(cufftExecR2C(plan, in.data, out.waves()) == CUFFT_EXEC_FAILED); })));
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_FFT(cufftSetStream(plan, nullptr));
    check_with(plan, one);
    EXPECT_FFT(cufftDestroy(plan));
}

void several_threads() {
    constexpr int THREADS = 4, TIMES = 20;
    std::vector<std::thread> threads;
    std::vector<std::vector<float>> results(THREADS);
    const example one(CUFFT_R2C, shape({12, 35}), 2);
    const std::vector<float> given = stored(one, one.in.extent(2));
    for (int k = 0; k < THREADS; k++) {
        threads.emplace_back([&, k] {
            device_array in(given.size()), out(one.out.extent(2));
            in.set(given);
            for (int time = 0; time < TIMES; time++) {
                cufftHandle plan = 0;
                int n[] = {12, 35};
                EXPECT_FFT(cufftPlanMany(&plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, 2));
                EXPECT_FFT(cufftExecR2C(plan, in.data, out.waves()));
                EXPECT_FFT(cufftDestroy(plan));
            }
            results[size_t(k)] = out.get();
        });
    }
    for (std::thread& one : threads)
        one.join();
    for (const std::vector<float>& got : results)
        EXPECT(got == results[0]);
    check_values(one, results[0]);
}

/// Calls that somebody wants to fail are counted with those of the runtime.
void calls_fail_when_asked_to() {
    const device_array in(8), out(10);
    cufftHandle plan = 0;
    const auto first_that_fails = [&](uint64_t number) {
        simt::fail_call(number);
        std::string call = "none";
        if (cufftPlan1d(&plan, 8, CUFFT_R2C, 1) == CUFFT_ALLOC_FAILED)
            call = "plan";
        else if (cufftExecR2C(plan, in.data, out.waves()) == CUFFT_EXEC_FAILED)
            call = "exec";
        else if (cudaMemset(in.data, 0, 4) != cudaSuccess)
            call = "memset";
        simt::fail_call(0);
        if (plan != 0) EXPECT_FFT(cufftDestroy(plan));
        return call;
    };
    const char* calls[] = {"plan", "exec", "memset", "none"};
    for (uint64_t number = 1; number <= 4; number++) {
        std::string call;
        const std::string text = stderr_of([&] { call = first_that_fails(number); });
        EXPECT(call == calls[number - 1]);
        EXPECT((number == 4) == text.empty());
        EXPECT((cudaGetLastError() == cudaErrorUnknown) == (number == 3));
    }
}

class transforms_seen : public host_events {
public:
    std::vector<simt::done_transform> seen;
    void transformed(const simt::done_transform& what) override { seen.push_back(what); }
};

void the_observer_is_told() {
    device_array memory(3 * 10 * 4);
    cufftHandle plan = 0;
    int n[] = {4, 8}, embed[] = {4, 10}, waves_embed[] = {4, 5};
    EXPECT_FFT(cufftPlanMany(&plan, 2, n, embed, 1, 40, waves_embed, 1, 20, CUFFT_R2C, 3));
    transforms_seen watched;
    EXPECT_FFT(cufftExecR2C(plan, memory.data, memory.waves()));
    EXPECT(watched.seen.size() == 1 && watched.findings.empty());
    const simt::done_transform& one = watched.seen.at(0);
    EXPECT(one.kind == "R2C" && !one.is_inverse && one.in_place && one.batch == 3 && !one.unsets_input);
    EXPECT(one.sizes == std::vector<uint64_t>({4, 8}));
    EXPECT(one.reads.size() == 12 && one.writes.size() == 1);  // rows apart, and all of it
    const uintptr_t begin = address_of(memory.data);
    EXPECT(one.reads[1].begin == begin + 40 && one.reads[1].end == begin + 72);
    EXPECT(one.writes[0].begin == begin && one.writes[0].end == begin + 480);
    EXPECT_FFT(cufftDestroy(plan));
}

void a_reset_destroys_plans() {
    cufftHandle plan = 0;
    EXPECT_FFT(cufftPlan1d(&plan, 8, CUFFT_R2C, 1));
    EXPECT_OK(cudaDeviceReset());
    EXPECT(simt::live_plans() == 0);
}

constexpr int FUNCTIONS = 8;

/// What cuComplex.h has, of two numbers.
__host__ __device__ void all_of_complex(cuComplex* out, cuComplex x, cuComplex y) {
    out[0] = cuCaddf(x, y);
    out[1] = cuCsubf(x, y);
    out[2] = cuCmulf(x, y);
    out[3] = cuCdivf(x, y);
    out[4] = cuConjf(x);
    out[5] = make_cuComplex(cuCabsf(x), cuCrealf(x) + cuCimagf(y));
    out[6] = cuCfmaf(x, y, x);
    const cuDoubleComplex wide = cuCmul(cuComplexFloatToDouble(x), make_cuDoubleComplex(0, 2));
    out[7] =
        cuComplexDoubleToFloat(cuCdiv(cuCadd(wide, cuConj(wide)), make_cuDoubleComplex(cuCabs(wide), 0)));
}

__global__ void in_a_kernel(cuComplex* out, cuComplex x, cuComplex y) {
    all_of_complex(out, x, y);
}

void complex_numbers() {
    const std::complex<float> x(3, -4), y(1e30f, 2e30f), wide = x * std::complex<float>(0, 2);
    const std::complex<float> right[] = {x + y,        x - y,
                                         x * y,        std::complex<float>(-1, -2) * 1e-30f,
                                         std::conj(x), {std::abs(x), x.real() + y.imag()},
                                         x * y + x,    2 * wide.real() / std::abs(wide)};
    const device_array memory(2 * FUNCTIONS);
    const cuComplex a = make_cuComplex(x.real(), x.imag()), b = make_cuComplex(y.real(), y.imag());
    in_a_kernel<<<1, 1>>>(memory.waves(), a, b);
    const std::vector<float> of_kernel = memory.get();
    cuComplex of_host[FUNCTIONS];
    all_of_complex(of_host, a, b);
    for (size_t k = 0; k < FUNCTIONS; k++) {
        const std::complex<float> got(of_host[k].x, of_host[k].y);
        expect(std::abs(got - right[k]) <= 4 * FLT_EPSILON * std::abs(right[k]),
               "function " + std::to_string(k) + " of complex numbers");
        EXPECT(of_kernel[2 * k] == got.real() && of_kernel[2 * k + 1] == got.imag());
    }
}

/// Of a build without FFTW: one line that says so.
bool is_missing() {
    cufftHandle plan = 0;
    if (cufftPlan1d(&plan, 8, CUFFT_R2C, 1) == CUFFT_MISSING_DEPENDENCY) return true;
    cufftDestroy(plan);
    return false;
}

}  // namespace

int main() {
    if (!are_there || is_missing()) {
        std::printf("skipped: without FFTW there are no transforms\n0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    return run_cases({every_small_size, large_composite_and_prime_sizes, rows_and_slices, batches,
                      strides_and_gaps, plans_of_every_name, there_and_back_is_the_product_with_the_size,
                      plans_that_cannot_be, plans_are_there_until_they_are_destroyed,
                      executions_that_fit_no_plan, memory_that_is_not_there, layouts_that_cannot_be_in_place,
                      plans_have_streams, several_threads, calls_fail_when_asked_to, the_observer_is_told,
                      a_reset_destroys_plans, complex_numbers});
}
