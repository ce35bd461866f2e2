#include "reports/analysis/answer/size_statements.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>

#include "reports/analysis/facts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr double kSimilar = 1.25;    // a larger quotient of sizes is worth a sentence
constexpr std::size_t kMaxArms = 3;  // whose sizes a sentence can hold
constexpr const char* kParameters = "parameters_at_inference";
constexpr const char* kActive = "active_parameters";  // of a model with experts

/// The parameters that an arm's trials predict with; empty where no completed trial tells.
std::optional<double> size_of(const ArmResult& arm) {
  for (const Json& ledger : completed_ledgers(arm))
    for (const char* const key : {kActive, kParameters})
      if (const auto found = ledger.find(key); found != ledger.end() && found->is_number())
        return found->get<double>();  // the same in all trials of an arm
  return std::nullopt;
}

/// An arm of another size.
struct Sized {
  const ArmResult* arm = nullptr;
  double parameters = 0;
};

std::string text_of(const std::vector<Sized>& arms, const Sized& baseline) {
  const auto [least, most] = std::ranges::minmax(arms, {}, &Sized::parameters);
  if (arms.size() > kMaxArms)
    return fmt::format(
        "{} arms predict with a different number of parameters than {}, {}: {} ({}) to {} ({}).",
        arms.size(), baseline.arm->label, amount(baseline.parameters), amount(least.parameters),
        least.arm->label, amount(most.parameters), most.arm->label);
  std::vector<std::string> phrases;
  phrases.reserve(arms.size());
  for (const Sized& each : arms)
    phrases.push_back(
        fmt::format("{} predicts with {} parameters", each.arm->label, amount(each.parameters)));
  return fmt::format("{}, {} with {}.", fmt::join(phrases, ", "), baseline.arm->label,
                     amount(baseline.parameters));
}

}  // namespace

std::vector<Statement> size_statements(const Analysis& analysis) {
  const ArmResult* const reference = analysis.baseline();
  if (reference == nullptr) return {};
  const std::optional<double> usual = size_of(*reference);
  if (!usual) return {};
  std::vector<Sized> others;
  for (const ArmResult& arm : analysis.arms) {
    const std::optional<double> size = size_of(arm);
    if (size && std::max(*size, *usual) > kSimilar * std::min(*size, *usual))
      others.push_back({&arm, *size});
  }
  if (others.empty()) return {};
  const Sized baseline{reference, *usual};
  Query query;
  std::vector<Sized> named = {baseline};
  named.insert(named.end(), others.begin(), others.end());
  for (const Sized& each : named) {
    query.arms.push_back(each.arm->name);
    query.origins.push_back(
        {each.arm->label, path_to({"ledger", each.arm->name, kParameters}), each.arm->anchor});
  }
  query.sql = fmt::format(
      "SELECT arm, seed, json_extract(ledger, '$.{}') FROM trial ORDER BY arm, seed", kParameters);
  return {{text_of(others, baseline), std::move(query)}};
}

}  // namespace ablate::reports
