// Trends of a metric over a swept number: one question in place of a test for each two arms.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ablate::statistics {

/// The coefficients whose sum of products with values at `places` is the coefficient of
/// place^degree in the least-squares polynomial of that degree: for degree 1 the slope, for 2 the
/// curvature (what place^2 is multiplied by). The contrasts of different degrees are orthogonal,
/// for places at any distances. Requires: more places than `degree`, no two equal.
/// Source: Forsythe 1957, Journal of the Society for Industrial and Applied Mathematics 5(2).
std::vector<double> polynomial_contrast(std::span<const double> places, std::size_t degree);

/// Whether a swept number is read by its logarithm: all values are positive, and the largest is
/// more than ten times the smallest.
bool spans_a_decade(double smallest, double largest);

/// The contrast of one seed, whose values at the places these are. A sum that is no more than the
/// rounding of its terms (1e-12 of their sizes) is 0, so that equal values have no trend.
double contrast_of(std::span<const double> coefficients, std::span<const double> values);

/// The contrast of each seed, as by contrast_of(): one number, whose mean is the trend and to which sign_flip_p() and
/// t_interval() apply as to any difference. The sign-flip test is exact if, without a trend, a
/// seed's contrast is as likely to lie above zero as equally far below.
/// `by_place`: [place][seed], each place of the same seeds.
std::vector<double> contrast_by_seed(std::span<const double> coefficients,
                                     const std::vector<std::vector<double>>& by_place);

/// A place that a trend rests on.
struct CarryingPlace {
  std::size_t place = 0;
  std::vector<double> without;  // the contrast of each seed over the other places
};

/// The place without which the mean contrast of `degree` is less than half as large, or of the other sign: where there
/// are several, the one without which least is left. None where the trend rests on no single place, where there is no
/// trend, or where the other places are too few for one. `by_place`: [place][seed].
std::optional<CarryingPlace> carrying_place(std::span<const double> places, std::size_t degree,
                                            const std::vector<std::vector<double>>& by_place);

}  // namespace ablate::statistics
