#include "objectives/common/pairs/pair_distribution.h"

#include <boost/math/quadrature/gauss.hpp>
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
  Size words = 0;  // the first positions, which were cut at a sentence; 0: the cut says nothing
  Size cut = 0;    // where they were cut; 0: nowhere, because no sentence starts among them
};

/// A belief of how the inputs were made.
struct Belief {
  Token label = unpaired_label;
  std::vector<Line> lines;
};

std::vector<Size> concatenated(std::vector<Size> a, const std::vector<Size>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The possible beliefs, equally probable.
std::vector<Belief> beliefs_of(const PairMaking& making, std::span<const Token> inputs) {
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
    Line line{concatenated(concatenated(a, b), end), begins};
    if (!making.at_sentences) return line;
    if (!b.empty()) line.cut = a.size();
    // One segment of next sentence prediction: perhaps no other document had a long enough one.
    if (!b.empty() || making.kind != PairKind::nsp) line.words = a.size() + b.size();
    return line;
  };
  std::vector<Belief> beliefs = {{follows_label, {in_order(first, second)}}};
  if (second.empty() || making.kind == PairKind::none) return beliefs;
  if (making.kind == PairKind::sop) {
    beliefs.push_back({broken_label, {in_order(second, first)}});
    return beliefs;
  }
  const std::vector<Size> unseen(second.size(), kUnseen);
  Line random{second};
  random.of_known_length = true;
  beliefs.push_back({broken_label, {in_order(first, unseen), std::move(random)}});
  return beliefs;
}

/// A value of s, and its weight in the integral over s.
struct Node {
  double s = 1, weight = 1;
};

std::vector<Node> nodes_of(const PairMaking& making) {
  if (!making.at_sentences) return {{}};
  using Quadrature = boost::math::quadrature::gauss<double, 12>;
  std::vector<Node> nodes;
  for (Size i = 0; i < Quadrature::abscissa().size(); ++i)
    for (const double sign : {-1.0, 1.0})
      nodes.push_back({(1 + sign * Quadrature::abscissa()[i]) / 2, Quadrature::weights()[i] / 2});
  return nodes;
}

/// What the cut says of the state at a position of a line: a factor of its evidence.
double cut_factor(const Line& line, Size at, bool ends_sentence, double s) {
  if (at + 1 >= line.words) return 1;  // nobody cuts behind the last word
  if (line.cut == 0) return ends_sentence ? 0 : 1;
  if (at + 1 == line.cut) return ends_sentence ? 1 : 0;
  return ends_sentence ? s : 1;
}

/// The exact predictor's state under one belief, at one node.
class Reading {
 public:
  /// `smoothed`: elsewhere() will be called.
  Reading(const Chain& language, const Evidence& evidence, const Belief& belief, const Node& node,
          bool smoothed)
      : language_(language),
        size_(static_cast<Size>(language.composite_states())),
        elsewhere_(smoothed ? evidence.size() : 0, 0.0),
        s_(node.s),
        label_(belief.label),
        log_probability_(std::log(node.weight)) {
    for (const Line& line : belief.lines) add(evidence, line);
  }

  Token label() const { return label_; }
  double log_probability() const { return log_probability_; }

  /// Weights of the state at position `at` according to all other inputs, [composite state].
  const double* elsewhere(Size at) const { return elsewhere_.data() + at * size_; }

 private:
  /// The evidence along the line, [position of the line, composite state].
  Evidence of_line(const Evidence& evidence, const Line& line) const {
    const auto n = static_cast<Size>(language_.states);
    Evidence own;
    own.reserve(line.positions.size() * size_);
    for (Size t = 0; t < line.positions.size(); ++t)
      for (Size z = 0; z < size_; ++z) {
        const Size at = line.positions[t];
        own.push_back((at != kUnseen ? evidence[at * size_ + z] : z % n != n - 1) *
                      cut_factor(line, t, language_.ends_sentence(z), s_));
      }
    return own;
  }

  void add(const Evidence& evidence, const Line& line) {
    const auto time = static_cast<std::int64_t>(line.positions.size());
    const Evidence own = of_line(evidence, line);
    log_probability_ += ablate::log_probability(language_, time, own, line.starts_document);
    if (line.of_known_length)
      log_probability_ -= ablate::log_probability(
          language_, time,
          of_line(evidence, {.positions = std::vector<Size>(line.positions.size(), kUnseen)}),
          line.starts_document);
    if (!elsewhere_.empty()) smooth(line, own);
  }

  void smooth(const Line& line, const Evidence& own) {
    const std::vector<double> u = leave_one_out_smoothing(
        language_, static_cast<std::int64_t>(line.positions.size()), own, line.starts_document);
    for (Size t = 0; t < line.positions.size(); ++t)
      for (Size z = 0; line.positions[t] != kUnseen && z < size_; ++z)
        elsewhere_[line.positions[t] * size_ + z] =
            u[t * size_ + z] * cut_factor(line, t, language_.ends_sentence(z), s_);
  }

  const Chain& language_;
  Size size_;
  std::vector<double> elsewhere_;
  double s_;
  Token label_;
  double log_probability_;
};

std::vector<Reading> readings_of(const PairMaking& making, const Chain& language,
                                 const Evidence& evidence, std::span<const Token> inputs,
                                 bool smoothed) {
  std::vector<Reading> readings;
  for (const Belief& belief : beliefs_of(making, inputs))
    for (const Node& node : nodes_of(making))
      readings.emplace_back(language, evidence, belief, node, smoothed);
  return readings;
}

/// P(inputs | belief, node) up to a factor that all share.
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

Loss pair_token_optimum(const TokenChannel& channel, const PairMaking& making,
                        const Chain& language, const Example& example) {
  const auto size = static_cast<Size>(language.composite_states());
  const Evidence evidence = evidence_through(channel, language, example.inputs);
  const std::vector<Reading> readings =
      readings_of(making, language, evidence, example.inputs, true);
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

Loss pair_label_optimum(const TokenChannel& channel, const PairMaking& making,
                        const Chain& language, const Example& example) {
  Loss loss;
  if (example.labels.empty()) return loss;
  const Evidence evidence = evidence_through(channel, language, example.inputs);
  const std::vector<Reading> readings =
      readings_of(making, language, evidence, example.inputs, false);
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
