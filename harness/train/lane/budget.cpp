// Sums of what steps use, and the fraction of a budget that they make.

#include "harness/train/lane/budget.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate::train {

Usage& Usage::operator+=(const Usage& other) {
  steps += other.steps;
  text_tokens += other.text_tokens;
  positions += other.positions;
  targets += other.targets;
  target_weight += other.target_weight;
  seconds += other.seconds;
  sources += other.sources;
  clipped += other.clipped;
  unscored += other.unscored;
  return *this;
}

double Usage::trunk_flops(const FlopCount& cost) const {
  return cost.trunk_per_token * static_cast<double>(positions) +
         cost.source_per_token * static_cast<double>(sources);
}

double Usage::head_flops(const FlopCount& cost) const {
  return cost.head_per_target * static_cast<double>(targets);
}

Json to_json(const Usage& spent) {
  return {{"steps", spent.steps},          {"text_tokens", spent.text_tokens},
          {"positions", spent.positions},  {"targets", spent.targets},
          {"weight", spent.target_weight}, {"seconds", spent.seconds},
          {"sources", spent.sources},      {"clipped", spent.clipped},
          {"unscored", spent.unscored}};
}

Usage usage_from_json(const Json& json) {
  return {integer_in(json.at("steps")),
          integer_in(json.at("text_tokens")),
          integer_in(json.at("positions")),
          integer_in(json.at("targets")),
          json.at("weight"),
          json.at("seconds"),
          integer_in(json, "sources", 0),
          integer_in(json, "clipped", 0),
          integer_in(json, "unscored", 0)};
}

Budget::Budget(const Json& budget, std::int64_t steps, const FlopCount& cost) : cost_(cost) {
  if (steps > 0) {
    maximum_ = static_cast<double>(steps);
    return;
  }
  const std::pair<const char*, Unit> units[] = {{"steps", Unit::steps},
                                                {"tokens", Unit::tokens},
                                                {"targets", Unit::targets},
                                                {"flops", Unit::flops},
                                                {"seconds", Unit::seconds}};
  for (const auto& [name, unit] : units) {
    if (!budget.contains(name) || budget.at(name).is_null()) continue;
    unit_ = unit;
    maximum_ = budget.at(name);
  }
  if (!(maximum_ > 0))
    reject(
        "budget = {}, without planned steps; give one of steps, tokens, targets, flops or seconds, "
        "above 0 (positions are counted by the plan)",
        canonical(budget));
}

double Budget::amount(const Usage& spent) const {
  switch (unit_) {
    case Unit::steps:
      return static_cast<double>(spent.steps);
    case Unit::tokens:
      return static_cast<double>(spent.text_tokens);
    case Unit::targets:
      return static_cast<double>(spent.targets);
    case Unit::flops:
      return spent.trunk_flops(cost_) + spent.head_flops(cost_);
    case Unit::seconds:
      break;
  }
  return spent.seconds;
}

double Budget::progress(const Usage& spent) const {
  return std::min(amount(spent) / maximum_, 1.0);
}

std::int64_t Budget::steps() const {
  return unit_ == Unit::steps ? static_cast<std::int64_t>(std::ceil(maximum_)) : 0;
}

}  // namespace ablate::train
