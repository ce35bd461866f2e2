// Facts of a record, whatever it holds: the scalars of a JSON object by their paths.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Scalars by their dotted paths, in order.
using Facts = std::map<std::string, Json>;

/// The scalars of a JSON object, four levels deep; lists and histograms are left out.
Facts facts_of(const Json& json);

/// The facts of several trials as one: the mean of those that are numbers, the first of the others.
Facts mean_facts(const std::vector<Facts>& trials);

/// The ledgers of an arm's completed trials.
std::vector<Json> completed_ledgers(const ArmResult& arm);

/// A path in words: "parameters_at_inference" is "parameters at inference".
std::string words(std::string path);

/// A fact as a table shows it: text as it is, numbers in four digits, large ones with a prefix.
std::string fact_text(const Json& value);

}  // namespace ablate::reports
