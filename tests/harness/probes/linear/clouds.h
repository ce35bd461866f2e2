// Random rows for tests of linear models.

#pragma once

#include "harness/base/rng.h"
#include "harness/probes/linear/logistic_regression.h"

namespace ablate::probes::testing {

/// Rows around one centre per class, `apart` deviations from one another along each axis.
inline Observations clouds(std::int64_t count, std::int64_t width, std::int32_t classes,
                           double apart, std::uint64_t seed = 1) {
  Observations rows{.width = width};
  for (std::int64_t i = 0; i < count; ++i) {
    Rng rng(seed, Stream::probes, 0, static_cast<std::uint64_t>(i));
    const auto label = static_cast<std::int32_t>(rng.below(classes));
    rows.labels.push_back(label);
    for (std::int64_t d = 0; d < width; ++d)
      rows.features.push_back(rng.normal() + (d % classes == label ? apart : 0));
  }
  return rows;
}

/// The model of the minimum.
inline LogisticModel fitted(const Observations& rows, std::int32_t classes, double penalty = 1e-2) {
  LogisticModel model(rows.width, classes);
  minimise(model, rows, penalty, 1e-8);
  return model;
}

}  // namespace ablate::probes::testing
