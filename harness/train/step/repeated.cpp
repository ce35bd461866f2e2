// Decides when work runs directly, when it is recorded and when a recording is replayed.

#include "harness/train/step/repeated.h"

#include <c10/util/Exception.h>

namespace ablate::train {

void Repeated::run(const std::function<void()>& work) {
  if (recorder_ == nullptr || done_ < kWarmUp) {
    if (recorder_ != nullptr) ++done_;
    return work();
  }
  if (!recorded_) {
    try {
      recorder_->record(work);
    } catch (const c10::OutOfMemoryError&) {
      throw;
    } catch (const c10::Error& error) {
      failure_ = error.what_without_backtrace();
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
    if (!failure_.empty()) {
      recorder_.reset();
      return work();
    }
    recorded_ = true;
  }
  recorder_->replay();
}

void Repeated::reset() {
  done_ = 0;
  recorded_ = false;
}

}  // namespace ablate::train
