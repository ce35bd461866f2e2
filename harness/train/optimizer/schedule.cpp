// Warm-up, then one of four ways on.

#include "harness/train/optimizer/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/base/error.h"

namespace ablate::train {
namespace {

Decay decay_named(const std::string& name) {
  if (name == "cosine") return Decay::cosine;
  if (name == "linear") return Decay::linear;
  if (name == "warmup_stable_decay") return Decay::warmup_stable_decay;
  return Decay::constant;
}

/// How far the way down is gone, in [0, 1], where it begins at share `from`.
double fallen(double share, double from) {
  return from >= 1 ? 0 : std::clamp((share - from) / (1 - from), 0.0, 1.0);
}

}  // namespace

double Schedule::rate(double share) const {
  if (share < warmup) return peak * std::max(share, 0.0) / warmup;
  const auto down_to_final = [this](double height) {
    return peak * (final_rate + (1 - final_rate) * height);
  };
  switch (shape) {
    case Decay::cosine:
      return down_to_final((1 + std::cos(std::numbers::pi * fallen(share, warmup))) / 2);
    case Decay::linear:
      return down_to_final(1 - fallen(share, warmup));
    case Decay::warmup_stable_decay:
      return down_to_final(1 - fallen(share, 1 - decay));
    case Decay::constant:
      break;
  }
  return peak;
}

Schedule schedule_of(const Params& train) {
  const Schedule schedule{train.number("learning_rate"), decay_named(train.text("schedule")),
                          train.number("warmup"), train.number("decay"),
                          train.number("final_rate")};
  if (schedule.shape == Decay::warmup_stable_decay && schedule.warmup + schedule.decay > 1)
    reject("train: warmup = ", schedule.warmup, " and decay = ", schedule.decay,
           " together exceed the budget; their sum is at most 1");
  return schedule;
}

}  // namespace ablate::train
