// Rounds numbers and durations and names their units.

#include "harness/base/number_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ablate {

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";  // of either sign
  return fmt::format("{:.{}g}", value, digits);
}

std::string plain_number(double value) {
  const bool is_whole = std::abs(value) < 1e9 && value == std::floor(value);
  return significant(value, is_whole ? 9 : 6);
}

std::string short_number(double value) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  for (; std::abs(value) >= 999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  const int decimals = unit == 0 || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", value, decimals, kUnits[unit]);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "unknown";
  const long rounded = std::max(0l, std::lround(seconds));
  if (rounded < 60) return fmt::format("{} s", rounded);
  if (rounded < 3600) return fmt::format("{} min {:02} s", rounded / 60, rounded % 60);
  return fmt::format("{} h {:02} min", rounded / 3600, rounded % 3600 / 60);
}

std::string estimate_text(double seconds) {
  if (seconds < 90) return significant(std::ceil(seconds), 6) + " s";
  if (seconds < 5400) return significant(std::ceil(seconds / 60), 6) + " min";
  return significant(std::ceil(seconds / 360) / 10, 6) + " h";
}

}  // namespace ablate
