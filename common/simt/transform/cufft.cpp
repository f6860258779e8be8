// cuFFT's calls. Plans are the host's; the device is asked for transforms.
#include "simt/include/cufft.h"

#include <algorithm>
#include <string>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/transform/fftw.h"
#include "simt/transform/run.h"

namespace simt {
namespace {

cufftResult refuse(cufftResult error, const char* call, const std::string& reason) {
    tell_refusal((std::string(call) + ": " + reason).c_str());
    return error;
}

cufftResult refuse_plan(const char* call) {
    return refuse(CUFFT_INVALID_PLAN, call, "there is no such plan (not made, or destroyed)");
}

bool fails_there(const char* call) {
    if (device_is_far()) return ask_device<fails_there>(call);
    return fails_this_time(call);
}

/// What a plan is made of but for its handle.
cufftResult check_plan(const char* call, const transform_plan& plan) {
    if (!can_transform())
        return refuse(
            CUFFT_MISSING_DEPENDENCY, call,
            "FFTW (fftw3.h), which computes transforms, was missing when the CPU backend was built: make "
            "setup, then make again");
    if (const plan_fault fault = fault_of(plan); fault.error != CUFFT_SUCCESS)
        return refuse(fault.error, call, fault.text);
    if (device_error() != cudaSuccess) return CUFFT_INTERNAL_ERROR;
    return fails_there(call) ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS;
}

cufftResult make_plan(const char* call, cufftHandle* handle, transform_plan plan) {
    if (!handle) return refuse(CUFFT_INVALID_VALUE, call, "a null pointer for the result");
    *handle = 0;
    if (const cufftResult bad = check_plan(call, plan)) return bad;
    plan.device = current_device();
    *handle = add_plan(plan);
    return CUFFT_SUCCESS;
}

/// Of one that cufftCreate has made.
cufftResult make_created(const char* call, cufftHandle handle, transform_plan plan, size_t* work_bytes) {
    transform_plan created;
    if (!find_plan(handle, created)) return refuse_plan(call);
    if (created.rank != 0) return refuse(CUFFT_INVALID_PLAN, call, "the plan is made already");
    if (!work_bytes)
        return refuse(CUFFT_INVALID_VALUE, call, "a null pointer for the bytes of the work area");
    if (const cufftResult bad = check_plan(call, plan)) return bad;
    plan.stream = created.stream;
    plan.device = current_device();
    change_plan(handle, plan);
    *work_bytes = 0;
    return CUFFT_SUCCESS;
}

transform_plan packed_plan(std::initializer_list<int> sizes, cufftType type, int batch) {
    transform_plan plan;
    plan.type = type;
    plan.rank = int(sizes.size());
    std::copy(sizes.begin(), sizes.end(), plan.sizes);
    plan.batch = batch;
    return plan;
}

/// `call` asks for a plan of these; `make` makes it.
template <class function_type>
cufftResult plan_many(const char* call, int rank, const int* n, const int* inembed, int istride, int idist,
                      const int* onembed, int ostride, int odist, cufftType type, int batch,
                      const function_type& make) {
    if (!n) return refuse(CUFFT_INVALID_VALUE, call, "a null pointer for the sizes");
    transform_plan plan;
    plan.type = type;
    plan.rank = rank;
    plan.batch = batch;
    const int known = std::clamp(rank, 0, MOST_RANK);
    std::copy_n(n, known, plan.sizes);
    plan.is_packed = !inembed && !onembed;
    if (!plan.is_packed && !(inembed && onembed))
        return refuse(CUFFT_INVALID_VALUE, call, "inembed without onembed, or onembed without inembed");
    if (!plan.is_packed) {
        std::copy_n(inembed, known, plan.in.embed);
        std::copy_n(onembed, known, plan.out.embed);
        plan.in.stride = istride, plan.in.dist = idist;
        plan.out.stride = ostride, plan.out.dist = odist;
    }
    return make(plan);
}

bool is_misplaced(const void* array) {
    return reinterpret_cast<uintptr_t>(array) % sizeof(cufftComplex) != 0;
}

cufftResult execute(const char* call, cufftHandle handle, cufftType type, const void* in, void* out,
                    int direction) {
    transform_plan plan;
    if (!find_plan(handle, plan) || plan.rank == 0) return refuse_plan(call);
    if (plan.type != type) return refuse(CUFFT_INVALID_VALUE, call, "the plan is one of another type");
    if (is_misplaced(in) || is_misplaced(out))
        return refuse(CUFFT_INVALID_VALUE, call,
                      "an array begins at no multiple of 8 bytes, which cuFFT asks of real values, too");
    if (plan.device != current_device())
        return refuse(CUFFT_INVALID_DEVICE, call,
                      "the plan was made on device " + std::to_string(plan.device) +
                          ", and the current one is device " + std::to_string(current_device()));
    if (check_stream_is_ours(call, plan.stream) != cudaSuccess) return CUFFT_EXEC_FAILED;
    const cudaError_t error = on_stream(call, plan.stream, cudaGraphNodeTypeKernel, [=] {
        if (!device_is_far()) deliver_copies();  // the arrays may be page-locked memory
        return transform(call, plan, in, out, direction) == CUFFT_SUCCESS ? cudaSuccess : cudaErrorUnknown;
    });
    return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
    return make_plan("cufftPlan1d", plan, packed_plan({nx}, type, batch));
}

cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
    return make_plan("cufftPlan2d", plan, packed_plan({nx, ny}, type, 1));
}

cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
    return make_plan("cufftPlan3d", plan, packed_plan({nx, ny, nz}, type, 1));
}

cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
    return plan_many("cufftPlanMany", rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                     [=](const transform_plan& asked) { return make_plan("cufftPlanMany", plan, asked); });
}

cufftResult cufftCreate(cufftHandle* plan) {
    if (!plan) return refuse(CUFFT_INVALID_VALUE, "cufftCreate", "a null pointer for the result");
    *plan = add_plan({});
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_bytes) {
    return make_created("cufftMakePlan1d", plan, packed_plan({nx}, type, batch), work_bytes);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_bytes) {
    return make_created("cufftMakePlan2d", plan, packed_plan({nx, ny}, type, 1), work_bytes);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work_bytes) {
    return make_created("cufftMakePlan3d", plan, packed_plan({nx, ny, nz}, type, 1), work_bytes);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              size_t* work_bytes) {
    const char* call = "cufftMakePlanMany";
    return plan_many(
        call, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
        [=](const transform_plan& asked) { return make_created(call, plan, asked, work_bytes); });
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    transform_plan plan;
    if (!find_plan(handle, plan)) return refuse_plan("cufftSetStream");
    if (!is_stream(stream))
        return refuse(CUFFT_INVALID_VALUE, "cufftSetStream",
                      "there is no such stream (not created, or destroyed)");
    plan.stream = stream;
    change_plan(handle, plan);
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
    if (plan == CUFFT_PLAN_NULL || remove_plan(plan)) return CUFFT_SUCCESS;
    return refuse_plan("cufftDestroy");
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return refuse(CUFFT_INVALID_VALUE, "cufftExecC2C",
                      "a direction of " + std::to_string(direction) + ": CUFFT_FORWARD or CUFFT_INVERSE");
    return execute("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
    return execute("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
    return execute("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

cufftResult cufftGetVersion(int* version) {
    if (!version) return refuse(CUFFT_INVALID_VALUE, "cufftGetVersion", "a null pointer for the result");
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

}  // extern "C"
