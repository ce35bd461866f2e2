#include "harness/probes/unigram.h"

#include <cmath>

namespace ablate::probes {

std::vector<double> unigram_of(const Subject& subject) {
  if (subject.language) return unigram(subject.language->chain());
  const auto ordinary = static_cast<std::size_t>(subject.vocabulary().ordinary);
  std::vector<double> distribution(ordinary + 1, 1);
  double total = static_cast<double>(distribution.size());
  for (const Token token : subject.corpus.training().tokens) {
    if (!subject.vocabulary().is_ordinary(token) && token != end_token) continue;
    ++distribution[token == end_token ? ordinary : static_cast<std::size_t>(token - special_count)];
    ++total;
  }
  for (double& probability : distribution) probability /= total;
  return distribution;
}

double context_free_cost(std::span<const double> unigram, std::span<const Token> tokens) {
  double cost = 0;
  for (const Token token : tokens)
    cost -= std::log(unigram[static_cast<std::size_t>(token - special_count)]);
  return cost;
}

}  // namespace ablate::probes
