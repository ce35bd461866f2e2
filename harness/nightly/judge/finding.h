// What the gate finds out about one series.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::nightly {

/// How a series is compared with its baseline.
enum class Kind {
  exact,    // facts that only a change of the code changes: equality
  quality,  // metrics of trained models: paired non-inferiority
  speed,    // seconds: a rank test of repetitions that were measured in turns
};

/// The verdict on a series.
enum class Verdict {
  pass,
  changed,       // not the same as before, and nothing says that it is worse; to be looked at
  improvement,   // as sure as a regression, in the other direction
  inconclusive,  // too few or too noisy values to tell
  no_data,       // nothing to compare
  regression,
};

std::string_view name_of(Kind kind);        // that of its enumerator
std::string_view name_of(Verdict verdict);  // the same, with a blank for the underscore

/// The kind of a name. Throws Json::other_error for another name.
Kind kind_named(std::string_view name);

/// One series and its verdict.
struct Finding {
  std::string series;  // "quickstart/clm/held_out.excess"
  Kind kind = Kind::exact;
  Verdict verdict = Verdict::no_data;
  std::string reason;             // one sentence, for readers
  Json numbers = Json::object();  // what it rests on, by name
};

/// JSON of a finding: {"series", "kind", "verdict", "reason", "numbers"}.
Json json_of(const Finding& finding);

/// The worst verdict: regression, then no data, inconclusive, and everything else is a pass. None at
/// all is no data, which is never a pass.
Verdict overall(const std::vector<Finding>& findings);

/// The exit code of a verdict, see harness/base/exit_code.h.
int exit_code_of(Verdict verdict);

}  // namespace ablate::nightly
