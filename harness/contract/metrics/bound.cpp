#include "harness/contract/metrics/bound.h"

#include <fmt/core.h>

namespace ablate {
namespace {

Bound of_metric(BoundKind kind, std::string metric) {
  return {.kind = kind, .terms = {{std::move(metric), 1}}};
}

}  // namespace

Bound Bound::ceiling(std::string metric) {
  return of_metric(BoundKind::ceiling, std::move(metric));
}

Bound Bound::untrained(std::string metric) {
  return of_metric(BoundKind::untrained, std::move(metric));
}

Bound Bound::no_context(std::string metric) {
  return of_metric(BoundKind::no_context, std::move(metric));
}

Bound Bound::majority(std::string metric) {
  return of_metric(BoundKind::majority, std::move(metric));
}

Bound Bound::chance(std::string metric) { return of_metric(BoundKind::chance, std::move(metric)); }

Bound Bound::floor(std::string metric) { return of_metric(BoundKind::floor, std::move(metric)); }

Bound Bound::chance(double value) { return {.kind = BoundKind::chance, .constant = value}; }

Bound Bound::floor(double value) { return {.kind = BoundKind::floor, .constant = value}; }

Bound Bound::minus(std::string metric) const {
  Bound less = *this;
  less.terms.emplace_back(std::move(metric), -1);
  return less;
}

Bound Bound::per_byte(std::string loss) const {
  Bound converted = *this;
  converted.conversion = Conversion::per_byte;
  converted.per = std::move(loss);
  return converted;
}

Bound Bound::exponential() const {
  Bound converted = *this;
  converted.conversion = Conversion::exponential;
  return converted;
}

std::string Bound::text() const {
  std::string text;
  for (const auto& [metric, factor] : terms)
    text += fmt::format("{}{}", text.empty() ? "" : factor < 0 ? " minus " : " plus ", metric);
  switch (conversion) {
    case Conversion::per_byte:
      return text + ", in bits/byte";
    case Conversion::exponential:
      return fmt::format("exp({})", text);
    case Conversion::none:
      break;
  }
  return text.empty() ? fmt::format("{}", constant) : text;
}

std::vector<std::string> Bound::metrics() const {
  std::vector<std::string> names;
  for (const auto& [metric, factor] : terms) names.push_back(metric);
  if (!per.empty()) names.push_back(per);
  return names;
}

std::string_view name_of(BoundKind kind) {
  switch (kind) {
    case BoundKind::ceiling:
      return "ceiling";
    case BoundKind::untrained:
      return "untrained";
    case BoundKind::no_context:
      return "no context";
    case BoundKind::majority:
      return "majority";
    case BoundKind::chance:
      return "chance";
    case BoundKind::floor:
      break;
  }
  return "floor";
}

std::string_view name_of(Conversion conversion) {
  switch (conversion) {
    case Conversion::per_byte:
      return "per byte";
    case Conversion::exponential:
      return "exponential";
    case Conversion::none:
      break;
  }
  return "none";
}

std::string_view words_of(BoundKind floor) {
  switch (floor) {
    case BoundKind::untrained:
      return "the untrained model";
    case BoundKind::no_context:
      return "a guess without context";
    case BoundKind::majority:
      return "the most frequent answer";
    case BoundKind::chance:
      return "chance";
    case BoundKind::ceiling:
    case BoundKind::floor:
      break;
  }
  return "its floor";
}

}  // namespace ablate
