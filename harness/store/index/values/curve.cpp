#include "harness/store/index/values/curve.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace ablate::store {
namespace {

template <class Value, class Read>
Column<Value> column_of(const std::vector<CurvePoint>& points, const Read& read) {
  auto column = std::make_shared<std::vector<Value>>();
  column->reserve(points.size());
  for (const CurvePoint& point : points) column->push_back(static_cast<Value>(point.*read));
  return column;
}

template <class Value>
std::string_view bytes_of(const std::vector<Value>& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Value)};
}

}  // namespace

Curve::Curve(const std::vector<CurvePoint>& points)
    : step_(column_of<std::int64_t>(points, &CurvePoint::step)),
      text_tokens_(column_of<double>(points, &CurvePoint::text_tokens)),
      loss_(column_of<double>(points, &CurvePoint::loss)),
      learning_rate_(column_of<double>(points, &CurvePoint::learning_rate)),
      gradient_norm_(column_of<double>(points, &CurvePoint::gradient_norm)),
      spike_(column_of<char>(points, &CurvePoint::spike)) {}

CurvePoint Curve::operator[](std::size_t at) const {
  return {.step = (*step_)[at],
          .text_tokens = (*text_tokens_)[at],
          .loss = (*loss_)[at],
          .learning_rate = (*learning_rate_)[at],
          .gradient_norm = (*gradient_norm_)[at],
          .spike = (*spike_)[at] != 0};
}

std::vector<CurvePoint> Curve::points() const {
  std::vector<CurvePoint> points;
  points.reserve(size());
  for (std::size_t at = 0; at < size(); ++at) points.push_back((*this)[at]);
  return points;
}

std::optional<CurvePoint> Curve::at_step(std::int64_t step) const {
  if (empty()) return std::nullopt;
  const auto found = std::ranges::lower_bound(*step_, step);
  if (found == step_->end() || *found != step) return std::nullopt;
  return (*this)[static_cast<std::size_t>(found - step_->begin())];
}

void ColumnPool::share(Curve& curve) {
  if (curve.empty()) return;
  share(curve.step_, whole_);
  share(curve.text_tokens_, real_);
  share(curve.learning_rate_, real_);
  share(curve.spike_, flags_);
}

template <class Value>
void ColumnPool::share(Column<Value>& column, Kept<Value>& kept) {
  const std::string_view bytes = bytes_of(*column);
  const std::size_t hash = std::hash<std::string_view>()(bytes);
  const auto [first, last] = kept.equal_range(hash);
  const auto same =
      std::find_if(first, last, [&](const auto& one) { return bytes_of(*one.second) == bytes; });
  if (same != last)
    column = same->second;
  else
    kept.emplace(hash, column);
}

}  // namespace ablate::store
