#include "harness/nightly/judge/finding.h"

#include <algorithm>

#include "harness/base/exit_code.h"

namespace ablate::nightly {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::exact:
      return "exact";
    case Kind::quality:
      return "quality";
    case Kind::speed:
      break;
  }
  return "speed";
}

Kind kind_named(std::string_view name) {
  for (const Kind kind : {Kind::exact, Kind::quality, Kind::speed})
    if (name_of(kind) == name) return kind;
  throw Json::other_error::create(501, "no kind of series is named so", nullptr);
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::changed:
      return "changed";
    case Verdict::improvement:
      return "improvement";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::no_data:
      return "no data";
    case Verdict::regression:
      break;
  }
  return "regression";
}

Json json_of(const Finding& finding) {
  return {{"series", finding.series},
          {"kind", name_of(finding.kind)},
          {"verdict", name_of(finding.verdict)},
          {"reason", finding.reason},
          {"numbers", finding.numbers}};
}

Verdict overall(const std::vector<Finding>& findings) {
  if (findings.empty()) return Verdict::no_data;
  const auto any = [&](Verdict verdict) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& each) { return each.verdict == verdict; });
  };
  for (const Verdict verdict : {Verdict::regression, Verdict::no_data, Verdict::inconclusive})
    if (any(verdict)) return verdict;
  return Verdict::pass;
}

int exit_code_of(Verdict verdict) {
  if (verdict == Verdict::regression) return exit_regression;
  if (verdict == Verdict::no_data || verdict == Verdict::inconclusive) return exit_inconclusive;
  return exit_ok;
}

}  // namespace ablate::nightly
