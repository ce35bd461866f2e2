// A stretch of training with corpora, objective, budget and schedule of its own.
//
// A trial is a list of phases; one whose arm names none is a list of one, which is what its "train"
// section says. Weights and the optimizer's moments go on from phase to phase, learning rate, data
// order and noise begin anew.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/plan/trial/trial.h"

namespace ablate::plan {

struct Phase {
  std::string name;          // empty where the arm names no phases
  Json objective;            // {"type", ...}
  Json train;                // the settings of training that hold in it, its "budget" among them
  std::int64_t context = 0;  // tokens in a text
  Json members;              // [{"corpus", "share"}], drawn from by share; the first is its own
  std::int64_t steps = 0;    // as the plan counted them; 0: it did not
  RowShape shape;            // positions of a row
};

/// Raised when the numbers of trials that have phases change; part of their ids.
constexpr int kPhaseVersion = 1;

/// The settings that a phase may give in place of those of "train".
constexpr std::string_view kPhaseSettings[] = {"budget", "learning_rate", "schedule",
                                               "warmup", "decay",         "final_rate"};

/// A trial's own objective on its own corpus: the only phase of a trial that names none, and what
/// every trial is measured by. Of one that names phases, it has no budget.
Phase own_phase(const Json& train, const Json& objective, std::int64_t context, const Json& corpus);

/// The phases of resolved sections: at least one. `corpus` is what they read that name none.
std::vector<Phase> phases_of(const Json& train, const Json& objective, std::int64_t context,
                             const Json& corpus);

/// The phases of a trial, with the steps and rows that were planned.
std::vector<Phase> phases_of(const Trial& trial);

/// The seed of a phase's data order and noise: that of the trial in the first one, so that it is
/// what a trial without phases is.
std::uint64_t seed_of_phase(std::int64_t seed, std::size_t phase);

/// What a position and a target of a phase cost: rows are as long as its own texts.
FlopCount flops_of_phase(const BackboneSpec& backbone, const Params& model, const Hosting& hosting,
                         std::int64_t context);

}  // namespace ablate::plan
