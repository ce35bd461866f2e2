#include "harness/probes/prompts/answers.h"

#include <algorithm>
#include <numeric>

#include "harness/base/error.h"
#include "harness/probes/cloze/filling.h"
#include "harness/probes/cloze/questions.h"

namespace ablate::probes {
namespace {

constexpr std::string_view kReadings[] = {"nothing", "what is left of the blank", "both sides",
                                          "both sides, and the number of tokens"};

/// The most probable of `probabilities`: of ids of text, and where it has one entry more, of all
/// special ids.
std::vector<std::pair<Token, double>> top_of(const std::vector<double>& probabilities,
                                             std::int64_t ordinary, std::int64_t count) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return probabilities[a] > probabilities[b];
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  std::vector<std::pair<Token, double>> top;
  top.reserve(order.size());
  for (const std::size_t i : order) {
    const auto token = static_cast<Token>(i);
    top.emplace_back(token < ordinary ? token + special_count : -1, probabilities[i]);
  }
  return top;
}

void check(const run::Prompt& prompt, const Vocabulary& vocabulary) {
  if (prompt.parts.size() < 2) reject("the prompt has no blank");
  if (prompt.tokens < 1) reject("the prompt's blanks have no tokens");
  for (const std::vector<Token>& part : prompt.parts)
    for (const Token id : part)
      if (!vocabulary.is_ordinary(id))
        reject("the prompt: {} is not an id of text; they are {} to {}", id,
               vocabulary.first_ordinary(), vocabulary.end_ordinary() - 1);
}

/// The prompt with the first blanks filled: what stands left and right of the next one.
struct Sides {
  std::vector<Token> left, right;
};

Sides sides_of(const run::Prompt& prompt, const Fillings& filled) {
  Sides sides{{begin_token}, {}};
  const auto append = [](std::vector<Token>& to, const std::vector<Token>& ids) {
    to.insert(to.end(), ids.begin(), ids.end());
  };
  for (std::size_t i = 0; i < filled.size(); ++i) {
    append(sides.left, prompt.parts[i]);
    append(sides.left, filled[i]);
  }
  append(sides.left, prompt.parts[filled.size()]);
  for (std::size_t i = filled.size() + 1; i < prompt.parts.size(); ++i) {
    append(sides.right, prompt.parts[i]);
    if (i + 1 < prompt.parts.size())
      append(sides.right, std::vector(static_cast<std::size_t>(prompt.tokens), Token{mask_token}));
  }
  return sides;
}

Fillings fill_all(const Subject& subject, const run::Prompt& prompt, double temperature,
                  const Rng& rng) {
  Fillings fillings;
  while (fillings.size() + 1 < prompt.parts.size()) {
    const Sides sides = sides_of(prompt, fillings);
    const Blank blank{sides.left, sides.right, static_cast<std::size_t>(prompt.tokens)};
    fillings.push_back(filled(subject, blank, temperature, rng.fork(fillings.size())));
  }
  return fillings;
}

}  // namespace

Answer answer_of(const Subject& subject, const run::Prompt& prompt) {
  check(prompt, subject.vocabulary());
  Answer answer{.format = cloze_format_of(subject.objective(), subject.phase.params)};
  if (answer.format == ClozeFormat::none)
    reject("the objective has no format for a text with a blank");
  const Rng rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("answer");
  const std::int64_t ordinary = subject.vocabulary().ordinary;
  const Sides sides = sides_of(prompt, {});
  const Blank first{sides.left, sides.right, static_cast<std::size_t>(prompt.tokens)};
  answer.top = top_of(blank_distribution(subject, first, {}), ordinary, prompt.top);
  if (subject.language)
    answer.exact = top_of(exact_first(subject.language->chain(), sides.left, first.tokens,
                                      sides.right, answer.format),
                          ordinary, prompt.top);
  answer.greedy = fill_all(subject, prompt, 0, rng);
  for (std::int64_t i = 0; i < prompt.samples; ++i)
    answer.samples.push_back(
        fill_all(subject, prompt, prompt.temperature, rng.fork(static_cast<std::uint64_t>(i))));
  return answer;
}

std::string_view reading_of(ClozeFormat format) {
  return kReadings[static_cast<std::size_t>(format)];
}

}  // namespace ablate::probes
