// A phase is a stretch of training with its own corpora, objective, budget and schedule.
//
// A trial is a list of phases. If the arm names none, the list has one phase, which is described by
// the section "train". Weights and the moments of the optimizer carry over from phase to phase,
// while the learning rate, data order and noise start again.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// A corpus that a phase draws from.
struct PhaseMember {
  Json corpus;          // a section, or "main"
  double fraction = 1;  // of the phase's texts
};

/// Sets `json` to {"corpus", "share": the fraction}.
void to_json(Json& json, const PhaseMember& member);

/// Reads what to_json() wrote. Throws Json::exception if it has another form.
void from_json(const Json& json, PhaseMember& member);

/// What a stretch of training may spend.
struct Budget {
  std::string unit;   // such as "tokens"; empty: there is none
  double amount = 0;  // in this unit

  double seconds() const { return unit == "seconds" ? amount : 0; }  // 0: another unit
};

/// The budget of a section "train". Requires: it has at most one.
Budget budget_of(const Json& train);

/// A phase, with its sections as JSON.
struct Phase {
  std::string name;                  // empty if the arm has no named phases
  Json objective;                    // {"type", ...}
  Json train;                        // its settings of training, including "budget"
  std::int64_t context = 0;          // tokens in a text
  std::vector<PhaseMember> members;  // the first is its own
  std::int64_t steps = 0;            // as planned; 0: not known
  RowShape shape;                    // positions of a row
};

/// Raised when the numbers of trials with named phases change; part of their ids.
constexpr int kPhaseVersion = 1;

/// The settings of "train" that a phase may override.
constexpr std::string_view kPhaseSettings[] = {"budget", "learning_rate", "schedule",
                                               "warmup", "decay",         "final_rate"};

/// A trial's own objective on its own corpus. It is the only phase of a trial without named phases,
/// and every trial is measured by it. It has no budget if the trial has named phases.
Phase own_phase(const Json& train, const Json& objective, std::int64_t context, const Json& corpus);

/// The phases of resolved sections; at least one. `corpus`: what the only phase of an arm without
/// named phases reads.
std::vector<Phase> phases_of(const Json& train, const Json& objective, std::int64_t context,
                             const Json& corpus);

/// The phases of a trial, with their planned steps and row shapes. Throws std::invalid_argument if
/// the trial does not state them for every phase.
std::vector<Phase> phases_of(const Trial& trial);

/// The seed of a phase's data order and noise. For the first phase it is the trial's seed, so that
/// this phase equals a trial without phases.
std::uint64_t seed_of_phase(std::int64_t seed, std::size_t phase);

/// The training FLOPs per position and per target of a phase with texts of `context` tokens.
FlopCount flops_of_phase(const BackboneSpec& backbone, const Params& model, const Hosting& hosting,
                         std::int64_t context);

}  // namespace ablate::plan
