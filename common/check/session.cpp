// One run of a judge.
#include "check/session.h"

namespace check {

session* the_session = nullptr;

session::session(std::string lab, const std::string& worker, const std::string& inspector)
    : lab_(std::move(lab)), worker_path_(worker), worker_(std::make_shared<worker_process>(worker)) {
    const bool same = inspector.empty() || inspector == worker;
    inspector_ = same ? worker_ : std::make_shared<worker_process>(inspector);
    result.lab = lab_;
}

worker_process& session::checking() {
    if (worker_ == inspector_) return *worker_;
    return worker_->has_gpu() ? *worker_ : *inspector_;
}

}  // namespace check
