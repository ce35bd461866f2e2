#include "harness/nightly/judge/speed.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/statistics/unpaired/rank_test.h"

namespace ablate::nightly {
namespace {

bool usable(std::span<const double> seconds) { return all_positive(seconds); }

// What a change of the log ratio is: none, slower or faster.
Verdict verdict_of(double log_ratio, double difference, double p, const SpeedRule& rule) {
  const bool large = std::abs(log_ratio) > std::max(rule.least, rule.usual) &&
                     std::abs(difference) > rule.floor_seconds;
  if (p >= rule.p || !large) return Verdict::pass;
  return log_ratio > 0 ? Verdict::regression : Verdict::improvement;
}

}  // namespace

bool all_positive(std::span<const double> values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](double each) {
    return std::isfinite(each) && each > 0;
  });
}

double quantile_of(std::span<const double> values, double share) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median_of(std::span<const double> values) { return quantile_of(values, 0.5); }

Finding judge_speed(const std::string& series, std::span<const double> baseline,
                    std::span<const double> now, const SpeedRule& rule) {
  Finding finding{.series = series, .kind = Kind::speed};
  if (!usable(baseline) || !usable(now)) {
    finding.reason = now.empty()        ? "was not measured tonight"
                     : baseline.empty() ? "the baseline's program does not measure it"
                                        : "has times that are no positive numbers of seconds";
    return finding;
  }
  const double before = median_of(baseline), after = median_of(now);
  const double p = statistics::mann_whitney_p(baseline, now);
  finding.numbers = {{"ratio", after / before},
                     {"p", p},
                     {"baseline", before},
                     {"now", after},
                     {"repetitions", std::min(baseline.size(), now.size())}};
  const double least_p = statistics::least_mann_whitney_p(baseline.size(), now.size());
  if (least_p >= rule.p) {
    finding.verdict = Verdict::inconclusive;
    finding.reason = fmt::format(
        "{} and {} repetitions can never show a difference (p {:.3g} at best, {} is asked for)",
        baseline.size(), now.size(), least_p, rule.p);
    return finding;
  }
  finding.verdict = verdict_of(std::log(after / before), after - before, p, rule);
  finding.reason = fmt::format("{:.3f} times the baseline's time (p {:.2g})", after / before, p);
  return finding;
}

Finding confirmed(Finding first, const Finding* second) {
  if (first.verdict != Verdict::regression && first.verdict != Verdict::improvement) return first;
  if (second == nullptr) {
    first.verdict = Verdict::inconclusive;
    first.reason += "; was not measured a second time";
    return first;
  }
  if (second->verdict == Verdict::no_data || second->verdict == Verdict::inconclusive) {
    first.verdict = Verdict::inconclusive;
    first.reason += "; a second measurement: " + second->reason;
    return first;
  }
  first.numbers["confirmation"] = second->numbers;
  if (first.verdict == second->verdict) {
    first.reason += "; a second measurement: " + second->reason;
  } else {
    first.verdict = Verdict::pass;
    first.reason += "; not confirmed by a second measurement: " + second->reason;
  }
  return first;
}

double usual_log_ratio(std::span<const double> log_ratios) {
  if (log_ratios.empty()) return 0;
  std::vector<double> sizes;
  for (const double each : log_ratios) sizes.push_back(std::abs(each));
  const double third = quantile_of(sizes, 0.75);
  return third + 3 * (third - quantile_of(sizes, 0.25));
}

}  // namespace ablate::nightly
