#include "harness/probes/cloze/filling.h"

#include <algorithm>
#include <cmath>

#include "harness/base/time/time_spent.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kBlanksAtOnce = 64;

/// The softmax of logits: of the ordinary ids, and last of all special ids together.
std::vector<double> probabilities_of(std::span<const float> logits, const Vocabulary& vocabulary) {
  const double maximum = *std::max_element(logits.begin(), logits.end());
  const auto ordinary = static_cast<std::size_t>(vocabulary.ordinary);
  std::vector<double> probabilities(ordinary + 1);
  double total = 0;
  for (std::size_t id = 0; id < logits.size(); ++id) {
    const double mass = std::exp(static_cast<double>(logits[id]) - maximum);
    const bool is_text = vocabulary.is_ordinary(static_cast<Token>(id));
    probabilities[is_text ? id - special_count : ordinary] += mass;
    total += mass;
  }
  for (double& probability : probabilities) probability /= total;
  return probabilities;
}

/// The distributions of the tokens that follow `filled` in each of the blanks numbered `open`.
std::vector<std::vector<double>> distributions_of(const Subject& subject, RowReader& reader,
                                                  std::span<const Blank> blanks,
                                                  const std::vector<std::vector<Token>>& filled,
                                                  std::span<const std::size_t> open) {
  std::vector<Example> examples;
  examples.reserve(open.size());
  for (const std::size_t i : open) {
    examples.push_back(next_of_blank(subject, blanks[i], filled[i]));
    check_room(subject, blanks[i], examples.back());
  }
  const std::vector<float> logits = logits_of(subject, reader, examples);
  const std::size_t width = logits.size() / open.size();
  std::vector<std::vector<double>> distributions;
  distributions.reserve(open.size());
  for (std::size_t i = 0; i < open.size(); ++i)
    distributions.push_back(
        probabilities_of(std::span(logits).subspan(i * width, width), subject.vocabulary()));
  return distributions;
}

std::size_t most_probable(const std::vector<double>& mass) {
  return static_cast<std::size_t>(std::max_element(mass.begin(), mass.end()) - mass.begin());
}

}  // namespace

std::vector<double> blank_distribution(const Subject& subject, RowReader& reader,
                                       const Blank& blank, std::span<const Token> filled) {
  const std::size_t first = 0;
  return distributions_of(subject, reader, {&blank, 1}, {{filled.begin(), filled.end()}},
                          {&first, 1})
      .front();
}

std::vector<double> blank_distribution(const Subject& subject, const Blank& blank,
                                       std::span<const Token> filled) {
  RowReader reader(subject.network, subject.device);
  return blank_distribution(subject, reader, blank, filled);
}

std::vector<Token> filled(const Subject& subject, const Blank& blank, double temperature, Rng rng) {
  std::vector<Token> tokens;
  RowReader reader(subject.network, subject.device);
  while (tokens.size() < blank.tokens && (tokens.empty() || has_room(subject, blank, tokens))) {
    std::vector<double> mass = blank_distribution(subject, reader, blank, tokens);
    std::size_t chosen = most_probable(mass);
    if (temperature > 0) {
      const double top = mass[chosen];
      double total = 0;
      for (double& each : mass) total += each = std::pow(each / top, 1 / temperature);
      double left = rng.fork(tokens.size()).uniform() * total;
      for (chosen = 0; chosen + 1 < mass.size() && (left -= mass[chosen]) >= 0; ++chosen) {
      }
    }
    if (chosen + 1 == mass.size()) break;  // a special id: the blank is full
    tokens.push_back(special_count + static_cast<Token>(chosen));
  }
  return tokens;
}

std::vector<std::vector<Token>> filled_together(const Subject& subject,
                                                std::span<const Blank> blanks) {
  const Spending writing(Activity::text);
  std::vector<std::vector<Token>> filled(blanks.size());
  for (std::size_t first = 0; first < blanks.size(); first += kBlanksAtOnce) {
    std::vector<std::size_t> open;
    for (std::size_t i = first; i < std::min(first + kBlanksAtOnce, blanks.size()); ++i)
      if (blanks[i].tokens > 0) open.push_back(i);
    RowReader reader(subject.network, subject.device);
    while (!open.empty()) {
      const auto distributions = distributions_of(subject, reader, blanks, filled, open);
      std::vector<std::size_t> still_open;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const std::size_t chosen = most_probable(distributions[i]), blank = open[i];
        if (chosen + 1 == distributions[i].size()) continue;  // a special id: the blank is full
        filled[blank].push_back(special_count + static_cast<Token>(chosen));
        if (filled[blank].size() < blanks[blank].tokens &&
            has_room(subject, blanks[blank], filled[blank]))
          still_open.push_back(blank);
      }
      open = std::move(still_open);
    }
  }
  return filled;
}

}  // namespace ablate::probes
