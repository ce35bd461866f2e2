// What the parts of report.json are made of.

#pragma once

#include <optional>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Null where there is no value.
template <class Number>
Json or_null(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

/// [low, high]; null where there is none.
inline Json interval_json(const std::optional<statistics::Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json();
}

/// "mean", "ci", "n" and "values" of an estimate.
inline Json estimate_json(const Estimate& estimate) {
  Json values = Json::array();
  for (const auto& value : estimate.values) values.push_back(or_null(value));
  return {{"mean", or_null(estimate.mean)},
          {"ci", interval_json(estimate.interval)},
          {"n", estimate.n},
          {"values", values}};
}

/// An array of what `to_json` makes of each element.
template <class Element, class ToJson>
Json array_of(const std::vector<Element>& elements, const ToJson& to_json) {
  Json array = Json::array();
  for (const Element& element : elements) array.push_back(to_json(element));
  return array;
}

}  // namespace ablate::reports
