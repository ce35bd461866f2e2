#include "objectives/common/pairs/pair_distribution.h"

#include <cmath>
#include <limits>

#include "objectives/common/numbers.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;

constexpr Size kUnseen = std::numeric_limits<Size>::max();
/// Positions of the inputs that are adjacent in one document.
struct Line {
  std::vector<Size> positions;  // kUnseen: a word that is not among the inputs
  bool starts_document = false;
  bool of_known_length = false;  // the number of words was fixed before they were drawn
};

/// How the inputs were made, under one label.
struct Belief {
  Token label = unpaired_label;
  std::vector<Line> lines;
};

std::vector<Size> concatenated(std::vector<Size> a, const std::vector<Size>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The possible beliefs for a kind of pair, equally probable.
std::vector<Belief> beliefs_of(PairKind kind, std::span<const Token> inputs) {
  std::vector<Size> segments[2], end;
  Size segment = 0;
  bool begins = false;
  for (Size i = 1; i + 1 < inputs.size(); ++i) {
    if (inputs[i] == separator_token)
      segment = 1;
    else if (inputs[i] == begin_token)
      begins = true;
    else
      (inputs[i] == end_token ? end : segments[segment]).push_back(i);
  }
  const auto& [first, second] = segments;
  const auto in_order = [&](const auto& a, const auto& b) {
    return Line{concatenated(concatenated(a, b), end), begins, false};
  };
  std::vector<Belief> beliefs = {{follows_label, {in_order(first, second)}}};
  if (second.empty() || kind == PairKind::none) return beliefs;
  if (kind == PairKind::sop) {
    beliefs.push_back({broken_label, {in_order(second, first)}});
    return beliefs;
  }
  const std::vector<Size> unseen(second.size(), kUnseen);
  beliefs.push_back({broken_label, {in_order(first, unseen), Line{second, false, true}}});
  return beliefs;
}

/// The exact predictor's state under one belief.
class Reading {
 public:
  Reading(const Chain& language, const Evidence& evidence, Size places, const Belief& belief)
      : language_(language),
        size_(static_cast<Size>(language.composite_states())),
        elsewhere_(places * size_, 0.0),
        label_(belief.label) {
    for (const Line& line : belief.lines) add(evidence, line);
  }

  Token label() const { return label_; }
  double log_probability() const { return log_probability_; }

  /// Weights of the state at position `at` according to all other inputs, [composite state].
  const double* elsewhere(Size at) const { return elsewhere_.data() + at * size_; }

 private:
  Evidence of_line(const Evidence& evidence, const std::vector<Size>& positions) const {
    const auto n = static_cast<Size>(language_.states);
    Evidence own;
    own.reserve(positions.size() * size_);
    for (const Size at : positions)
      for (Size z = 0; z < size_; ++z)
        own.push_back(at != kUnseen ? evidence[at * size_ + z] : z % n != n - 1);
    return own;
  }

  void add(const Evidence& evidence, const Line& line) {
    const auto time = static_cast<std::int64_t>(line.positions.size());
    const Evidence own = of_line(evidence, line.positions);
    log_probability_ += ablate::log_probability(language_, time, own, line.starts_document);
    if (line.of_known_length)
      log_probability_ -= ablate::log_probability(
          language_, time, of_line(evidence, std::vector<Size>(line.positions.size(), kUnseen)),
          line.starts_document);
    const std::vector<double> u =
        leave_one_out_smoothing(language_, time, own, line.starts_document);
    for (Size t = 0; t < line.positions.size(); ++t)
      if (line.positions[t] != kUnseen)
        std::copy_n(u.begin() + static_cast<std::ptrdiff_t>(t * size_), size_,
                    elsewhere_.begin() + static_cast<std::ptrdiff_t>(line.positions[t] * size_));
  }

  const Chain& language_;
  Size size_;
  std::vector<double> elsewhere_;
  Token label_;
  double log_probability_ = 0;
};

std::vector<Reading> readings_of(PairKind kind, const Chain& language, const Evidence& evidence,
                                 std::span<const Token> inputs) {
  std::vector<Reading> readings;
  for (const Belief& belief : beliefs_of(kind, inputs))
    readings.emplace_back(language, evidence, inputs.size(), belief);
  return readings;
}

/// P(inputs | belief) up to a factor that all beliefs share.
std::vector<double> weights_of(const std::vector<Reading>& readings) {
  double maximum = kImpossible;
  for (const Reading& reading : readings) maximum = std::max(maximum, reading.log_probability());
  std::vector<double> weights;
  weights.reserve(readings.size());
  for (const Reading& reading : readings)
    weights.push_back(maximum > kImpossible ? std::exp(reading.log_probability() - maximum) : 0);
  return weights;
}

}  // namespace

Loss pair_token_optimum(const TokenChannel& channel, PairKind kind, const Chain& language,
                        const Example& example) {
  const auto size = static_cast<Size>(language.composite_states());
  const Evidence evidence = evidence_through(channel, language, example.inputs);
  const std::vector<Reading> readings = readings_of(kind, language, evidence, example.inputs);
  const std::vector<double> weights = weights_of(readings);
  Loss loss;
  for (Size i = 0; i < example.targets.size(); ++i) {
    const double weight = example.weights[i];
    if (!(weight > 0)) continue;
    double shown = 0, and_true = 0;
    for (Size which = 0; which < readings.size(); ++which) {
      const double* u = readings[which].elsewhere(i);
      double own = 0;  // P(input at the position | other inputs), hidden or not
      for (Size z = 0; z < size; ++z) own += u[z] * evidence[i * size + z];
      if (!(own > 0)) continue;
      const HiddenDistribution distribution =
          hidden_distribution(channel, language, u, example.inputs[i], example.targets[i]);
      shown += weights[which] / own * distribution.shown;
      and_true += weights[which] / own * distribution.and_true;
    }
    loss += {weight * negative_log(and_true, shown), weight};
  }
  return loss;
}

Loss pair_label_optimum(const TokenChannel& channel, PairKind kind, const Chain& language,
                        const Example& example) {
  Loss loss;
  if (example.labels.empty()) return loss;
  const Evidence evidence = evidence_through(channel, language, example.inputs);
  const std::vector<Reading> readings = readings_of(kind, language, evidence, example.inputs);
  const std::vector<double> weights = weights_of(readings);
  for (const Label& label : example.labels) {
    if (!(label.weight > 0)) continue;
    double part = 0, total = 0;
    for (Size which = 0; which < readings.size(); ++which) {
      total += weights[which];
      if (readings[which].label() == label.target) part += weights[which];
    }
    loss += {label.weight * negative_log(part, total), label.weight};
  }
  return loss;
}

}  // namespace ablate::objectives
