#include "harness/run/progress/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ablate::run {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    // C1 control characters (0x80 to 0x9F) are two bytes in UTF-8, C2 80 to C2 9F.
    const bool second_set =
        byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
    clean += byte < 0x20 || byte == 0x7F || second_set ? ' ' : text[at];
    if (second_set) ++at;
  }
  return clean;
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "unknown";
  const long whole = std::max(0l, std::lround(seconds));
  if (whole < 60) return formatted("%ld s", whole);
  if (whole < 3600) return formatted("%ld min %02ld s", whole / 60, whole % 60);
  return formatted("%ld h %02ld min", whole / 3600, whole % 3600 / 60);
}

std::string short_number(double value) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  for (; std::abs(value) >= 999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  const int decimals = unit == 0 || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
  return formatted("%.*f%s", decimals, value, kUnits[unit]);
}

std::string bar_text(double share, std::size_t width) {
  if (width < 3) return std::string(width, ' ');
  const auto inside = width - 2;
  const double clean = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  const auto full = static_cast<std::size_t>(clean * static_cast<double>(inside));
  return "[" + std::string(full, '#') + std::string(inside - full, '.') + "]";
}

}  // namespace ablate::run
