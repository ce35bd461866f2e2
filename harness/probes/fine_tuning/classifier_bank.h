// Copies of one network with a linear classifier each, fine-tuned together as lanes of a bank.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/probes/fine_tuning/tuning.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// What all copies are fine-tuned with.
struct FineTuneSettings {
  std::vector<TuningLane> lanes;  // each seed draws the classifier's initial weights, too
  std::int32_t classes = 2;
  std::int64_t epochs = 10;  // passes over the training documents
  std::int64_t batch = 32;   // documents of a step
  Reading reading = {};      // how documents are read
  bool mean = true;          // pools the mean of a document's last hidden states;
                             // else takes that of the last one read
  std::string device = "cpu";
};

/// Documents with their classes.
struct LabelledDocuments {
  std::span<const std::vector<Token>> documents;
  std::span<const std::int32_t> labels;
};

/// Networks of one architecture that read documents and name their classes, trained as in tuning.h.
class ClassifierBank {
 public:
  /// `network`: a bank of as many lanes as the settings have, with the weights to start from.
  /// Throws std::invalid_argument where the numbers of lanes differ.
  ClassifierBank(std::unique_ptr<train::Network> network, FineTuneSettings settings);

  /// Trains every lane on the documents. Calls `progress` with the fraction of steps made.
  void fine_tune(const LabelledDocuments& given, const ProgressSink& progress);

  /// The class that each lane names for each document: [lane][document].
  std::vector<std::vector<std::int32_t>> classify(
      std::span<const std::vector<Token>> documents) const;

  /// The lanes from `first` on with their classifiers, in `network`: a bank of as many lanes as are
  /// wanted. Throws std::invalid_argument where there are not as many.
  ClassifierBank part(std::size_t first, std::unique_ptr<train::Network> network) const;

  /// The lanes' weights, classifiers excluded.
  std::vector<train::Parameter>& parameters() { return bank_.network().parameters(); }

 private:
  FineTuneSettings settings_;
  std::vector<train::Parameter> head_;  // weights and intercepts of the classifiers
  TunedBank bank_;
};

}  // namespace ablate::probes
