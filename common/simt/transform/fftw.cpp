// Transforms by FFTW, planned without measuring: the same program has the same results every time.
#include "simt/transform/fftw.h"

#ifndef NO_FFTW

#include <fftw3.h>

#include <mutex>

namespace simt {
namespace {

fftwf_plan plan_for(const transform_plan& plan, const transform_side& from, void* in,
                    const transform_side& to, void* out, int direction) {
    const element_layout &a = from.layout, &b = to.layout;
    // As cuFFT's: a row that becomes real is still there afterwards.
    const unsigned how = FFTW_ESTIMATE | (plan.rank == 1 && in != out ? FFTW_PRESERVE_INPUT : 0);
    auto *real_in = static_cast<float*>(in), *real_out = static_cast<float*>(out);
    auto *waves_in = static_cast<fftwf_complex*>(in), *waves_out = static_cast<fftwf_complex*>(out);
    switch (plan.type) {
        case CUFFT_R2C:
            return fftwf_plan_many_dft_r2c(plan.rank, plan.sizes, plan.batch, real_in, a.embed, a.stride,
                                           a.dist, waves_out, b.embed, b.stride, b.dist, how);
        case CUFFT_C2R:
            return fftwf_plan_many_dft_c2r(plan.rank, plan.sizes, plan.batch, waves_in, a.embed, a.stride,
                                           a.dist, real_out, b.embed, b.stride, b.dist, how);
        default:
            return fftwf_plan_many_dft(plan.rank, plan.sizes, plan.batch, waves_in, a.embed, a.stride, a.dist,
                                       waves_out, b.embed, b.stride, b.dist,
                                       direction == CUFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, how);
    }
}

}  // namespace

bool can_transform() {
    return true;
}

bool compute(const transform_plan& plan, const transform_side& from, const void* in, const transform_side& to,
             void* out, int direction) {
    static std::mutex& planner = *new std::mutex;  // FFTW has one for all threads
    fftwf_plan made = nullptr;
    {
        const std::lock_guard lock(planner);
        made = plan_for(plan, from, const_cast<void*>(in), to, out, direction);
    }
    if (!made) return false;
    fftwf_execute(made);
    const std::lock_guard lock(planner);
    fftwf_destroy_plan(made);
    return true;
}

}  // namespace simt

#else

namespace simt {

bool can_transform() {
    return false;
}

bool compute(const transform_plan&, const transform_side&, const void*, const transform_side&, void*, int) {
    return false;
}

}  // namespace simt

#endif
