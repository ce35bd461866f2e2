// Where the time of training goes.

#pragma once

#include <algorithm>

#include "harness/base/json/json.h"

namespace ablate::train {

/// Seconds of training: in total, and by activity.
struct TimeSpent {
  double all = 0, data = 0, model = 0, update = 0;
  double exchange = 0;  // with other ranks

  /// The fraction of the total of each activity, and of all others.
  Json fractions() const {
    const double total = std::max(all, 1e-9);
    Json fractions = {{"data", data / total},
                      {"forward_and_backward", model / total},
                      {"update", update / total},
                      {"other", std::max(0.0, 1 - (data + model + update + exchange) / total)}};
    if (exchange > 0) fractions["exchange"] = exchange / total;
    return fractions;
  }
};

}  // namespace ablate::train
