// Files that training writes: checkpoints to resume from, and weights.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/store/journal/checkpoint.h"
#include "harness/store/journal/journal.h"
#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw.h"

namespace ablate::train {

/// The files of one trial: its folder, and the journal that names them.
struct TrialFiles {
  std::string trial;  // its id
  std::filesystem::path folder;
  store::Journal& journal;
};

/// The parameters of a bank and the moments of its optimizer, on the CPU.
struct BankState {
  at::Tensor values, mean, square;  // float32, as FlatParameters::values
};

/// Copies a bank's parameters and moments to the CPU. Tensors that are there already are shared.
BankState host_copy(const FlatParameters& parameters, const AdamW& optimizer);

/// Writes a checkpoint of one lane: its tensors and `state`, the trainer's own. The journal entry
/// is written after the file. The last two checkpoints are kept.
void save_checkpoint(const TrialFiles& files, const FlatParameters& parameters,
                     const BankState& bank, std::int64_t lane, std::int64_t step,
                     const Json& state);

/// Returns the steps of the checkpoints that the journal names and that verify, newest first. Notes
/// damaged ones in the journal and removes files that the journal does not name.
std::vector<std::int64_t> resumable_steps(const TrialFiles& files);

/// Loads another trial's weights into one lane of `values`. The file is named by the SHA-256 of its
/// contents. Throws DamagedFile where the contents differ from that, or have other shapes.
void load_start(const std::filesystem::path& file, const FlatParameters& parameters,
                const at::Tensor& values, std::int64_t lane);

/// Loads one lane's tensors into `bank` and returns the trainer's state. Throws DamagedFile where
/// the checkpoint is damaged, belongs to another trial, or has other shapes.
Json load_checkpoint(const TrialFiles& files, const FlatParameters& parameters,
                     const BankState& bank, std::int64_t lane, std::int64_t step);

/// Writes a lane's final weights, records them in the journal and removes the checkpoints.
void save_weights(const TrialFiles& files, const FlatParameters& parameters,
                  const at::Tensor& values, std::int64_t lane, std::int64_t step,
                  const Json& config);

/// The final weights of a trial. Empty where training is not over, or where they do not verify; the
/// latter is noted in the journal.
std::optional<store::Checkpoint> final_weights(const TrialFiles& files);

/// Writes a lane's weights at the end of a phase and records them in the journal. They are kept:
/// the forgetting probe compares the final weights with them.
void save_phase(const TrialFiles& files, const FlatParameters& parameters, const at::Tensor& values,
                std::int64_t lane, std::size_t phase, std::int64_t step, const Json& config);

/// The weights at the end of a phase other than the last. Throws DamagedFile where the journal
/// names none, or where the file differs from what it names.
store::Checkpoint phase_weights(const TrialFiles& files, std::size_t phase);

/// Whether the weights at the end of every phase except the last of `phases` exist and verify.
/// Where they do not, the reason is noted in the journal.
bool has_phase_weights(const TrialFiles& files, std::size_t phases);

/// Writes a lane's weights on the way and records them in the journal. `used`: what training had
/// used, with its "step".
void save_snapshot(const TrialFiles& files, const FlatParameters& parameters,
                   const at::Tensor& values, std::int64_t lane, const Json& used,
                   const Json& config);

/// Weights on the way, and what training had used when they were kept.
struct Snapshot {
  store::Checkpoint weights;
  Json used;  // {"step", "text_tokens", "targets", "flops", "seconds"}
};

/// The weights after a step. Throws DamagedFile where the journal names none, or where the file
/// differs from what it names; std::runtime_error where it cannot be read.
Snapshot snapshot(const TrialFiles& files, std::int64_t step);

/// The first of the steps, which ascend, after which no weights were kept that verify; empty where
/// all were.
std::optional<std::int64_t> first_without_snapshot(const TrialFiles& files,
                                                   const std::set<std::int64_t>& steps);

/// Removes what only training needs, of a trial that has its final weights: checkpoints, and what
/// writes that were cut short left.
void remove_checkpoints(const std::filesystem::path& folder);

/// Removes all weights on the way.
void remove_snapshots(const std::filesystem::path& folder);

/// Loads the weights into a network of one lane. Throws DamagedFile where the shapes differ.
void load_weights(Network& network, const store::Checkpoint& weights);

/// Lanes that resume as one bank, from the same step.
struct ResumeGroup {
  std::int64_t step = 0;           // 0: from the start
  std::vector<std::size_t> lanes;  // indices, ascending
};

/// Groups interrupted lanes by the step that they resume from, given each lane's checkpoints. All
/// lanes form one group at the newest step that every lane has. Where there is none, the lanes with
/// the same newest step form a group.
std::vector<ResumeGroup> resume_groups(std::span<const std::vector<std::int64_t>> steps_of_lanes);

}  // namespace ablate::train
