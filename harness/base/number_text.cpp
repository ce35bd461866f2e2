#include "harness/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace ablate {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";  // of either sign
  return formatted("%.*g", digits, value);
}

std::string short_number(double value) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  for (; std::abs(value) >= 999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  const int decimals = unit == 0 || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
  return formatted("%.*f%s", decimals, value, kUnits[unit]);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "unknown";
  const long rounded = std::max(0l, std::lround(seconds));
  if (rounded < 60) return formatted("%ld s", rounded);
  if (rounded < 3600) return formatted("%ld min %02ld s", rounded / 60, rounded % 60);
  return formatted("%ld h %02ld min", rounded / 3600, rounded % 3600 / 60);
}

std::string estimate_text(double seconds) {
  if (seconds < 90) return significant(std::ceil(seconds), 6) + " s";
  if (seconds < 5400) return significant(std::ceil(seconds / 60), 6) + " min";
  return significant(std::ceil(seconds / 360) / 10, 6) + " h";
}

}  // namespace ablate
