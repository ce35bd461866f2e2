// The training curve of a trial, as small as hundreds of thousands of trials need it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "harness/store/journal/curve_point.h"

namespace ablate::store {

/// A column of curves, which several may share.
template <class Value>
using Column = std::shared_ptr<const std::vector<Value>>;

/// A training curve, kept by columns. The seeds of an arm mostly have the same steps, tokens and
/// learning rates, which ColumnPool keeps once.
class Curve {
 public:
  Curve() = default;
  Curve(const std::vector<CurvePoint>& points);  // NOLINT(google-explicit-constructor)
  Curve(std::initializer_list<CurvePoint> points) : Curve(std::vector<CurvePoint>(points)) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return step_ ? step_->size() : 0; }
  CurvePoint operator[](std::size_t at) const;
  CurvePoint back() const { return (*this)[size() - 1]; }

  /// The points, by step.
  std::vector<CurvePoint> points() const;

  /// The point of this step; nothing where there is none.
  std::optional<CurvePoint> at_step(std::int64_t step) const;

 private:
  friend class ColumnPool;

  Column<std::int64_t> step_;
  Column<double> text_tokens_, loss_, learning_rate_, gradient_norm_;
  Column<char> spike_;
};

/// Finds columns that are the same in several curves.
class ColumnPool {
 public:
  /// Replaces each column of a curve that is mostly not its own (all but losses and gradient norms) by
  /// one that is kept and has the same bytes.
  void share(Curve& curve);

 private:
  template <class Value>
  using Kept = std::unordered_multimap<std::size_t, Column<Value>>;  // by a hash of their bytes

  template <class Value>
  static void share(Column<Value>& column, Kept<Value>& kept);

  Kept<std::int64_t> whole_;
  Kept<double> real_;
  Kept<char> flags_;
};

}  // namespace ablate::store
