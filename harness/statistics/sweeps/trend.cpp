#include "harness/statistics/sweeps/trend.h"

#include <cmath>
#include <numeric>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// `values` less their projection on `direction`. Twice, since once leaves rounding behind.
void remove(std::span<const double> direction, std::vector<double>& values) {
  for (int pass = 0; pass < 2; ++pass) {
    const double factor = product(values, direction) / product(direction, direction);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= factor * direction[i];
  }
}

}  // namespace

std::vector<double> polynomial_contrast(std::span<const double> places, std::size_t degree) {
  // Monic polynomials at the places, each orthogonal to those before it.
  std::vector<std::vector<double>> polynomials = {std::vector<double>(places.size(), 1.0)};
  while (polynomials.size() <= degree) {
    std::vector<double> next = polynomials.back();
    for (std::size_t i = 0; i < places.size(); ++i) next[i] *= places[i];
    for (const std::vector<double>& lower : polynomials) remove(lower, next);
    polynomials.push_back(std::move(next));
  }
  std::vector<double> coefficients = polynomials.back();
  const double square = product(coefficients, coefficients);
  for (double& coefficient : coefficients) coefficient /= square;
  return coefficients;
}

bool spans_a_decade(double smallest, double largest) {
  return smallest > 0 && largest > 10 * smallest;
}

double contrast_of(std::span<const double> coefficients, std::span<const double> values) {
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double term = coefficients[i] * values[i];
    sum += term;
    size += std::abs(term);
  }
  return std::abs(sum) <= kRounding * size ? 0 : sum;
}

std::vector<double> contrast_by_seed(std::span<const double> coefficients,
                                     const std::vector<std::vector<double>>& by_place) {
  std::vector<double> contrasts;
  std::vector<double> values(by_place.size());
  for (std::size_t seed = 0; seed < by_place.front().size(); ++seed) {
    for (std::size_t place = 0; place < values.size(); ++place)
      values[place] = by_place[place][seed];
    contrasts.push_back(contrast_of(coefficients, values));
  }
  return contrasts;
}

std::optional<CarryingPlace> carrying_place(std::span<const double> places, std::size_t degree,
                                            const std::vector<std::vector<double>>& by_place) {
  constexpr double kCarried = 0.5;  // of the trend: less than this is left without the place
  if (places.size() < degree + 2) return std::nullopt;
  const double whole = mean(contrast_by_seed(polynomial_contrast(places, degree), by_place));
  if (whole == 0) return std::nullopt;
  std::optional<CarryingPlace> carrying;
  double least = kCarried;
  for (std::size_t place = 0; place < places.size(); ++place) {
    std::vector<double> others(places.begin(), places.end());
    std::vector<std::vector<double>> values = by_place;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(place));
    std::vector<double> without = contrast_by_seed(polynomial_contrast(others, degree), values);
    const double left = mean(without) / whole;  // below 0: of the other sign
    if (left >= least) continue;
    least = left;
    carrying = CarryingPlace{place, std::move(without)};
  }
  return carrying;
}

}  // namespace ablate::statistics
