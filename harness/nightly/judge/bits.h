// The bits of a trial: what the same program makes alike on the same machine.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "harness/store/index/records.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::nightly {

/// The metrics of an arm that a clock measured, which no two runs give alike, by its plan.
std::set<std::string> timed_metrics(const store::StoredPlan& plan, const std::string& arm);

/// Whether two numbers are the same bits; NaN is equal to itself.
bool same_bits(double a, double b);

/// The outcome, the curve and all metrics but those named in `timed`, as text: equal where every bit
/// is.
std::string bits_text(const store::TrialRecord& trial, const std::set<std::string>& timed);

/// A short name of a text, of 12 hexadecimal digits.
std::string digest_of(std::string_view text);

}  // namespace ablate::nightly
