// What a trial may spend, and what it has spent, by every way of counting.

#pragma once

#include <cstdint>

#include "harness/base/json/json.h"
#include "harness/contract/backbone.h"

namespace ablate::train {

/// What steps have cost so far: sums over the steps of one lane.
struct Usage {
  std::int64_t steps = 0;
  std::int64_t text_tokens = 0;  // raw tokens read
  std::int64_t positions = 0;    // of the rows that the model read, pads included
  std::int64_t targets = 0;      // scored tokens, by every head
  double target_weight = 0;      // those of the first head, by weight
  double seconds = 0;            // of training, wall clock
  std::int64_t sources = 0;      // positions that an encoder read, pads included

  Usage& operator+=(const Usage& other);

  /// Floating-point operations of the trunk (an encoder's, too) and of the heads.
  double trunk_flops(const FlopCount& cost) const;
  double head_flops(const FlopCount& cost) const;
};

Json to_json(const Usage& spent);
Usage usage_from_json(const Json& json);

class Budget {
 public:
  /// The budget of a phase, from its section ({"tokens": 1000000}). One whose `steps` the plan
  /// has counted (above 0) ends with them; another ends with
  /// the first step that brings it to its targets, seconds, tokens or FLOPs.
  Budget(const Json& budget, std::int64_t steps, const FlopCount& cost);

  /// The fraction that is spent, in [0, 1]; 1 ends the trial.
  double share(const Usage& spent) const;

  /// Whether it is one of seconds.
  bool timed() const { return unit_ == Unit::seconds; }

  /// Steps in all, or 0 where only the text or the clock knows.
  std::int64_t steps() const;

 private:
  enum class Unit { steps, tokens, targets, flops, seconds };
  double amount(const Usage& spent) const;

  Unit unit_ = Unit::steps;
  double maximum_ = 0;
  FlopCount cost_;
};

}  // namespace ablate::train
