#include "harness/probes/seq2seq/scores/written_scores.h"

#include <algorithm>
#include <numeric>

#include "harness/probes/seq2seq/scores/text_overlap.h"

namespace ablate::probes {

WrittenScores written_scores(const std::vector<std::string>& texts,
                             const std::vector<std::vector<std::string>>& accepted) {
  WrittenScores scores;
  ChrfCounts all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    double exact = 0, f1 = 0, highest = -1;
    ChrfCounts best;
    for (const std::string& output : accepted[i]) {
      exact = std::max(exact, same_answer(texts[i], output) ? 1.0 : 0.0);
      f1 = std::max(f1, word_f1(texts[i], output));
      const ChrfCounts counts = chrf_counts(texts[i], output);
      if (counts.score() <= highest) continue;
      highest = counts.score();
      best = counts;
    }
    scores.exact.push_back(exact);
    scores.f1.push_back(f1);
    all += best;
  }
  scores.chrf = all.score();
  return scores;
}

double mean_of(const std::vector<double>& values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace ablate::probes
