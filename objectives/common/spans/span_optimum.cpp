// Sums over all lengths of all spans by dynamic programming: over spans, tokens hidden so far, and
// states of the chain.

#include "objectives/common/spans/span_optimum.h"

#include <algorithm>
#include <cmath>

#include "objectives/common/optimum/hidden_optimum.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;

using Weights = std::vector<double>;  // [composite state]

/// One step of the chain after a token that does not end its document:
/// to[j] = sum_i from[i] P(i to j).
Weights after_word(const Chain& chain, const Weights& from) {
  const auto n = static_cast<Size>(chain.states);
  Weights to(from.size(), 0.0);
  for (Size i = 0; i < from.size(); ++i) {
    if (i % n == n - 1) continue;
    const double* row = chain.transition.data() + i * n;
    double* block = to.data() + i / n * n;
    for (Size j = 0; j < n; ++j) block[j] += from[i] * row[j];
  }
  return to;
}

void add(double weight, const Weights& weights, Weights& to) {
  if (to.empty()) to.assign(weights.size(), 0.0);
  for (Size z = 0; z < weights.size(); ++z) to[z] += weight * weights[z];
}

/// Reads a document's part from left to right. For every number of tokens that the spans so far may
/// have hidden, keeps P(tokens read, this number, state of the next token), up to a common factor.
class Reader {
 public:
  Reader(const Chain& chain, const SpanLengths& lengths, Noise noise, bool starts_document)
      : chain_(chain), lengths_(lengths), noise_(noise), weights_{Weights(chain.stationary)} {
    const auto n = static_cast<Size>(chain.states);
    if (!starts_document) return;
    for (Size z = 0; z < weights_[0].size(); ++z)
      weights_[0][z] = chain.blocks[z / n].probability * chain.start[z];
  }

  /// Reads a visible token; `evidence` is its likelihood, [composite state].
  void see(const double* evidence) {
    for (Weights& weights : weights_)
      for (Size z = 0; z < weights.size(); ++z) weights[z] *= evidence[z];
    rescale();
    for (Weights& weights : weights_)
      if (!weights.empty()) weights = after_word(chain_, weights);
  }

  /// Reads a sentinel: a span of any length that leaves at least one token for each later span. The
  /// last span takes all remaining tokens.
  void hide() {
    const auto to_come = noise_.spans - ++spans_;
    const auto maximum = static_cast<Size>(noise_.tokens - to_come);
    std::vector<Weights> next = lengths_.is_flat() ? flat(maximum) : weighted(maximum);
    if (to_come == 0)
      for (Size used = 0; used < maximum; ++used) next[used].clear();
    weights_ = std::move(next);
    rescale();
  }

  double log_probability() const { return log_; }

 private:
  std::vector<Weights> weighted(Size maximum) const {
    std::vector<Weights> next(maximum + 1);
    for (Size used = 0; used < weights_.size(); ++used) {
      Weights weights = weights_[used];
      for (Size length = 1; !weights.empty() && used + length <= maximum; ++length) {
        const double weight = lengths_.weight(static_cast<std::int64_t>(length));
        weights = after_word(chain_, weights);
        if (weight > 0) add(weight, weights, next[used + length]);
      }
    }
    return next;
  }

  /// The same for equal weights, in linear time: extends every shorter span by one token.
  std::vector<Weights> flat(Size maximum) const {
    std::vector<Weights> next(maximum + 1);
    for (Size used = 1; used <= maximum; ++used) {
      Weights weights = next[used - 1];
      if (used - 1 < weights_.size() && !weights_[used - 1].empty())
        add(1, weights_[used - 1], weights);
      if (!weights.empty()) next[used] = after_word(chain_, weights);
    }
    return next;
  }

  void rescale() {
    double total = 0;
    for (const Weights& weights : weights_)
      for (const double value : weights) total += value;
    log_ += std::log(total);
    for (Weights& weights : weights_)
      for (double& value : weights) value /= total;
  }

  const Chain& chain_;
  const SpanLengths& lengths_;
  Noise noise_;
  std::vector<Weights> weights_;  // by tokens used; empty where impossible
  std::int64_t spans_ = 0;
  double log_ = 0;
};

/// The lengths of the runs of hidden tokens.
std::vector<std::int64_t> runs_of(const std::vector<bool>& hidden) {
  std::vector<std::int64_t> runs;
  for (Size t = 0; t < hidden.size(); ++t) {
    if (!hidden[t]) continue;
    if (t == 0 || !hidden[t - 1]) runs.push_back(0);
    ++runs.back();
  }
  return runs;
}

/// -log P(hidden tokens | inputs), nats, if span lengths are unknown. Requires: the part starts
/// with a kept token.
double cost_of_spans(const SpanLengths& lengths, const Chain& language,
                     std::span<const Token> tokens, const std::vector<bool>& hidden) {
  const std::vector<std::int64_t> runs = runs_of(hidden);
  Noise noise{0, std::ssize(runs)};
  double log_weight = 0;
  for (const std::int64_t run : runs) {
    noise.tokens += run;
    log_weight += std::log(lengths.weight(run));
  }
  const std::vector<Segment> segment = segments(tokens);  // one: tokens of a part stand together
  const bool starts_document = segment.front().starts_document;
  const auto size = static_cast<Size>(language.composite_states());
  const Evidence evidence = emission_likelihood(language, tokens);
  Reader reader(language, lengths, noise, starts_document);
  for (Size t = segment.front().first; t < tokens.size(); ++t)
    if (!hidden[t])
      reader.see(evidence.data() + t * size);
    else if (!hidden[t - 1])
      reader.hide();
  const auto own = tokens.subspan(segment.front().first);
  return reader.log_probability() - log_weight -
         ablate::log_probability(language, std::ssize(own), emission_likelihood(language, own),
                                 starts_document);
}

}  // namespace

Loss span_optimum(const SpanNoise& noise, const Chain& language, const Text& text,
                  const Example& example) {
  const Loss nothing{0, scored_weight(example)};
  if (example.hidden.empty()) return nothing;
  const auto first = static_cast<Size>(example.hidden.front().position);
  for (const Part& part : parts_of(text)) {
    if (first >= part.first + part.count) continue;
    std::vector<bool> hidden(part.count, false);
    for (const Hidden& one : example.hidden)
      hidden[static_cast<Size>(one.position) - part.first] = true;
    const auto tokens = tokens_of(text, part);
    return {noise.settings().roll ? cost_of_hidden(language, tokens, hidden)
                                  : cost_of_spans(noise.span_lengths(), language, tokens, hidden),
            nothing.weight};
  }
  return nothing;
}

Loss span_context_free(std::span<const double> unigram, const Example& example) {
  const auto targets = static_cast<double>(example.targets.size());
  const auto hidden = static_cast<double>(example.hidden.size());
  const double words = 1 - unigram.back();  // an end token is never hidden
  Loss loss;
  for (Size i = 0; i < example.targets.size(); ++i) {
    const double weight = example.weights[i];
    const auto word = static_cast<Size>(example.targets[i] - special_count);
    if (!(weight > 0)) continue;
    const bool is_word = example.targets[i] >= special_count && word + 1 < unigram.size();
    loss += {-weight * std::log(is_word ? hidden / targets * unigram[word] / words : 1 / targets),
             weight};
  }
  return loss;
}

}  // namespace ablate::objectives
