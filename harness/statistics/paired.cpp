// Intervals, corrections and equivalence of paired differences.

#include "harness/statistics/paired.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace ablate::statistics {
namespace {

using StudentsT = boost::math::students_t_distribution<double>;

/// P(T > t) for Student's t; t may be infinite.
double upper_tail(double t, double degrees) {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  return boost::math::cdf(boost::math::complement(StudentsT(degrees), t));
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  const auto n = static_cast<double>(values.size());
  const double first = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double rest = 0;  // what rounding lost: equal values must have exactly their own mean
  for (const double value : values) rest += value - first;
  return first + rest / n;
}

double deviation(std::span<const double> values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<Interval> t_interval(std::span<const double> values, double alpha) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double t = boost::math::quantile(boost::math::complement(StudentsT(n - 1), alpha / 2));
  const double centre = mean(values);
  const double half_width = t * deviation(values) / std::sqrt(n);
  return Interval{centre - half_width, centre + half_width};
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;  // a step may not be easier than the one before
  for (std::size_t step = 0; step < order.size(); ++step) {
    const double raised = static_cast<double>(p.size() - step) * p[order[step]];
    largest = std::max(largest, std::min(1.0, raised));
    adjusted[order[step]] = largest;
  }
  return adjusted;
}

std::vector<double> adjust(std::span<const double> p, Correction correction) {
  if (correction == Correction::holm) return holm(p);
  return {p.begin(), p.end()};
}

double equivalence_p(std::span<const double> differences, double margin) {
  const auto n = static_cast<double>(differences.size());
  const double centre = mean(differences);
  const double error = deviation(differences) / std::sqrt(n);
  // Equal differences of measured values differ in their last bits.
  constexpr double kRounding = 1e-9;
  if (error <= kRounding * margin) return std::abs(centre) < margin ? std::exp2(-n) : 1;
  const double above_lower = upper_tail((centre + margin) / error, n - 1);
  const double below_upper = upper_tail((margin - centre) / error, n - 1);
  return std::max(above_lower, below_upper);
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::incomparable:
      return "incomparable";
    case Verdict::inconclusive:
      break;
  }
  return "inconclusive";
}

}  // namespace ablate::statistics
