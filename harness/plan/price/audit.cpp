// Compares the prices of arms, and checks starting weights and held-out parts.

#include "harness/plan/price/audit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ablate::plan {
namespace {

double count_of(const Price& price, const std::string& unit) {
  if (unit == "parameters") return static_cast<double>(price.parameters.total);
  if (unit == "active_parameters") return static_cast<double>(price.parameters.active());
  if (unit == "tokens") return price.text_tokens;
  if (unit == "positions") return price.text_positions;
  if (unit == "targets") return price.targets;
  if (unit == "flops") return price.flops();
  if (unit == "seconds") return price.seconds;
  if (unit == "state") return static_cast<double>(price.state_bytes);
  return static_cast<double>(price.steps);
}

/// What to do if arms differ in a count. `given`: the file names the counts itself.
std::string remedy(const std::string& unit, bool given) {
  const std::string other = given ? fmt::format("drop \"{}\" from match.on", unit)
                                  : "name what they agree in, such as \"match\": {\"on\": "
                                    "[\"steps\"]}, or {\"on\": []} for nothing: "
                                    "without \"match\" it is parameters and tokens";
  if (unit == "parameters")
    return "set sizes (model.width, model.depth) that agree, raise match.tolerance, or " + other;
  if (unit == "active_parameters")
    return "set sizes (model.width, model.depth, model.feed_forward) that agree, raise "
           "match.tolerance, or " +
           other;
  if (unit == "state")
    return "set what is kept of a row at inference (model.state_size, model.window, model.width, "
           "model.layers, or model.context of attention) so that it agrees, raise match.tolerance, "
           "or " +
           other;
  return fmt::format(
      "give every arm the same budget in {} (\"train\": {{\"budget\": {{\"{}\": ...}}}}), raise "
      "match.tolerance, or {}",
      unit, unit, other);
}

}  // namespace

std::vector<store::MatchedCount> audit_match(const Experiment& experiment,
                                             const std::vector<Price>& prices, Faults& faults) {
  std::vector<store::MatchedCount> audit;
  const auto& [units, tolerance, section] = experiment.match;
  const bool given = find_pointer(experiment.sources->merged(), "/match/on") != nullptr;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::string& unit = units[i];
    const auto less = [&](const Price& a, const Price& b) {
      return count_of(a, unit) < count_of(b, unit);
    };
    const auto [low, high] = std::minmax_element(prices.begin(), prices.end(), less);
    const double maximum = count_of(*high, unit), minimum = count_of(*low, unit);
    const double spread = maximum > 0 ? (maximum - minimum) / maximum : 0;
    audit.push_back({unit, minimum, maximum, spread, tolerance});
    const Place place = experiment.sources->value_at(fmt::format("/match/on/{}", i));
    if (maximum <= 0 && experiment.arms.size() > 1 && unit == "state")
      faults.add(place, "arms cannot be matched on state: their models read whole texts again",
                 "drop \"state\" from match.on");
    else if (maximum <= 0 && experiment.arms.size() > 1)
      faults.add(
          place,
          fmt::format("arms cannot be matched on {}: their budget does not determine it", unit),
          prices.front().seconds > 0
              ? "match the seconds that are given, \"match\": {\"on\": [\"parameters\", "
                "\"seconds\"]}, or give every arm a budget in another unit"
              : remedy(unit, given));
    if (spread <= tolerance) continue;
    std::string table;
    for (std::size_t arm = 0; arm < std::min<std::size_t>(prices.size(), 24); ++arm)
      table += fmt::format("\n        {:g}  {}", std::round(count_of(prices[arm], unit)),
                           experiment.arms[arm].name);
    if (prices.size() > 24) table += fmt::format("\n        ... {} more arms", prices.size() - 24);
    faults.add(place,
               fmt::format("arms differ in {} by {:g} %; match.tolerance is {:g} %", unit,
                           std::round(1000 * spread) / 10, 100 * tolerance),
               remedy(unit, given) + table);
  }
  return audit;
}

void check_starts(const Experiment& experiment, const Prepared& prepared,
                  const std::vector<Price>& prices, Faults& faults) {
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const Start& start = prepared.starts[i];
    const std::int64_t ours = prices[i].parameters.total;
    if (start.hash.empty() || start.parameters == ours) continue;
    faults.add(place_in_arm(*experiment.sources, experiment.arms[i], "/train/start"),
               fmt::format("arm '{}': train.start holds {} parameters and the arm's model has {}: "
                           "it was built for other heads, or rows of another length",
                           experiment.arms[i].name, start.parameters, ours),
               "choose weights of a trial with the same heads and the same maximum row length");
  }
}

void check_held_out(const Experiment& experiment, const Prepared& prepared, Faults& faults) {
  const auto reads = [](const PlannedProbe& probe) { return probe.spec->reads_held_out; };
  if (std::none_of(experiment.probes.begin(), experiment.probes.end(), reads)) return;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i)
    for (const PreparedPhase& phase : prepared.phases[i]) {
      const std::int64_t tokens = std::ssize(phase.members[0].corpus.held_out().tokens);
      const bool padded = phase.packing == data::Packing::padded;
      const std::int64_t needed = padded ? 1 : phase.context;
      if (tokens >= needed) continue;
      const std::string which = phase.name.empty() ? "" : fmt::format("phase '{}': ", phase.name);
      faults.add(place_in_arm(*experiment.sources, experiment.arms[i], "/train"),
                 fmt::format("arm '{}': {}the held-out part has {} tokens and a text needs {}",
                             experiment.arms[i].name, which, tokens, needed),
                 "hold out more text, or take a shorter context");
    }
}

}  // namespace ablate::plan
