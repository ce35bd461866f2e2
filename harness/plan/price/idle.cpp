#include "harness/plan/price/idle.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/number_text.h"

namespace ablate::plan {
namespace {

// Fraction of the texts. Where windows are cut at documents, a quarter of them are usually ends of
// documents with one sentence or less: that is no surprise.
constexpr double kAccepted = 1.0 / 3;

bool is_idle(const Idle& idle, const Example& example) {
  return std::any_of(example.facts.begin(), example.facts.end(), [&](const Fact& fact) {
    return fact.name == idle.fact && fact.value >= idle.from && fact.value <= idle.to;
  });
}

bool has_target(const Example& example) {
  return !example.labels.empty() || std::any_of(example.weights.begin(), example.weights.end(),
                                                [](float weight) { return weight > 0; });
}

}  // namespace

IdleCounter::IdleCounter(const Objective& objective)
    : objective_(objective), idle_(objective.idle.size()) {}

void IdleCounter::add(const data::SampledBatch& drawn) {
  ++steps_;
  unscored_steps_ += drawn.batch.scored.empty() || drawn.batch.primary_scored().targets.empty();
  for (const data::PlacedExample& placed : drawn.examples) {
    ++texts_;
    bool explained = false;
    for (std::size_t i = 0; i < idle_.size(); ++i) {
      const bool idle = is_idle(objective_.idle[i], placed.example);
      idle_[i] += idle;
      explained = explained || idle;
    }
    without_target_ += !explained && !has_target(placed.example);
  }
}

std::vector<std::string> IdleCounter::sentences() const {
  std::vector<std::string> found;
  const auto add = [&](std::int64_t count, std::string_view what) {
    const double fraction = static_cast<double>(count) / static_cast<double>(texts_);
    if (texts_ > 0 && fraction > kAccepted)
      found.push_back(fmt::format("{:.0f} % of its sampled texts {}", 100 * fraction, what));
  };
  for (std::size_t i = 0; i < idle_.size(); ++i) add(idle_[i], objective_.idle[i].what);
  add(without_target_, "have no target; give longer texts");
  return found;
}

double IdleCounter::unscored_steps(double ratio) const {
  if (steps_ == 0) return 0;
  const double fraction = static_cast<double>(unscored_steps_) / static_cast<double>(steps_);
  return std::pow(fraction, ratio);
}

std::string unscored_sentence(double fraction, std::int64_t steps) {
  if (steps == 0)
    return fraction > 0 ? fmt::format("about {} % of its steps score no target, and have no loss",
                                      significant(100 * fraction, 2))
                        : "";
  const std::int64_t expected = std::llround(fraction * static_cast<double>(steps));
  if (expected == 0) return "";
  return fmt::format(
      "about {} of its {} steps score no target, and have no loss; raise train.batch, or give "
      "longer texts",
      expected, steps);
}

}  // namespace ablate::plan
