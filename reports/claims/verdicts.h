// Judges claims by what results folders hold.

#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/claims/claim.h"
#include "reports/claims/evidence.h"

namespace ablate::reports {

/// What the stores say about a claim.
enum class ClaimVerdict {
  reproduced,    // significant, as claimed
  contradicted,  // significant, the other way, at this scale
  not_resolved,  // neither
  not_run,       // no store has the trials
};

/// All verdicts, in the order in which they are counted.
inline constexpr std::array kClaimVerdicts = {ClaimVerdict::reproduced, ClaimVerdict::contradicted,
                                              ClaimVerdict::not_resolved, ClaimVerdict::not_run};

/// "reproduced", "contradicted at this scale", "not resolved" or "not run".
std::string_view text_of(ClaimVerdict verdict);

/// A results folder with its analysis.
struct ClaimStore {
  std::string folder;
  const Analysis* analysis = nullptr;
};

/// A claim with its verdict on one store, or `not_run` where no store has its trials.
struct JudgedClaim {
  const Claim* claim = nullptr;
  ClaimVerdict verdict = ClaimVerdict::not_run;
  std::string folder;  // empty where no store is of the claim's experiment
  std::string unit;    // of the metric; empty where no store has it
  std::string scale;   // of the store's trials: seeds, tokens, parameters; may be empty
  Evidence evidence;
  std::optional<double> p_adjusted;  // over all claims about the experiment; where measured
  std::string power = {};  // where it is not resolved: what would resolve it; may be empty
  std::string command;     // what would run it; empty unless not run
};

/// The claims that repeat others on text, or those that do not, in order.
std::vector<JudgedClaim> claims_on_text(const std::vector<JudgedClaim>& judged, bool on_text);

/// Judges every claim, in its order: on each store of its experiment that has its trials, and else
/// once as not run. A verdict needs, as in a
/// report, an interval that excludes 0 and an adjusted p below the alpha that the experiment declared: by
/// Holm's method, over all claims of the set about the experiment, whether they were run or not.
/// `experiments`: the folder of the experiment files, for commands. The result points into `set`.
std::vector<JudgedClaim> judge_claims(const ClaimSet& set, std::span<const ClaimStore> stores,
                                      const std::string& experiments);

}  // namespace ablate::reports
