#include "harness/contract/metrics/metric.h"

#include <fmt/core.h>

#include <cctype>
#include <utility>

namespace ablate {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Whether `number` stands at `place` by itself: not in a longer one, or in a name such as F1.
bool stands_alone(const std::string& text, std::size_t place, const std::string& number) {
  const std::size_t end = place + number.size();
  return (place == 0 || std::isalnum(static_cast<unsigned char>(text[place - 1])) == 0) &&
         (end == text.size() || !is_digit(text[end]));
}

/// The text with "N" in place of the number, where that stands last, or wherever it stands.
std::string with_n(std::string text, const std::string& number, bool everywhere) {
  std::size_t place = text.rfind(number);
  while (place != text.npos) {
    const bool replaced = stands_alone(text, place, number);
    if (replaced) text.replace(place, number.size(), "N");
    if ((replaced && !everywhere) || place == 0) break;
    place = text.rfind(number, place - 1);
  }
  return text;
}

}  // namespace

Metric& Metric::read_against(std::vector<std::optional<Bound>> declared) {
  const std::string probe = name.substr(0, name.find('.') + 1);
  for (std::optional<Bound>& bound : declared) {
    if (!bound) continue;
    for (auto& [metric, factor] : bound->terms) metric.insert(0, probe);
    if (!bound->per.empty()) bound->per.insert(0, probe);
    bounds.push_back(*std::move(bound));
  }
  return *this;
}

Metric& Metric::indexed_by(std::int64_t value) {
  const std::string number = fmt::format("{}", value);
  index = MetricIndex{value, with_n(name, number, false), with_n(label, number, false),
                      with_n(description, number, true)};
  return *this;
}

Metric& Metric::scores_task() {
  task = true;
  return *this;
}

}  // namespace ablate
