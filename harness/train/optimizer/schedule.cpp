// Warm-up, then one of four shapes.

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

/// The fraction of a decay from `from` to the end of the budget that is over at `progress`.
double decayed(double progress, double from) {
  return from >= 1 ? 0 : std::clamp((progress - from) / (1 - from), 0.0, 1.0);
}

}  // namespace

double Schedule::learning_rate(double progress) const {
  if (progress < warmup) return peak * std::max(progress, 0.0) / warmup;
  const auto down_to_final = [this](double height) {
    return peak * (final_rate + (1 - final_rate) * height);
  };
  switch (shape) {
    case Decay::cosine:
      return down_to_final((1 + std::cos(std::numbers::pi * decayed(progress, warmup))) / 2);
    case Decay::linear:
      return down_to_final(1 - decayed(progress, warmup));
    case Decay::warmup_stable_decay:
      return down_to_final(1 - decayed(progress, 1 - decay));
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
    reject(
        "train: warmup = {:g} and decay = {:g} together exceed the budget; their sum is at most 1",
        schedule.warmup, schedule.decay);
  return schedule;
}

}  // namespace ablate::train
