// Curves of records, changed by tests.

#pragma once

#include <utility>
#include <vector>

#include "harness/store/index/values/curve.h"

namespace ablate::testing_support {

/// Lets `edit` change the points of a curve, which keeps them by columns.
template <class Edit>
void edit_curve(store::Curve& curve, const Edit& edit) {
  std::vector<store::CurvePoint> points = curve.points();
  edit(points);
  curve = points;
}

/// The same of one point.
template <class Edit>
void edit_point(store::Curve& curve, std::size_t at, const Edit& edit) {
  edit_curve(curve, [&](std::vector<store::CurvePoint>& points) { edit(points.at(at)); });
}

}  // namespace ablate::testing_support
