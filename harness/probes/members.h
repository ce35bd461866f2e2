// The list of probes, and what their specs have in common. Without LibTorch.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/contract/probe.h"

namespace ablate::probes {

// Every probe, in alphabetical order. To add one: write NAME/NAME_spec.cpp, which defines
// NAME_spec() without LibTorch, and NAME/NAME.cpp, which defines measure_NAME(), and add X(NAME).
#define ABLATE_PROBES(X)  \
  X(answers)              \
  X(belief)               \
  X(bounds)               \
  X(classification)       \
  X(cloze)                \
  X(compression)          \
  X(fine_tuning)          \
  X(forgetting)           \
  X(generation)           \
  X(held_out)             \
  X(hidden_state)         \
  X(infilling)            \
  X(minimal_pairs)        \
  X(prompting)            \
  X(prompts)              \
  X(ratings)              \
  X(reading_times)        \
  X(representation)       \
  X(routing)              \
  X(seq2seq)              \
  X(speculative_decoding) \
  X(tagging)              \
  X(text_quality)         \
  X(verbatim)             \
  X(zero_shot)

// Declares NAME_spec() for every probe.
#define ABLATE_DECLARE(name) ProbeSpec name##_spec();
ABLATE_PROBES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

/// The setting "name" of a probe that an experiment may list several times: what the probe's metrics
/// are named after.
Param name_param();

/// How many tokens a model reads in the time that linear models of its layers take for one more item
/// that they are fitted to, on models of width 64; see ProbeSpec::tokens.
inline constexpr double kTokensOfFit = 8;

/// The same of ridge regressions of vectors; see ridge.h.
inline constexpr double kTokensOfRidge = 6;

/// Why the name in the settings cannot be one; empty if it can, or if there is none.
std::string name_refusal(const Params& params);

/// The part of metric names before the dot: the name in the settings, or else `without`.
std::string subject_of(const Params& params, std::string_view without);

/// Adds a metric to a list, and returns it there, for more to be said of it.
inline Metric& added(std::vector<Metric>& list, Metric metric) {
  list.push_back(std::move(metric));
  return list.back();
}

/// A bound that the metric has on some arms alone.
inline std::optional<Bound> only_if(bool has, Bound bound) {
  return has ? std::optional(std::move(bound)) : std::nullopt;
}

/// Why a probe of the built-in language's hidden states cannot measure an arm that has none; empty if it
/// can. `probe`: its name.
std::string without_states_refusal(const ProbedArm& arm, std::string_view probe);

/// Whether the optimum of the objective's loss, or a bound of it, is known at these parameters.
bool has_optimum(const ObjectiveSpec& objective, const Params& params);

/// Where the optimum is only a lower bound, adds a caveat that says so to the metrics computed from
/// it. Of the metrics from index `first` on, those are PROBE.optimum..., PROBE.excess... (except
/// excess_error) and PROBE.share_learned.
void add_caveats(std::vector<Metric>& metrics, std::size_t first, const ObjectiveSpec& objective,
                 const Params& params);

}  // namespace ablate::probes
