// Facts of a record: the scalars of any JSON object, by their paths.

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Scalars by their dotted paths, in order.
using Facts = std::map<std::string, Json>;

/// The scalars of a JSON object, to a depth of four levels, without lists and histograms.
Facts facts_of(const Json& json);

/// Combines the facts of several trials: the mean of numbers, the first of other values.
Facts mean_facts(const std::vector<Facts>& trials);

/// The ledgers of an arm's completed trials.
std::vector<Json> completed_ledgers(const ArmResult& arm);

/// Gives arms without experts the number of parameters that read a position, which is that of all at
/// inference, where another arm has one. `arms`: the facts of the ledger of each.
void complete_active_parameters(std::span<Facts* const> arms);

/// The different values of a fact that trials recorded, such as "commit", in the order of trials.
std::vector<std::string> recorded(const Analysis& analysis, const std::string& fact);

/// A path in words: "parameters at inference" for "parameters_at_inference".
std::string words(std::string path);

/// A fact as a table shows it: text unchanged, numbers with four digits, large ones with a prefix.
std::string fact_text(const Json& value);

}  // namespace ablate::reports
