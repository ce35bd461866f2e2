#include "harness/probes/prompting/few_shot.h"

#include <algorithm>

namespace ablate::probes {
namespace {

void append(std::span<const Token> tokens, std::vector<Token>& to) {
  to.insert(to.end(), tokens.begin(), tokens.end());
}

/// Appends a text, or the two of a pair, cut to `shown` tokens.
void append_text(const PromptFormat& format, std::span<const Token> text, std::size_t shown,
                 std::vector<Token>& to) {
  const auto separator = std::find(text.begin(), text.end(), Token{separator_token});
  if (separator == text.end()) return append(text.first(std::min(shown, text.size())), to);
  const auto first = text.first(static_cast<std::size_t>(separator - text.begin()));
  const auto second = text.subspan(first.size() + 1);
  const std::size_t spare = shown - std::min(shown / 2, second.size());
  const std::size_t of_first = std::min(first.size(), spare);
  append(first.first(of_first), to);
  append(format.between, to);
  append(second.first(std::min(second.size(), shown - of_first)), to);
}

}  // namespace

std::vector<Token> prompt_of(const PromptFormat& format,
                             std::span<const Demonstration> demonstrations,
                             std::span<const Token> text, std::size_t shown) {
  std::vector<Token> prompt = {begin_token};
  for (const Demonstration& one : demonstrations) {
    append_text(format, one.text, shown, prompt);
    append(format.before, prompt);
    append(format.verbalisers[one.label], prompt);
    append(format.after, prompt);
  }
  append_text(format, text, shown, prompt);
  append(format.before, prompt);
  return prompt;
}

LabelScores shared_scores(const std::vector<std::vector<double>>& shares,
                          std::span<const std::int32_t> labels) {
  const std::size_t classes = shares.front().size();
  double right = 0, f1 = 0, occurring = 0;
  for (std::size_t label = 0; label < classes; ++label) {
    double own = 0, named = 0, labelled = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const bool is = labels[i] == static_cast<std::int32_t>(label);
      named += shares[i][label];
      labelled += is ? 1 : 0;
      own += is ? shares[i][label] : 0;
    }
    right += own;
    if (named + labelled == 0) continue;
    ++occurring;
    f1 += 2 * own / (named + labelled);
  }
  return {right / static_cast<double>(shares.size()), f1 / occurring};
}

}  // namespace ablate::probes
