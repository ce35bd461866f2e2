#include "reports/claims/claim.h"

#include <fmt/core.h>

#include "harness/base/number_text.h"

namespace ablate::reports {
namespace {

/// What the arm is compared with, as tables show it.
std::string compared_with(const Claim& claim) {
  if (claim.amount) return plain_number(*claim.amount);
  return claim.other_metric.empty() ? claim.baseline : claim.other_metric;
}

}  // namespace

std::string_view name_of(Expectation expectation) {
  constexpr std::array<std::string_view, kExpectations.size()> kNames = {
      "higher", "lower", "equal", "rising", "falling", "inner_maximum", "inner_minimum"};
  return kNames[static_cast<std::size_t>(expectation)];
}

std::string comparison_text(const Claim& claim) {
  if (claim.expected == Expectation::equal)
    return fmt::format("{}: {} = {} ± {}", claim.metric, claim.arm, compared_with(claim),
                       plain_number(claim.margin));
  if (compares_arms(claim.expected))
    return fmt::format("{}: {} {} {}", claim.metric, claim.arm,
                       claim.expected == Expectation::higher ? "above" : "below",
                       compared_with(claim));
  std::string expected(name_of(claim.expected));
  if (const std::size_t gap = expected.find('_'); gap != expected.npos) expected[gap] = ' ';
  return fmt::format("{}: {}{}{}, {} along {}", claim.metric, claim.family,
                     claim.minus.empty() ? "" : " - ", claim.minus, expected, claim.along);
}

}  // namespace ablate::reports
