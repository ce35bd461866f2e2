// One sum over all lengths of all spans: by span, by tokens hidden so far, by state of the chain.

#include "objectives/common/spans/span_optimum.h"

#include <algorithm>
#include <cmath>

#include "objectives/common/optimum/hidden_optimum.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;

using Law = std::vector<double>;  // a weight for each composite state

/// What comes after a token that does not end its document: to[j] = sum_i from[i] P(i to j).
Law after_word(const Chain& chain, const Law& from) {
  const auto n = static_cast<Size>(chain.states);
  Law to(from.size(), 0.0);
  for (Size i = 0; i < from.size(); ++i) {
    if (i % n == n - 1) continue;
    const double* row = chain.transition.data() + i * n;
    double* block = to.data() + i / n * n;
    for (Size j = 0; j < n; ++j) block[j] += from[i] * row[j];
  }
  return to;
}

void add(double weight, const Law& distribution, Law& to) {
  if (to.empty()) to.assign(distribution.size(), 0.0);
  for (Size z = 0; z < distribution.size(); ++z) to[z] += weight * distribution[z];
}

/// Reads a document's part from left to right. For every number of tokens that the spans so far may
/// have hidden it keeps P(what was read, that number, state of the next token), all scaled alike.
class Reader {
 public:
  Reader(const Chain& chain, const SpanLengths& lengths, Noise noise, bool starts_document)
      : chain_(chain), lengths_(lengths), noise_(noise), laws_{Law(chain.stationary)} {
    const auto n = static_cast<Size>(chain.states);
    if (!starts_document) return;
    for (Size z = 0; z < laws_[0].size(); ++z)
      laws_[0][z] = chain.blocks[z / n].share * chain.start[z];
  }

  /// A token is shown; `evidence` [state].
  void see(const double* evidence) {
    for (Law& distribution : laws_)
      for (Size z = 0; z < distribution.size(); ++z) distribution[z] *= evidence[z];
    rescale();
    for (Law& distribution : laws_)
      if (!distribution.empty()) distribution = after_word(chain_, distribution);
  }

  /// A sentinel is shown: a span of any length that leaves a token to each span to come, and none
  /// over where none is to come.
  void hide() {
    const auto to_come = noise_.spans - ++spans_;
    const auto maximum = static_cast<Size>(noise_.tokens - to_come);
    std::vector<Law> next = lengths_.is_flat() ? flat(maximum) : weighted(maximum);
    if (to_come == 0)
      for (Size used = 0; used < maximum; ++used) next[used].clear();
    laws_ = std::move(next);
    rescale();
  }

  double log_probability() const { return log_; }

 private:
  std::vector<Law> weighted(Size maximum) const {
    std::vector<Law> next(maximum + 1);
    for (Size used = 0; used < laws_.size(); ++used) {
      Law distribution = laws_[used];
      for (Size length = 1; !distribution.empty() && used + length <= maximum; ++length) {
        const double weight = lengths_.weight(static_cast<std::int64_t>(length));
        distribution = after_word(chain_, distribution);
        if (weight > 0) add(weight, distribution, next[used + length]);
      }
    }
    return next;
  }

  /// The same where all lengths weigh alike: a span of one more token goes on where the others do.
  std::vector<Law> flat(Size maximum) const {
    std::vector<Law> next(maximum + 1);
    for (Size used = 1; used <= maximum; ++used) {
      Law distribution = next[used - 1];
      if (used - 1 < laws_.size() && !laws_[used - 1].empty())
        add(1, laws_[used - 1], distribution);
      if (!distribution.empty()) next[used] = after_word(chain_, distribution);
    }
    return next;
  }

  void rescale() {
    double total = 0;
    for (const Law& distribution : laws_)
      for (const double value : distribution) total += value;
    log_ += std::log(total);
    for (Law& distribution : laws_)
      for (double& value : distribution) value /= total;
  }

  const Chain& chain_;
  const SpanLengths& lengths_;
  Noise noise_;
  std::vector<Law> laws_;  // by tokens used; empty where impossible
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

/// The cost where span lengths are not told. Requires that the part starts with a kept token.
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
