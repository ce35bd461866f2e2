// Records of arms that sweep over the budget of training.

#pragma once

#include <fmt/core.h>

#include <iterator>
#include <string>
#include <vector>

#include "tests/reports/records.h"

namespace ablate::reports {

inline constexpr double kSweptTokens[] = {1e5, 2e5, 4e5, 8e5};

/// An entry that sweeps over tokens: its excess at so many tokens, and its FLOPs for each.
struct SweptEntry {
  std::string name;
  double excess_at_start = 0;
  double gain = 0;  // by which each doubling lowers it
  double flops_per_token = 0;
};

/// Seeds differ alike in all arms; `noise` differs between them.
inline store::Records sweep_of(const std::vector<SweptEntry>& entries, double noise = .001) {
  store::Records records = small_records();
  records.plan["arms"] = Json::array();
  records.plan["metrics"] = Json::object();
  records.trials.clear();
  for (const SweptEntry& entry : entries)
    for (std::size_t i = 0; i < std::size(kSweptTokens); ++i) {
      const std::string name = fmt::format("{}[tokens={}]", entry.name, kSweptTokens[i]);
      Json arm = plan_arm(name, records.trials.empty(), "masked_lm", 0.15);
      arm["config"]["train"] = {{"budget", {{"tokens", kSweptTokens[i]}}}};
      records.plan["arms"].push_back(arm);
      records.plan["metrics"][name] = small_metrics();
      for (std::int64_t seed = 1; seed <= 6; ++seed) {
        const auto spread = static_cast<std::size_t>(seed) * (entry.name.size() + i);
        const double apart = noise * static_cast<double>(spread % 5);
        store::TrialRecord& trial = records.trials.emplace_back(
            small_trial(name, seed,
                        entry.excess_at_start - entry.gain * static_cast<double>(i) + apart +
                            .01 * static_cast<double>(seed)));
        trial.ledger = {{"text_tokens", kSweptTokens[i]},
                        {"targets", kSweptTokens[i]},
                        {"flops", kSweptTokens[i] * entry.flops_per_token},
                        {"seconds", 10. + static_cast<double>(seed)}};
      }
    }
  return records;
}

/// At the same tokens "dear" is ahead by .05; at the same FLOPs, of which it needs four times as
/// many, it has two doublings less and is behind by .15.
inline store::Records flipping() {
  return sweep_of({{"cheap", .9, .1, 1e6}, {"dear", .85, .1, 4e6}});
}

}  // namespace ablate::reports
