// What training leaves on the disk: checkpoints to go on from, and final weights.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/store/journal/checkpoint.h"
#include "harness/store/journal/journal.h"
#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw.h"

namespace ablate::train {

/// Whose files, and where: the trial's folder, and the journal that names them.
struct TrialFiles {
  std::string trial;  // its id
  std::filesystem::path folder;
  store::Journal& journal;
};

/// All that a bank's tensors hold, on the CPU.
struct BankState {
  at::Tensor values, mean, square;  // float32, as FlatParameters::values
};
BankState host_copy(const FlatParameters& parameters, const AdamW& optimizer);

/// Stores one lane: its tensors, and `state`, which is the trainer's own. The journal is told last;
/// the last two checkpoints are kept.
void save_checkpoint(const TrialFiles& files, const FlatParameters& parameters,
                     const BankState& bank, std::int64_t lane, std::int64_t step,
                     const Json& state);

/// The steps of the checkpoints that the journal names and that verify, last written first. What is
/// damaged is noted in the journal; files that the journal does not name are removed.
std::vector<std::int64_t> resumable_steps(const TrialFiles& files);

/// Loads one lane's weights from those of another trial, whose hash is in the name of the file.
/// Throws DamagedFile where they are others, or of a model of other shapes.
void load_start(const std::filesystem::path& file, const FlatParameters& parameters,
                const at::Tensor& values, std::int64_t lane);

/// Loads one lane's tensors into `bank` and returns the trainer's state. Throws DamagedFile where
/// the checkpoint is damaged, of another trial, or of a model of other shapes.
Json load_checkpoint(const TrialFiles& files, const FlatParameters& parameters,
                     const BankState& bank, std::int64_t lane, std::int64_t step);

/// Stores a lane's final weights, tells the journal, and removes the checkpoints.
void save_weights(const TrialFiles& files, const FlatParameters& parameters,
                  const at::Tensor& values, std::int64_t lane, std::int64_t step,
                  const Json& config);

/// The final weights of a trial, or nothing where training is not over or they do not verify, which
/// is noted in the journal.
std::optional<store::Checkpoint> final_weights(const TrialFiles& files);

/// Stores a lane's weights at the end of a phase and tells the journal. They are kept: nothing else
/// can say what was forgotten since.
void save_phase(const TrialFiles& files, const FlatParameters& parameters, const at::Tensor& values,
                std::int64_t lane, std::size_t phase, std::int64_t step, const Json& config);

/// The weights at the end of a phase but the last. Throws DamagedFile where the journal names none
/// or they are not what it names.
store::Checkpoint phase_weights(const TrialFiles& files, std::size_t phase);

/// Whether the weights at the ends of all phases but the last of `phases` are there and verify;
/// where they are not, the journal is told why.
bool has_phase_weights(const TrialFiles& files, std::size_t phases);

/// Gives a network of one lane the weights. Throws DamagedFile where they are of other shapes.
void load_weights(Network& network, const store::Checkpoint& weights);

/// How lanes that were cut off go on: together from the newest step that all of them have; where
/// there is none, each with those that have the same newest step (0: from the start).
struct ResumeGroup {
  std::int64_t step = 0;
  std::vector<std::size_t> lanes;
};
std::vector<ResumeGroup> resume_groups(std::span<const std::vector<std::int64_t>> steps_of_lanes);

}  // namespace ablate::train
