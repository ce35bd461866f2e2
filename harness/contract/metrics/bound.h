// Bounds: what a metric is read against. Its floor needs no training; no model passes its ceiling.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ablate {

/// What a bound is: what the best possible model reaches, or one kind of floor.
enum class BoundKind {
  ceiling,
  untrained,   // the model with its initial weights
  no_context,  // the best guess without context
  majority,    // always the most frequent answer
  chance,      // an answer drawn at random
  floor        // any other
};

/// How a bound in another unit becomes one in the metric's.
enum class Conversion {
  none,
  per_byte,    // from nats: the metric is the loss of the same tokens in bits/byte
  exponential  // from nats: the metric is exp(loss)
};

/// A value that a metric is read against: a constant, or a sum of other metrics that the same probe
/// measures on the same arm.
struct Bound {
  BoundKind kind = BoundKind::floor;
  std::vector<std::pair<std::string, double>> terms = {};  // metrics and their factors
  double constant = 0;                                     // where there are no terms
  Conversion conversion = Conversion::none;                // of the sum
  std::string per = {};  // of per_byte: the same tokens' loss in nats, a metric

  // A bound that one metric is. Metric::read_against() completes the names.
  static Bound ceiling(std::string metric);
  static Bound untrained(std::string metric);
  static Bound no_context(std::string metric);
  static Bound majority(std::string metric);
  static Bound chance(std::string metric);
  static Bound floor(std::string metric);

  // A bound that is the same for every model.
  static Bound chance(double value);
  static Bound floor(double value);

  /// This bound less a metric.
  Bound minus(std::string metric) const;
  /// This bound in nats, of a metric in bits/byte; `loss`: the same cost in nats.
  Bound per_byte(std::string loss) const;
  /// This bound in nats, of a perplexity.
  Bound exponential() const;

  bool is_floor() const { return kind != BoundKind::ceiling; }

  /// "held_out.context_free minus held_out.optimum"; the constant, "0", where there are no terms.
  std::string text() const;

  /// The metrics that it is computed from, beside the one that it bounds.
  std::vector<std::string> metrics() const;

  bool operator==(const Bound&) const = default;
};

/// The name in plans.
std::string_view name_of(BoundKind kind);
std::string_view name_of(Conversion conversion);

/// What a floor is in a sentence: "the untrained model".
std::string_view words_of(BoundKind floor);

}  // namespace ablate
