#include "harness/probes/linear/online_code.h"

#include <algorithm>
#include <cmath>

#include "harness/base/shuffle.h"
#include "harness/base/time/time_spent.h"

namespace ablate::probes {
namespace {

constexpr double kEnds[] = {.001, .002, .004, .008, .016, .032, .0625, .125, .25, .5, 1};

/// Tolerance of a fit, as for the probe itself.
constexpr double kCodeTolerance = 1e-4;

/// The rows that `order` names, from `first` up to `last`.
Observations some_of(const Observations& rows, const std::vector<std::size_t>& order,
                     std::size_t first, std::size_t last) {
  Observations some{.width = rows.width};
  const auto width = static_cast<std::ptrdiff_t>(rows.width);
  for (std::size_t i = first; i < last; ++i) {
    const auto row = rows.features.begin() + static_cast<std::ptrdiff_t>(order[i]) * width;
    some.features.insert(some.features.end(), row, row + width);
    some.labels.push_back(rows.labels[order[i]]);
  }
  return some;
}

/// Adds the bits of the next labels by a model of the known rows, for each penalty. Each fit starts from
/// the solution of the penalty before.
void add_codes(Observations known, Observations next, std::int64_t classes,
               std::span<const double> penalties, std::vector<double>& codes) {
  const Standardiser standardiser(known);
  standardiser.apply(known);
  standardiser.apply(next);
  const LogisticFit fits(known);
  LogisticModel model(known.width, classes);
  for (std::size_t i = 0; i < penalties.size(); ++i) {
    fits.minimise(model, penalties[i], kCodeTolerance);
    codes[i] += score(model, next).cost / std::log(2.0) * static_cast<double>(next.count());
  }
}

}  // namespace

double online_compression(const Observations& rows, std::int64_t classes,
                          std::span<const double> penalties, Rng rng) {
  const Spending spending(Activity::fits);
  const std::vector<std::size_t> order = random_order(static_cast<std::size_t>(rows.count()), rng);
  const auto count = static_cast<double>(order.size());
  std::vector<double> codes(penalties.size());
  std::size_t coded = 0;
  for (const double end : kEnds) {
    const auto until =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(end * count)));
    if (until <= coded) continue;
    if (coded == 0)
      std::fill(codes.begin(), codes.end(),
                static_cast<double>(until) * std::log2(static_cast<double>(classes)));
    else
      add_codes(some_of(rows, order, 0, coded), some_of(rows, order, coded, until), classes,
                penalties, codes);
    coded = until;
  }
  const double shortest = *std::min_element(codes.begin(), codes.end());
  const double code = shortest + std::log2(static_cast<double>(penalties.size()));
  return static_cast<double>(rows.count()) * std::log2(static_cast<double>(classes)) / code;
}

}  // namespace ablate::probes
