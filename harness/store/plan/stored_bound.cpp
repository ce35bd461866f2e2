#include "harness/store/plan/stored_bound.h"

#include <string>

#include "harness/store/plan/stored_metric.h"

namespace ablate::store {
namespace {

Json bound_json(const Bound& bound) {
  Json json = {{"is", name_of(bound.kind)}};
  for (const auto& [metric, factor] : bound.terms)
    json["terms"].push_back({{"metric", metric}, {"factor", factor}});
  if (bound.terms.empty()) json["constant"] = bound.constant;
  if (bound.conversion != Conversion::none) json["conversion"] = name_of(bound.conversion);
  if (!bound.per.empty()) json["per"] = bound.per;
  return json;
}

/// The value of this name; empty where there is none.
template <class Value>
std::optional<Value> named(std::initializer_list<Value> values, const std::string& name) {
  for (const Value value : values)
    if (name_of(value) == name) return value;
  return std::nullopt;
}

std::optional<double> number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>())
                                                   : std::nullopt;
}

/// Fills in what the bound is made of. False where that cannot be read.
bool read_terms(const Json& json, Bound& bound) {
  const auto terms = json.find("terms");
  if (terms == json.end()) {
    const std::optional<double> constant = number_at(json, "constant");
    bound.constant = constant.value_or(0);
    return constant.has_value();
  }
  for (const Json& term : *terms) {
    const std::optional<double> factor =
        term.is_object() ? number_at(term, "factor") : std::nullopt;
    if (!factor) return false;
    bound.terms.emplace_back(text_at(term, "metric"), *factor);
  }
  return !bound.terms.empty();
}

std::optional<Bound> stored_bound(const Json& json) {
  using enum BoundKind;
  if (!json.is_object()) return std::nullopt;
  const auto kind = named({ceiling, untrained, no_context, majority, chance, BoundKind::floor},
                          text_at(json, "is"));
  const auto conversion =
      json.contains("conversion")
          ? named({Conversion::per_byte, Conversion::exponential}, text_at(json, "conversion"))
          : std::optional(Conversion::none);
  if (!kind || !conversion) return std::nullopt;
  Bound bound{.kind = *kind, .conversion = *conversion, .per = text_at(json, "per")};
  if ((*conversion == Conversion::per_byte) == bound.per.empty()) return std::nullopt;
  if (!read_terms(json, bound)) return std::nullopt;
  return bound;
}

}  // namespace

Json bounds_json(const std::vector<Bound>& bounds) {
  Json json = Json::array();
  for (const Bound& bound : bounds) json.push_back(bound_json(bound));
  return json;
}

std::vector<Bound> stored_bounds(const Json& json) {
  std::vector<Bound> bounds;
  if (!json.is_array()) return bounds;
  for (const Json& each : json)
    if (auto bound = stored_bound(each)) bounds.push_back(*std::move(bound));
  return bounds;
}

}  // namespace ablate::store
