#include "harness/run/progress/text.h"

#include <algorithm>
#include <cmath>

namespace ablate::run {
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

std::string bar_text(double fraction, std::size_t width) {
  if (width < 3) return std::string(width, ' ');
  const auto inside = width - 2;
  const double clean = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  const auto full = static_cast<std::size_t>(clean * static_cast<double>(inside));
  return "[" + std::string(full, '#') + std::string(inside - full, '.') + "]";
}

}  // namespace ablate::run
