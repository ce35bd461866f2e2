// Groups trials by shape and by targets per step.

#include "harness/plan/price/banks.h"

#include <algorithm>

#include "harness/plan/resolve/pair.h"

namespace ablate::plan {

std::string shape_of(const ResolvedArm& arm, const Price& price) {
  Json train = arm.train;
  for (const char* free : {"learning_rate", "budget", "packing", "phases"}) train.erase(free);
  const RowShape& row = price.rates.shape;
  Json shape = {arm.model, train, price.steps, {row.time, row.source_time}, built_for(price.needs)};
  if (!arm.has_phases()) return canonical(shape);
  for (const PhasePrice& phase : price.phases) {
    const RowShape& own = phase.rates.shape;
    shape.push_back({phase.steps, own.time, own.source_time});
  }
  return canonical(shape);
}

std::vector<Bank> group(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of,
                        const std::vector<ResolvedArm>& arms, const std::vector<Price>& prices) {
  constexpr double kMaxPadding = 1.25;
  struct Group {
    std::string shape;
    double targets;
    std::size_t bank;
  };
  std::vector<std::string> shapes;
  for (std::size_t i = 0; i < arms.size(); ++i) shapes.push_back(shape_of(arms[i], prices[i]));
  std::vector<Group> groups;
  std::vector<Bank> banks;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const double targets = prices[arm_of[i]].rates.targets;
    const std::string& shape = shapes[arm_of[i]];
    const auto hosts = [&](const Group& other) {
      return other.shape == shape && targets <= kMaxPadding * other.targets &&
             other.targets <= kMaxPadding * targets;
    };
    const auto host = std::find_if(groups.begin(), groups.end(), hosts);
    if (host != groups.end()) {
      banks[host->bank].push_back(trials[i].id);
      continue;
    }
    if (prices[arm_of[i]].steps > 0) groups.push_back({shape, targets, banks.size()});
    banks.push_back({trials[i].id});
  }
  return banks;
}

}  // namespace ablate::plan
