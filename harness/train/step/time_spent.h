// What the seconds of training went into.

#pragma once

#include <algorithm>

#include "harness/base/json/json.h"

namespace ablate::train {

/// Seconds of training by what they were spent on.
struct TimeSpent {
  double all = 0, data = 0, model = 0, update = 0;

  /// Of all of it: fractions.
  Json shares() const {
    const double whole = std::max(all, 1e-9);
    return {{"data", data / whole},
            {"forward_and_backward", model / whole},
            {"update", update / whole},
            {"other", std::max(0.0, 1 - (data + model + update) / whole)}};
  }
};

}  // namespace ablate::train
