#include "reports/analysis/answer/limits.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "reports/analysis/facts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "116 k", or "29.9 k to 116 k" where the trials differ; empty where none recorded it.
std::string range_of(const Analysis& analysis, const char* fact) {
  std::vector<double> values;
  for (const ArmResult& arm : analysis.arms)
    for (const Json& ledger : completed_ledgers(arm))
      if (const auto found = ledger.find(fact); found != ledger.end() && found->is_number())
        values.push_back(found->get<double>());
  if (values.empty()) return {};
  const auto [least, most] = std::ranges::minmax(values);
  const std::string low = amount(least), high = amount(most);
  return low == high ? high : low + " to " + high;
}

std::string corpus_words(const store::StoredPlan& plan) {
  const store::Section corpus = plan.resolved.corpus;
  if (corpus == nullptr || !corpus->is_object() || !plan.folders.empty()) return "these texts";
  const Json kind = corpus->value("kind", Json());
  if (kind == "language") return "the built-in language";
  if (kind == "task") return "this task";
  return "this text";
}

}  // namespace

std::string limits(const Analysis& analysis) {
  const std::string sizes = range_of(analysis, "parameters"),
                    tokens = range_of(analysis, "text_tokens");
  if (sizes.empty() || tokens.empty()) return {};
  return fmt::format(
      "Not tested: other model sizes (here {} parameters), longer training (here {} tokens of "
      "text), anything but {}.",
      sizes, tokens, corpus_words(analysis.plan));
}

}  // namespace ablate::reports
