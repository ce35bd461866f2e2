// Numbers for readers, rounded to the digits that the interval supports.

#include "reports/text/number.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ablate::reports {
namespace {

constexpr double kLargestFixed = 1e9;
constexpr int kMaxDecimals = 12;

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text[0] == '-' ? text.substr(1) : text;
}

/// The decimals that show a half-width with so many significant digits.
int decimals_for(double half_width, int digits) {
  int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(half_width)));
  if (std::round(half_width * std::pow(10, decimals)) >= std::pow(10, digits))
    --decimals;  // 0.0996 is 0.10
  return std::min(std::max(decimals, 0), kMaxDecimals);
}

/// The decimals of a half-width in a paper. Requires: 0 < half_width.
int paper_decimals(double half_width) {
  const double power = std::pow(10, std::floor(std::log10(half_width)));
  const double leading = half_width / power;
  if (leading >= 9.5) return decimals_for(10 * power, 2);  // 0.96 is 1.0
  return decimals_for(half_width, leading < 2.95 ? 2 : 1);
}

/// Whether an interval is wider than rounding errors make it.
bool is_spread(double mean, double half_width) { return half_width > 1e-9 * std::abs(mean); }

/// Whether mean and half-width can be shown with the same decimals.
bool is_fixed(double mean, double half_width) {
  return std::isfinite(half_width) && std::max(half_width, std::abs(mean)) < kLargestFixed &&
         is_spread(mean, half_width);
}

}  // namespace

std::string Rounded::text() const {
  return half_width.empty() ? mean : fmt::format("{} ± {}", mean, half_width);
}

Rounded rounded(double mean, const std::optional<statistics::Interval>& interval) {
  if (!interval) return {significant(mean), ""};
  const double half_width = (interval->high - interval->low) / 2;
  if (!is_fixed(mean, half_width))
    return {significant(mean), is_spread(mean, half_width) ? significant(half_width, 2) : "0"};
  const int decimals = decimals_for(half_width, 2);
  return {fixed(mean, decimals), fixed(half_width, decimals)};
}

Rounded paper_rounded(double mean, const std::optional<statistics::Interval>& interval) {
  const double half_width = interval ? (interval->high - interval->low) / 2 : 0;
  if (!interval || !is_spread(mean, half_width)) return {significant(mean), ""};
  if (!is_fixed(mean, half_width)) return {significant(mean), significant(half_width, 2)};
  const int decimals = paper_decimals(half_width);
  return {fixed(mean, decimals), fixed(half_width, decimals)};
}

std::string p_text(double p) {
  constexpr double kUsualAlpha = 0.05;
  if (p < 0.001) return "<0.001";
  std::string text = significant(p, 2);
  for (int digits = 3; digits <= 6 && (std::stod(text) < kUsualAlpha) != (p < kUsualAlpha);
       ++digits)
    text = significant(p, digits);
  return text;
}

std::string p_phrase(const std::optional<double>& p) {
  if (!p) return "no p";
  const std::string text = p_text(*p);
  return text.starts_with('<') ? "p < " + text.substr(1) : "p = " + text;
}

std::string amount(double value) {
  constexpr std::array<const char*, 7> kPrefixes = {"", " k", " M", " G", " T", " P", " E"};
  std::size_t prefix = 0;
  while (std::abs(value) >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  return significant(value, 3) + kPrefixes[prefix];
}

std::string counted(std::int64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace ablate::reports
