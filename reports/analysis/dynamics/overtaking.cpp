#include "reports/analysis/dynamics/overtaking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/sweeps/trend.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/sweep_values.h"

namespace ablate::reports {
namespace {

/// A metric of one trial along a quantity: linear between its points.
struct Line {
  std::vector<double> amounts, values;

  double at(double amount) const {
    const auto above = std::upper_bound(amounts.begin(), amounts.end(), amount);
    const auto after =
        std::clamp<std::ptrdiff_t>(above - amounts.begin(), 1, std::ssize(amounts) - 1);
    const auto right = static_cast<std::size_t>(after), left = right - 1;
    const double share = (amount - amounts[left]) / (amounts[right] - amounts[left]);
    return (1 - share) * values[left] + share * values[right];
  }
};

/// The lines of the seeds that have a value at every point of both courses: of each, the baseline's
/// and the arm's.
std::vector<std::pair<Line, Line>> lines_of(const Course& first, const Course& second,
                                            Quantity quantity) {
  const auto line_of = [&](const Course& course, std::int64_t seed) {
    Line line;
    const auto& trials = course.arm->trials;
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (trials[i]->seed == seed)
        for (const CoursePoint& point : course.points)
          if (point.at[i]) {
            line.amounts.push_back(amount_at(*point.at[i], quantity));
            line.values.push_back(*point.over_seeds.values[i]);
          }
    const auto& amounts = line.amounts;
    const bool ascend = std::adjacent_find(amounts.begin(), amounts.end(),
                                           std::not_fn(std::less<>())) == amounts.end();
    const bool complete = amounts.size() == course.points.size() && ascend;  // none is NaN
    return complete ? std::optional(line) : std::nullopt;
  };
  std::vector<std::pair<Line, Line>> lines;
  for (const store::TrialRecord* trial : first.arm->trials) {
    const auto one = line_of(first, trial->seed), other = line_of(second, trial->seed);
    if (one && other) lines.emplace_back(*one, *other);
  }
  return lines;
}

/// Where the lines are compared: at the amounts of all points of all seeds that lie in the range of all lines, and at
/// its ends. Between two such places every line is straight, so that differences may be joined between them.
std::vector<double> compared_places(const std::vector<std::pair<Line, Line>>& lines) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double from = -kInfinity, to = kInfinity;
  for (const auto& [one, other] : lines) {
    from = std::max({from, one.amounts.front(), other.amounts.front()});
    to = std::min({to, one.amounts.back(), other.amounts.back()});
  }
  std::vector<double> places = {from, to};
  for (const auto& [one, other] : lines)
    for (const Line* line : {&one, &other})
      for (const double amount : line->amounts)
        if (amount > from && amount < to) places.push_back(amount);
  std::sort(places.begin(), places.end());
  const auto same = [](double a, double b) { return b - a <= 1e-9 * std::abs(b); };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  return places;
}

/// Empty where there are too few seeds or points in common.
std::optional<SweptPair> pair_of(const Course& first, const Course& second, Quantity quantity) {
  auto lines = lines_of(first, second, quantity);
  if (lines.size() < 2) return std::nullopt;
  std::vector<double> places = compared_places(lines);
  if (places.size() < 2 || !(places.front() < places.back())) return std::nullopt;
  const bool logarithmic = statistics::spans_a_decade(places.front(), places.back());
  if (logarithmic)
    for (auto& [one, other] : lines)
      for (Line* line : {&one, &other})
        for (double& amount : line->amounts) amount = std::log(amount);
  std::vector<std::vector<double>> differences(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const auto& [one, other] : lines) {
      const double amount = logarithmic ? std::log(places[i]) : places[i];
      differences[i].push_back(statistics::difference(other.at(amount), one.at(amount)));
    }
  SweptPair pair{.parameter = std::string(name_of(quantity)),
                 .first = first.arm->label,
                 .second = second.arm->label,
                 .arms = {first.arm, second.arm},
                 .metric = first.metric,
                 .from = places.front(),
                 .to = places.back(),
                 .at_start = estimate_of(differences.front()),
                 .at_end = estimate_of(differences.back())};
  find_crossing(places, differences, pair);
  return pair;
}

}  // namespace

std::vector<SweptPair> training_pairs(const Analysis& analysis, const std::vector<Course>& courses,
                                      Quantity quantity) {
  std::vector<SweptPair> pairs;
  const ArmResult* const baseline = analysis.baseline();
  for (const Course& first : courses) {
    if (first.arm != baseline || first.metric->better == Better::neither) continue;
    for (const Course& second : courses) {
      if (second.metric != first.metric || second.arm == baseline ||
          !comparable_arms(first.metric->comparable_across, *first.arm, *second.arm))
        continue;
      if (auto pair = pair_of(first, second, quantity)) pairs.push_back(*std::move(pair));
    }
  }
  return pairs;
}

}  // namespace ablate::reports
