// What a trial may spend, and what it has spent, in every unit.

#pragma once

#include <cstdint>

#include "harness/base/json/json.h"
#include "harness/contract/backbone.h"

namespace ablate::train {

/// What a lane's steps have used so far: sums over its steps.
struct Usage {
  std::int64_t steps = 0;
  std::int64_t text_tokens = 0;  // raw tokens read
  std::int64_t positions = 0;    // positions that the decoder read, pads included
  std::int64_t targets = 0;      // scored targets of all heads
  double target_weight = 0;      // sum of the first head's loss denominators
  double seconds = 0;            // wall-clock time of training
  std::int64_t sources = 0;      // positions that an encoder read, pads included
  std::int64_t clipped = 0;      // steps whose gradient was clipped
  std::int64_t unscored = 0;     // steps in which the first head has no target: they have no loss

  /// Adds every count of `other`.
  Usage& operator+=(const Usage& other);

  /// FLOPs of the trunk, forward and backward; an encoder's included.
  double trunk_flops(const FlopCount& cost) const;

  /// FLOPs of all heads, forward and backward.
  double head_flops(const FlopCount& cost) const;
};

/// The counts as a JSON object, as checkpoints store them.
Json to_json(const Usage& spent);

/// Reads what to_json() wrote. Throws Json::exception where a count is missing.
Usage usage_from_json(const Json& json);

/// How much one phase of training may spend, in one unit.
class Budget {
 public:
  /// The budget of a phase, from its section ({"tokens": 1000000}). With `steps` above 0, which the
  /// plan has counted in all units but seconds, it ends after so many steps. Otherwise it ends with
  /// the first step that reaches its tokens, targets, FLOPs or seconds. Throws
  /// std::invalid_argument where the section names none of these amounts above 0.
  Budget(const Json& budget, std::int64_t steps, const FlopCount& cost);

  /// The fraction of the budget that is spent, in [0, 1]. At 1 the phase ends.
  double progress(const Usage& spent) const;

  /// Whether the budget is in seconds.
  bool timed() const { return unit_ == Unit::seconds; }

  /// The total number of steps; 0 where it depends on the text or the clock.
  std::int64_t steps() const;

 private:
  enum class Unit { steps, tokens, targets, flops, seconds };

  /// What is spent, in the budget's unit.
  double amount(const Usage& spent) const;

  Unit unit_ = Unit::steps;
  double maximum_ = 0;
  FlopCount cost_;
};

}  // namespace ablate::train
