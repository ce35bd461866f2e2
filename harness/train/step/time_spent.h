// Where the time of training goes.

#pragma once

#include <algorithm>

#include "harness/base/json/json.h"

namespace ablate::train {

/// Seconds of training: in total, and by activity.
struct TimeSpent {
  double all = 0, data = 0, model = 0, update = 0;

  /// The fraction of the total of each activity, and of all others.
  Json fractions() const {
    const double total = std::max(all, 1e-9);
    return {{"data", data / total},
            {"forward_and_backward", model / total},
            {"update", update / total},
            {"other", std::max(0.0, 1 - (data + model + update) / total)}};
  }
};

}  // namespace ablate::train
