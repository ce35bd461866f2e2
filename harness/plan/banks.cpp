#include "harness/plan/banks.h"

#include <algorithm>

namespace ablate {

namespace {

/// What of an objective's needs decides how a network is built.
Json built_for(const Needs& needs) {
  Json heads = Json::array();
  for (const HeadNeed& need : needs.heads)
    heads.push_back({static_cast<int>(need.head), need.ahead, need.coefficient});
  return {heads, static_cast<int>(needs.future), needs.shorten_trunk, needs.separate_inputs};
}

}  // namespace

std::string shape_of(const ResolvedArm& arm, const Price& price) {
  Json train = arm.train;
  for (const char* free : {"learning_rate", "budget", "packing"}) train.erase(free);
  const RowShape& row = price.rates.shape;
  return canonical(
      {arm.model, train, price.steps, {row.time, row.source_time}, built_for(price.needs)});
}

std::vector<Bank> group(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of,
                        const std::vector<ResolvedArm>& arms, const std::vector<Price>& prices) {
  constexpr double kMostPadding = 1.25;
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
      return other.shape == shape && targets <= kMostPadding * other.targets &&
             other.targets <= kMostPadding * targets;
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

}  // namespace ablate
