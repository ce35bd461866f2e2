#include "harness/run/progress/text.h"

#include <algorithm>
#include <cmath>

#include "harness/base/utf8.h"

namespace ablate::run {

std::string printable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0)
      clean += '?';
    else if (controls_terminal(character))
      clean += ' ';
    else
      clean += character;
    text.remove_prefix(character.size());
  }
  return clean;
}

std::string printable_lines(std::string_view text) {
  std::string clean;
  while (true) {
    const std::size_t end = text.find('\n');
    clean += printable(text.substr(0, end));
    if (end == text.npos) return clean;
    clean += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string table_text(const std::vector<std::vector<std::string>>& rows, std::string_view before) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    text += before;
    text += row[0] + std::string(widths[0] - row[0].size(), ' ');
    for (std::size_t i = 1; i < row.size(); ++i)
      text += "  " + std::string(widths[i] - row[i].size(), ' ') + row[i];
    text += '\n';
  }
  return text;
}

std::string bar_text(double fraction, std::size_t width) {
  if (width < 3) return std::string(width, ' ');
  const auto inside = width - 2;
  const double clean = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  const auto full = static_cast<std::size_t>(clean * static_cast<double>(inside));
  return "[" + std::string(full, '#') + std::string(inside - full, '.') + "]";
}

}  // namespace ablate::run
