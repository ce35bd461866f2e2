#include "harness/statistics/families/dunnett.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

using Normal = boost::math::normal_distribution<double>;
using ChiSquared = boost::math::chi_squared_distribution<double>;
using Rule = boost::math::quadrature::gauss<double, 30>;

constexpr double kBeyond = 8.5;  // |z| above which the normal density adds less than 1e-16
constexpr int kPanels = 2;       // of 30 nodes each

/// The integral by a fixed rule on each of kPanels equal parts.
template <class Function>
double integral(const Function& f, double low, double high) {
  const double width = (high - low) / kPanels;
  double sum = 0;
  for (int panel = 0; panel < kPanels; ++panel)
    sum += Rule::integrate(f, low + panel * width, low + (panel + 1) * width);
  return sum;
}

/// P(all |T_j| < t) where the variance is known: the statistics are independent once the
/// baseline's part `z` of them is fixed.
double all_within(double t, std::span<const double> loadings) {
  const Normal normal;
  const auto given = [&](double z) {
    double product = boost::math::pdf(normal, z), factor = 1, previous = 0;
    for (const double loading : loadings) {  // usually all the same
      if (loading != previous) {
        const double own = std::sqrt(1 - loading * loading);
        factor = boost::math::cdf(normal, (t - loading * z) / own) -
                 boost::math::cdf(normal, (-t - loading * z) / own);
      }
      previous = loading;
      product *= factor;
    }
    return product;
  };
  return integral(given, -kBeyond, kBeyond);
}

}  // namespace

double dunnett_p(double t, std::span<const double> loadings, double degrees) {
  const ChiSquared chi_squared(degrees);
  constexpr double kTail = 1e-15;
  const double low = std::sqrt(boost::math::quantile(chi_squared, kTail) / degrees);
  const double high =
      std::sqrt(boost::math::quantile(boost::math::complement(chi_squared, kTail)) / degrees);
  // Over s, the estimated over the true deviation: its density is 2 s df f(s^2 df).
  const auto given = [&](double s) {
    return 2 * s * degrees * boost::math::pdf(chi_squared, s * s * degrees) *
           all_within(std::abs(t) * s, loadings);
  };
  return std::min(1.0, std::max(0.0, 1 - integral(given, low, high)));
}

std::vector<TTest> dunnett(std::span<const double> baseline,
                           const std::vector<std::vector<double>>& arms) {
  const auto squares = [](std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += std::pow(value - mean(values), 2);
    return sum;
  };
  const auto size = static_cast<double>(baseline.size());
  double within = squares(baseline), degrees = size - 1;
  std::vector<double> loadings;
  loadings.reserve(arms.size());
  for (const std::vector<double>& arm : arms) {
    const auto n = static_cast<double>(arm.size());
    within += squares(arm);
    degrees += n - 1;
    loadings.push_back(std::sqrt(n / (size + n)));
  }
  std::vector<TTest> tests;
  tests.reserve(arms.size());
  for (const std::vector<double>& arm : arms) {
    const double error =
        std::sqrt(within / degrees * (1 / size + 1 / static_cast<double>(arm.size())));
    const double t = (mean(arm) - mean(baseline)) / error;
    tests.push_back({t, degrees, dunnett_p(t, loadings, degrees)});
  }
  return tests;
}

}  // namespace ablate::statistics
