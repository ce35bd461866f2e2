#include "harness/probes/generation/drawing/format_source.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/probes/cloze/blanks.h"

namespace ablate::probes {
namespace {

constexpr float kNotDrawn = -1e30f;  // the logit of what cannot be drawn

/// Asks for the token that follows `text`, whose first `given` tokens stand left of a blank of `blank`
/// tokens. These are the same number throughout, since a mixture may choose by it whom to ask.
Example next_of(const Subject& subject, std::span<const Token> text, std::size_t given,
                std::size_t blank) {
  Example example =
      next_of_blank(subject, {.left = text.first(given), .tokens = blank}, text.subspan(given));
  drop_after_scored(example, subject.phase.objective.needs);
  return example;
}

/// Asks for the next tokens of blanks at the ends of texts.
class FormatPredictor {
 public:
  FormatPredictor(const Subject& subject, std::size_t given, std::size_t length)
      : subject_(subject),
        reader_(std::make_shared<RowReader>(subject.network, subject.device)),
        given_(given),
        blank_(length - given),
        stop_(stop_of(subject, blank_)) {}

  std::vector<float> operator()(std::span<const std::span<const Token>> texts,
                                std::span<const Place> places) const {
    std::vector<Example> examples;
    examples.reserve(places.size());
    for (const Place& place : places)
      examples.push_back(
          next_of(subject_, texts[place.document].first(place.position + 1), given_, blank_));
    std::vector<float> logits = logits_of(subject_, *reader_, examples);
    const std::size_t vocabulary = logits.size() / places.size();
    for (std::size_t row = 0; row < logits.size(); row += vocabulary)
      logits[row + end_token] = stop_ ? logits[row + static_cast<std::size_t>(*stop_)] : kNotDrawn;
    return logits;
  }

 private:
  /// The token by which the format ends a blank of `blank` tokens at the end of a text, if any does.
  static std::optional<Token> stop_of(const Subject& subject, std::size_t blank) {
    const Objective& objective = subject.phase.objective;
    if (!objective.cloze_stop) return std::nullopt;
    const Token begin[] = {begin_token};
    const std::vector<Token> target(blank, subject.vocabulary().first_ordinary());
    for (const Example& example : objective.cloze_stop({begin, target, {}}))
      for (std::size_t i = 0; i < example.targets.size(); ++i)
        if (example.weights[i] > 0) return example.targets[i];
    return std::nullopt;
  }

  Subject subject_;
  std::shared_ptr<RowReader> reader_;  // of all copies
  std::size_t given_, blank_;
  std::optional<Token> stop_;
};

}  // namespace

TokenSource format_source(const Subject& subject, const Sampler& sampler, std::size_t given,
                          std::size_t length) {
  return {.predict = FormatPredictor(subject.with(sampler.network), given, length),
          .vocabulary = sampler.vocabulary,
          .temperature = sampler.temperature,
          .rng = sampler.rng,
          .filter = sampler.filter};
}

std::size_t longest_through_format(const Subject& subject, std::size_t given, std::size_t length) {
  std::vector<Token> text(length, subject.vocabulary().first_ordinary());
  text.front() = begin_token;
  for (; length > given; --length) {
    const auto all_but_one = std::span<const Token>(text).first(length - 1);
    if (fits(subject, next_of(subject, all_but_one, given, length - given))) break;
  }
  return length;
}

}  // namespace ablate::probes
