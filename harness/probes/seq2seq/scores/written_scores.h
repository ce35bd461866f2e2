// How good written texts are, each beside the outputs that are accepted. Without LibTorch.

#pragma once

#include <string>
#include <vector>

namespace ablate::probes {

/// Scores of written texts.
struct WrittenScores {
  std::vector<double> exact, f1;  // by text; of several accepted outputs the best
  double chrf = 0;                // of the corpus, 0 to 100
};

/// `accepted[i]`: the outputs that are accepted for text i, at least one. For chrF each text is held
/// to the output with which it scores highest, as sacreBLEU does. Requires: as many as texts.
WrittenScores written_scores(const std::vector<std::string>& texts,
                             const std::vector<std::vector<std::string>>& accepted);

/// The mean; 0 of no values.
double mean_of(const std::vector<double>& values);

}  // namespace ablate::probes
