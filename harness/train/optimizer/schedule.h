// The learning rate over a budget: a pure function of the fraction that is spent.

#pragma once

#include "harness/contract/params.h"

namespace ablate::train {

/// The shape of the schedule after warm-up.
enum class Decay { constant, cosine, linear, warmup_stable_decay };

/// Warm-up from 0 to the peak, then constant or decaying. Source of cosine: Loshchilov & Hutter
/// 2017, arXiv:1608.03983, section 3; of warmup_stable_decay: Hu et al. 2024, arXiv:2404.06395,
/// section 4.
struct Schedule {
  double peak = 0;  // learning rate
  Decay shape = Decay::constant;
  double warmup = 0;      // fraction of the budget
  double decay = 0;       // fraction of the budget; warmup_stable_decay only
  double final_rate = 0;  // fraction of the peak

  /// The learning rate at `progress`, the fraction of the budget that is spent, in [0, 1]. Never
  /// above the peak.
  double learning_rate(double progress) const;
};

/// The schedule of a resolved "train" section. Throws std::invalid_argument where warm-up and decay
/// together exceed the budget.
Schedule schedule_of(const Params& train);

}  // namespace ablate::train
