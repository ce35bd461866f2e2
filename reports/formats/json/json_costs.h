// What was spent, for programs.

#pragma once

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The mean ledger of an arm's completed trials, flat, by dotted names: {"flops", "steps",
/// "targets", "text_tokens", "seconds", ...}. Empty where none completed.
Json ledger_json(const ArmResult& arm);

/// {"tokens_per_second", "flops_per_second"} of training, means over completed trials; null where
/// no ledger says.
Json speed_json(const ArmResult& arm);

/// How arms rank when a budget is held equal (reports/analysis/budgets/rankings.h):
///   {"rankings": [{"held_equal", "budget", "unit", "ranks": [{"name", "mean", "ci", "n"}]}],
///    "flips": [{"ahead", "behind", "at": [{"held_equal", "difference", "ci"}] of both, "resolved"}],
///    "dominated": {ARM: [the arms that dominate it]}}
Json budgets_json(const Analysis& analysis);

}  // namespace ablate::reports
