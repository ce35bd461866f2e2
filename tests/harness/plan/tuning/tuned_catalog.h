// The small catalogue with a probe that can choose a learning rate, and an experiment that tunes.

#pragma once

#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan::testing_support {

/// The small catalogue, where the probe "loss" reads the held-out part of the corpus.
inline const Catalog& tuned_catalog() {
  static const std::vector<ProbeSpec> probes = [] {
    std::vector<ProbeSpec> all(small_catalog().probes.begin(), small_catalog().probes.end());
    all.front().reads_held_out = true;
    return all;
  }();
  static const Catalog catalog = [] {
    Catalog changed = small_catalog();
    changed.probes = probes;
    return changed;
  }();
  return catalog;
}

/// Three arms that try three rates with two seeds.
inline Json tuned_experiment() {
  Json experiment = small_experiment();
  experiment["tuning"] = {{"learning_rate", {1e-2, 1e-3, 3e-3}}, {"criterion", "loss.own"}};
  return experiment;
}

/// What tuning has found for an experiment, if each arm does best at its rate of `rates`.
inline Tuned tuned_at(const std::vector<std::pair<std::string, double>>& rates, double common) {
  Tuned tuned{.criterion = {{"name", "loss.own"}},
              .rates = {1e-3, 3e-3, 1e-2},
              .seeds = {1000001, 1000002},
              .common = common};
  for (const auto& [arm, rate] : rates)
    tuned.arms.push_back({.arm = arm,
                          .tried = {{rate, {2.0, 2.1}}},
                          .choice = RateChoice{.rate = rate, .best = rate},
                          .trials = 6,
                          .flops = 1e9});
  return tuned;
}

}  // namespace ablate::plan::testing_support
