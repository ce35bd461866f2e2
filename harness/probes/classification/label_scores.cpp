#include "harness/probes/classification/label_scores.h"

#include <vector>

namespace ablate::probes {

LabelScores label_scores(std::span<const std::int32_t> named, std::span<const std::int32_t> labels,
                         std::int32_t classes) {
  struct Counts {
    double right = 0, named = 0, labelled = 0;
  };
  std::vector<Counts> counts(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++counts[static_cast<std::size_t>(named[i])].named;
    ++counts[static_cast<std::size_t>(labels[i])].labelled;
    if (named[i] == labels[i]) ++counts[static_cast<std::size_t>(labels[i])].right;
  }
  double right = 0, f1 = 0, occurring = 0;
  for (const Counts& of : counts) {
    right += of.right;
    if (of.named + of.labelled == 0) continue;
    ++occurring;
    f1 += 2 * of.right / (of.named + of.labelled);
  }
  return {right / static_cast<double>(labels.size()), f1 / occurring};
}

}  // namespace ablate::probes
