#include "harness/plan/price/measuring.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/plan/price/metrics.h"

namespace ablate::plan {
namespace {

/// The first step after which `amount` is reached, at `per_step` a step.
std::int64_t first_step(double amount, double per_step) {
  // A fraction of a budget is a product: a rounding error in it must not add a step.
  return std::max<std::int64_t>(1, std::llround(std::ceil(amount / per_step * (1 - 1e-12))));
}

/// The first step after which a trial has read so many tokens of text.
std::int64_t step_of_tokens(const Price& price, double tokens) {
  std::int64_t before = 0;  // steps of the phases before
  for (const PhasePrice& phase : price.phases) {
    if (tokens <= phase.text_tokens) return before + first_step(tokens, phase.rates.text_tokens);
    tokens -= phase.text_tokens;
    before += phase.steps;
  }
  return before + 1;  // never: they are more than all of its phases read
}

std::vector<std::int64_t> doublings(double count, std::int64_t steps) {
  const auto points = static_cast<int>(count);
  const int possible = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(steps))) - 1;
  if (points > possible)
    reject(
        "at.doublings = {} begins at 1/{} of the steps, but there are {}; the maximum is {}: give "
        "fewer, or a larger budget",
        points, std::int64_t{1} << points, steps, possible);
  std::vector<std::int64_t> found;
  for (int power = points; power > 0; --power)
    found.push_back(first_step(static_cast<double>(steps), std::ldexp(1, power)));
  return found;
}

}  // namespace

std::vector<std::int64_t> measuring_steps(const OnTheWay& points, const Price& price) {
  if (!points.any()) return {};
  if (price.steps == 0)
    reject(
        "the budget is in seconds, so neither the number of steps nor any point during training is "
        "known beforehand; give a budget in another unit, or leave out \"at\"");
  if (points.unit == "doublings") return doublings(points.amounts.front(), price.steps);
  const auto steps = static_cast<double>(price.steps);
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < points.amounts.size(); ++i) {
    const double amount = points.amounts[i];
    const std::string text = plain_number(amount);
    const bool tokens = points.unit == "tokens";
    const std::int64_t step =
        tokens ? step_of_tokens(price, amount) : first_step(amount * steps, 1);
    if (step >= price.steps)
      reject(
          "at.{} = {} is not before the end: training ends after {} steps and {:.0f} tokens of "
          "text, and the trained model is measured anyway; give a smaller number",
          points.unit, text, price.steps, price.text_tokens);
    if (!found.empty() && step == found.back())
      reject("at.{}: {} and {} are both after step {} of {}; give fewer points, or a larger budget",
             points.unit, plain_number(points.amounts[i - 1]), text, step, price.steps);
    found.push_back(step);
  }
  return found;
}

void check_measuring_steps(const Experiment& experiment, const std::vector<Price>& prices,
                           Faults& faults) {
  for (const PlannedProbe& probe : experiment.probes)
    for (std::size_t arm = 0; arm < prices.size(); ++arm) try {
        measuring_steps(probe.on_the_way, prices[arm]);
      } catch (const std::invalid_argument& error) {
        faults.add(experiment.sources->value_at(probe.entry + "/at"),
                   fmt::format("probe '{}', arm '{}': {}", probe_name(probe.section),
                               experiment.arms[arm].name, error.what()));
        break;  // the other arms are as a rule the same
      }
}

std::vector<std::string> misfits_of(const Catalog& catalog, const Experiment& experiment,
                                    const Prepared& prepared, Faults& faults) {
  const std::filesystem::path cache = prepared.corpus_file.parent_path();
  std::vector<std::string> sentences;
  for (const PlannedProbe& probe : prepared.probes) {
    if (probe.spec->misfits == nullptr) continue;
    const std::string name = "probes." + probe_name(probe.section);
    std::map<std::string, std::vector<std::string>> arms;  // by sentence
    const auto refuse = [&](const std::string& why) {
      faults.add(experiment.sources->value_at(probe.entry), fmt::format("{}: {}", name, why));
    };
    for_each_probed(catalog, experiment, [&](const ResolvedArm& arm, const ProbedArm& probed) {
      try {
        const Misfits found = probe.spec->misfits(probe.section, probe.params, probed, cache);
        for (const std::string& sentence : found.sentences) arms[sentence].push_back(arm.name);
        if (std::ranges::count(found.absent, experiment.analysis.primary) > 0)
          refuse(fmt::format("arm '{}' gets no {}, the primary metric: {}", arm.name,
                             experiment.analysis.primary, fmt::join(found.sentences, "; ")));
      } catch (const std::invalid_argument& error) {
        refuse(fmt::format("arm '{}': {}", arm.name, error.what()));
      }
    });
    for (const auto& [sentence, of] : arms)
      sentences.push_back(
          of.size() == experiment.arms.size()
              ? fmt::format("{}: {}", name, sentence)
              : fmt::format("{}, arms {}: {}", name, fmt::join(of, ", "), sentence));
  }
  return sentences;
}

void add_measuring_costs(const Catalog& catalog, const Experiment& experiment,
                         std::vector<Price>& prices) {
  std::size_t arm = 0;
  for_each_probed(catalog, experiment, [&](const ResolvedArm&, const ProbedArm& probed) {
    Price& price = prices[arm++];
    for (const PlannedProbe& probe : experiment.probes) {
      if (probe.spec->tokens == nullptr) continue;
      const auto times = 1 + measuring_steps(probe.on_the_way, price).size();
      price.flops_by_probe[probe_name(probe.section)] +=
          2 * static_cast<double>(price.parameters.active()) *
          probe.spec->tokens(probe.params, probed) * static_cast<double>(times);
    }
  });
}

}  // namespace ablate::plan
