// Numbers for readers, rounded to the digits that the interval supports.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/number_text.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::reports {

/// The significant digits of values that a page lists.
inline constexpr int kStoredDigits = 6;

/// A mean and the half-width of its interval, rounded to the same decimals.
struct Rounded {
  std::string mean;
  std::string half_width;  // empty where there is no interval

  /// "0.812 ± 0.051"; the mean alone where there is no interval.
  std::string text() const;
};

/// Rounds the half-width to two significant digits and the mean to the same decimals. Without an
/// interval, or with one of width 0, the mean has four significant digits.
Rounded rounded(double mean, const std::optional<statistics::Interval>& interval);

/// A mean and its half-width as papers round them: the half-width to two significant digits where it
/// begins with 1 or 2 and else to one, the mean to the same decimals. A constant, whose interval has
/// no width, has no half-width.
/// Source: Particle Data Group, Review of Particle Physics, introduction, section 5.3, without its
/// limit at 354 and 949.
Rounded paper_rounded(double mean, const std::optional<statistics::Interval>& interval);

/// A p-value with two significant digits; "<0.001" below 0.001. More digits where two would round a
/// p below 0.05 up to it: "0.0498".
std::string p_text(double p);

/// The p in a sentence: "p = 0.031", "p < 0.001"; "no p" where there is none.
std::string p_phrase(const std::optional<double>& p);

/// A count or amount with a prefix: 812, 26.4 k, 1.05 M, 3.2 G.
std::string amount(double value);

/// A count with its noun, in the plural where needed: "1 trial", "2 trials".
std::string counted(std::int64_t count, const std::string& thing);

}  // namespace ablate::reports
