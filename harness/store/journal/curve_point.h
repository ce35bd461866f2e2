// A point of a training curve, and a spike of it.

#pragma once

#include <cstdint>
#include <vector>

namespace ablate::store {

/// The number of steps at the start of a phase in which only a loss above the initial one is a spike.
constexpr std::int64_t kStepsBeforeSpikes = 20;

/// A point of a training curve.
struct CurvePoint {
  std::int64_t step = 0;
  double text_tokens = 0;
  double loss =
      0;  // nats per target, mean since the previous point; NaN where it was not a number,
          // or where nothing was scored, so that there is none
  double learning_rate = 0;
  double gradient_norm = 0;
  bool spike = false;  // whether a step since the previous point was one
};

/// A document of the training text.
struct SpikeDocument {
  std::int64_t corpus = 0;  // of those that the phase draws from
  std::int64_t document = 0;
};

/// A step whose loss was a spike, and the documents that it read.
struct LossSpike {
  std::int64_t step = 0;
  double loss = 0;                       // nats per target, of this step alone
  std::vector<SpikeDocument> documents;  // at which its texts began, ascending; of many the first
  std::int64_t attempt = 0;
};

}  // namespace ablate::store
