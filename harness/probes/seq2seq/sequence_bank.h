// Copies of one network that are fine-tuned to write outputs, as lanes of a bank.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/probes/fine_tuning/tuning.h"
#include "harness/probes/seq2seq/pair_tasks.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// What all copies are fine-tuned with.
struct SequenceSettings {
  std::vector<TuningLane> lanes;
  std::int64_t epochs = 10;  // passes over the training pairs
  std::int64_t batch = 32;   // pairs of a step
  Needs needs;               // of the form of pairs: pair_needs()
  Vocabulary vocabulary;     // of the model
  std::string device = "cpu";
};

/// Networks of one architecture that read inputs and write outputs, in the form of pair_format.h.
/// They are trained as in tuning.h.
class SequenceBank {
 public:
  /// `network`: a bank of as many lanes as the settings have, with the weights to start from.
  /// Throws std::invalid_argument where the numbers of lanes differ.
  SequenceBank(std::unique_ptr<train::Network> network, SequenceSettings settings);

  /// Trains every lane on the pairs. Calls `progress` with the fraction of steps made.
  void fine_tune(std::span<const TokenPair> pairs, const ProgressSink& progress);

  /// -log P(first output | input) in nats per token of the output, its end not counted: the mean
  /// over the tokens of all pairs, by lane.
  std::vector<double> losses(std::span<const TokenPair> pairs) const;

  /// What each lane writes after each input, the most probable token at a time: [lane][pair]. An
  /// output ends at the first special token, or at `longest` tokens; where the form tells the length,
  /// it has as many tokens as the pair's first output.
  std::vector<std::vector<std::vector<Token>>> written(std::span<const TokenPair> pairs,
                                                       std::size_t longest) const;

  /// The lanes from `first` on, in `network`: a bank of as many lanes as are wanted. Throws
  /// std::invalid_argument where there are not as many.
  SequenceBank part(std::size_t first, std::unique_ptr<train::Network> network) const;

  /// The lanes' weights.
  std::vector<train::Parameter>& parameters() { return bank_.network().parameters(); }

 private:
  SequenceSettings settings_;
  TunedBank bank_;
};

}  // namespace ablate::probes
