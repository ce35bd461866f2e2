// How one model is fine-tuned and judged: which documents are read when, so that nothing is chosen by
// test documents.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/probes/fine_tuning/classifier_bank.h"

namespace ablate::probes {

enum class Split { training, development, test };

/// Gives the documents of a split when they are wanted. They outlive what asks for them.
using ReadSplit = std::function<LabelledDocuments(Split)>;

/// What is fine-tuned, and how.
struct Recipe {
  std::vector<double> rates;  // ascending
  std::size_t seeds = 1;
  FineTuneSettings settings;  // its lanes: every rate, and for each every seed
};

/// The result of one fine-tuning: of the learning rate that was chosen.
struct FineTuned {
  double accuracy = 0, macro_f1 = 0;  // on test documents, means over seeds
  double deviation = 0;               // of the accuracy over seeds
  double rate = 0;
  std::vector<double> by_rate;  // the accuracy on development documents, by rate; means over seeds
  std::vector<double> right;    // by test document, the fraction of lanes that name its label
};

/// Fine-tunes every lane to the training documents, for all epochs; then chooses the rate with the
/// highest accuracy on development documents, of equal ones the smallest; then classifies the test
/// documents with the lanes of that rate alone. `bank`: of all lanes, with the weights to start from.
/// `bank_of`: builds one of so many lanes. Each split is read when its turn comes and not before.
FineTuned fine_tune(std::unique_ptr<train::Network> bank, const Recipe& recipe,
                    const ReadSplit& read,
                    const std::function<std::unique_ptr<train::Network>(std::int64_t)>& bank_of,
                    const std::function<void(double fraction)>& progress);

}  // namespace ablate::probes
