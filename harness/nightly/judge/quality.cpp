#include "harness/nightly/judge/quality.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "harness/statistics/families/corrections.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/paired/non_inferiority.h"

namespace ablate::nightly {
namespace {

using boost::math::complement;

constexpr std::int64_t kMostSeeds = 1000;  // that a message asks for
constexpr double kPower = 0.985;           // of passing where nothing has changed
constexpr double kRounding = 1e-12;        // relative spread that only rounding makes

// One-sided p of "the mean of the values is not above `bound`".
double p_above(const std::vector<double>& values, double bound, double margin) {
  const auto n = static_cast<double>(values.size());
  const double lead = statistics::mean(values) - bound;
  const double error = statistics::deviation(values) / std::sqrt(n);
  if (error <= kRounding * margin) return lead > 0 ? std::exp2(-n) : 1;
  const boost::math::students_t_distribution<double> student(n - 1);
  return boost::math::cdf(complement(student, lead / error));
}

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

std::string with_sign(double value) { return fmt::format("{:+.4g}", value); }

// What would tell, as a clause.
std::string wanted_seeds(const QualitySeries& series, double alpha) {
  // No spread at all is far beyond what any power depends on.
  const double ratio = std::min(series.margin / statistics::deviation(series.worsening), 100.0);
  if (series.held > series.margin)
    return fmt::format("; so few seeds hold a margin of {:.4g} (calibrated)", series.held);
  for (auto seeds = static_cast<std::int64_t>(series.worsening.size()) + 1; seeds <= kMostSeeds;
       ++seeds)
    if (statistics::non_inferiority_power(seeds, alpha, ratio) >= kPower)
      return fmt::format("; {} seeds would tell", seeds);
  return "; the margin is too small for this noise";
}

}  // namespace

std::vector<Finding> judge_quality(const std::vector<QualitySeries>& all, double alpha) {
  std::vector<Finding> findings;
  std::vector<double> p_worse, p_better, p_fine;
  std::vector<std::size_t> tested;  // findings with enough seeds, in order
  for (const QualitySeries& each : all) {
    Finding& finding = findings.emplace_back();
    finding.series = each.series;
    finding.kind = Kind::quality;
    finding.numbers = each.values;
    if (each.worsening.size() < 2) {
      finding.reason = fmt::format("{} in common; two are needed",
                                   each.worsening.size() == 1 ? "1 seed" : "0 seeds");
      continue;
    }
    tested.push_back(findings.size() - 1);
    p_worse.push_back(p_above(each.worsening, each.margin, each.margin));
    p_better.push_back(p_above(negated(each.worsening), each.margin, each.margin));
    p_fine.push_back(statistics::non_inferiority_p(each.worsening, each.margin));
  }
  p_worse = statistics::holm(p_worse);
  p_better = statistics::holm(p_better);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    const QualitySeries& series = all[tested[i]];
    Finding& finding = findings[tested[i]];
    const double centre = statistics::mean(series.worsening);
    const statistics::Interval interval = *statistics::t_interval(series.worsening, 2 * alpha);
    finding.numbers.update({{"worsening", centre},
                            {"low", interval.low},
                            {"high", interval.high},
                            {"margin", series.margin},
                            {"seeds", series.worsening.size()}});
    finding.verdict = p_worse[i] < alpha    ? Verdict::regression
                      : p_better[i] < alpha ? Verdict::improvement
                      : p_fine[i] < alpha   ? Verdict::pass
                                            : Verdict::inconclusive;
    finding.reason = fmt::format("worse by {} ({} to {}), where {:.4g} matters", with_sign(centre),
                                 with_sign(interval.low), with_sign(interval.high), series.margin);
    if (finding.verdict == Verdict::inconclusive) finding.reason += wanted_seeds(series, alpha);
  }
  return findings;
}

}  // namespace ablate::nightly
