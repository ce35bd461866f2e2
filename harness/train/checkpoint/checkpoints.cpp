// Checkpoints of trials. The file is written before its journal entry, so that every file which the
// journal names is complete.

#include "harness/train/checkpoint/checkpoints.h"

#include <c10/core/GradMode.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/error.h"
#include "harness/base/json/parse.h"
#include "harness/store/journal/trial_weights.h"

namespace ablate::train {
namespace {

constexpr const char* kWeights = "weights.safetensors";
constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::size_t kKept = 2;

std::string file_name(std::int64_t step) { return fmt::format("{}{}.safetensors", kPrefix, step); }

constexpr std::string_view kSnapshot = "snapshot-";

std::string snapshot_file(std::int64_t step) {
  return fmt::format("{}{}.safetensors", kSnapshot, step);
}

std::string phase_file(std::size_t phase) { return fmt::format("phase-{}.safetensors", phase); }

/// The elements of `flat` that belong to one lane of one parameter.
std::span<float> lane_of(const at::Tensor& flat, const FlatParameters::Piece& piece,
                         std::int64_t lane) {
  return {flat.data_ptr<float>() + lane * flat.size(1) + piece.first,
          static_cast<std::size_t>(piece.size)};
}

void add_tensors(std::vector<store::StoredTensor>& tensors, const std::string& prefix,
                 const FlatParameters& parameters, const at::Tensor& flat, std::int64_t lane) {
  for (const FlatParameters::Piece& piece : parameters.pieces())
    tensors.push_back({prefix + piece.name, piece.shape, lane_of(flat, piece, lane)});
}

void take_tensors(const store::Checkpoint& checkpoint, const std::string& prefix,
                  const FlatParameters& parameters, const at::Tensor& flat, std::int64_t lane) {
  for (const FlatParameters::Piece& piece : parameters.pieces()) {
    const auto values = checkpoint.values(prefix + piece.name, piece.shape);
    std::copy(values.begin(), values.end(), lane_of(flat, piece, lane).begin());
  }
}

/// The steps of the last two checkpoints written, the last one first; none before final weights.
std::vector<std::int64_t> kept_steps(const store::Journal& journal) {
  std::vector<std::int64_t> steps;
  for (const Json& event : journal.events()) {
    if (event.at("event") != "checkpoint") continue;
    if (event.at("file") == kWeights) {
      steps.clear();
      continue;
    }
    const std::int64_t step = integer_in(event.at("step"));
    std::erase(steps, step);
    steps.insert(steps.begin(), step);
    steps.resize(std::min(steps.size(), kKept));
  }
  return steps;
}

/// Removes the checkpoints of other steps, and temporary files of a process that was killed. The
/// journal's lock is held, so no other process is writing here.
void remove_all_but(const std::filesystem::path& folder, std::span<const std::int64_t> steps) {
  std::set<std::string> kept = {kWeights};
  for (const std::int64_t step : steps) kept.insert(file_name(step));
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const bool ours = name.starts_with(kPrefix) || name.starts_with(kWeights);
    if (ours && !kept.contains(name)) std::filesystem::remove(entry.path());
  }
}

/// Reads the file `name`. Throws DamagedFile where it is not the one that the journal names.
store::Checkpoint verified(const TrialFiles& files, const std::string& name) {
  return store::read_named(files.folder / name, files.trial, files.journal.events());
}

void record_checkpoint(store::Journal& journal, std::int64_t step, const std::string& file,
                       const std::string& hash) {
  journal.write("checkpoint", {{"step", step}, {"file", file}, {"sha256", hash}});
}

store::Metadata metadata_of(const TrialFiles& files, std::int64_t step) {
  return {{"format", "pt"}, {"trial", files.trial}, {"step", std::to_string(step)}};
}

/// Records why files of the trial are not used.
void note(const TrialFiles& files, std::string_view what, const std::exception& error) {
  files.journal.write("note", {{"message", fmt::format("{}: {}", what, error.what())}});
}

}  // namespace

BankState host_copy(const FlatParameters& parameters, const AdamW& optimizer) {
  return {parameters.values().cpu(), optimizer.mean().cpu(), optimizer.square().cpu()};
}

void save_checkpoint(const TrialFiles& files, const FlatParameters& parameters,
                     const BankState& bank, std::int64_t lane, std::int64_t step,
                     const Json& state) {
  std::vector<store::StoredTensor> tensors;
  add_tensors(tensors, "", parameters, bank.values, lane);
  add_tensors(tensors, "adamw.mean/", parameters, bank.mean, lane);
  add_tensors(tensors, "adamw.square/", parameters, bank.square, lane);
  store::Metadata metadata = metadata_of(files, step);
  metadata["state"] = canonical(state);
  const std::string hash =
      store::write_checkpoint(files.folder / file_name(step), tensors, metadata);
  record_checkpoint(files.journal, step, file_name(step), hash);
  remove_all_but(files.folder, kept_steps(files.journal));
}

std::vector<std::int64_t> resumable_steps(const TrialFiles& files) {
  std::vector<std::int64_t> steps = kept_steps(files.journal);
  remove_all_but(files.folder, steps);
  std::erase_if(steps, [&](std::int64_t step) {
    try {
      verified(files, file_name(step));
      return false;
    } catch (const std::exception& error) {
      note(files, "skipped a checkpoint", error);
      return true;
    }
  });
  return steps;
}

Json load_checkpoint(const TrialFiles& files, const FlatParameters& parameters,
                     const BankState& bank, std::int64_t lane, std::int64_t step) {
  const store::Checkpoint checkpoint = verified(files, file_name(step));
  take_tensors(checkpoint, "", parameters, bank.values, lane);
  take_tensors(checkpoint, "adamw.mean/", parameters, bank.mean, lane);
  take_tensors(checkpoint, "adamw.square/", parameters, bank.square, lane);
  return parse_stored(checkpoint.metadata().at("state"),
                      (files.folder / file_name(step)).string() + ": \"state\" in its metadata");
}

void load_start(const std::filesystem::path& file, const FlatParameters& parameters,
                const at::Tensor& values, std::int64_t lane) {
  const store::Checkpoint checkpoint = store::Checkpoint::read(file);
  if (checkpoint.sha256() != file.stem().string())
    damaged("{}: the contents differ from the hash in the name; plan again", file.string());
  take_tensors(checkpoint, "", parameters, values, lane);
}

void save_weights(const TrialFiles& files, const FlatParameters& parameters,
                  const at::Tensor& values, std::int64_t lane, std::int64_t step,
                  const Json& config) {
  std::vector<store::StoredTensor> tensors;
  add_tensors(tensors, "", parameters, values, lane);
  store::Metadata metadata = metadata_of(files, step);
  metadata["config"] = canonical(config);
  record_checkpoint(files.journal, step, kWeights,
                    store::write_checkpoint(files.folder / kWeights, tensors, metadata));
  remove_checkpoints(files.folder);
}

std::optional<store::Checkpoint> final_weights(const TrialFiles& files) {
  if (store::event_naming(files.journal.events(), kWeights) == nullptr) return std::nullopt;
  try {
    return verified(files, kWeights);
  } catch (const std::exception& error) {
    note(files, "trained again from the start", error);
    return std::nullopt;
  }
}

void save_phase(const TrialFiles& files, const FlatParameters& parameters, const at::Tensor& values,
                std::int64_t lane, std::size_t phase, std::int64_t step, const Json& config) {
  std::vector<store::StoredTensor> tensors;
  add_tensors(tensors, "", parameters, values, lane);
  store::Metadata metadata = metadata_of(files, step);
  metadata["config"] = canonical(config);
  const std::string name = phase_file(phase);
  const std::string hash = store::write_checkpoint(files.folder / name, tensors, metadata);
  files.journal.write("phase",
                      {{"phase", phase}, {"step", step}, {"file", name}, {"sha256", hash}});
}

store::Checkpoint phase_weights(const TrialFiles& files, std::size_t phase) {
  return verified(files, phase_file(phase));
}

bool has_phase_weights(const TrialFiles& files, std::size_t phases) {
  try {
    for (std::size_t phase = 0; phase + 1 < phases; ++phase) phase_weights(files, phase);
    return true;
  } catch (const std::exception& error) {
    note(files, "trained again from the start", error);
    return false;
  }
}

void save_snapshot(const TrialFiles& files, const FlatParameters& parameters,
                   const at::Tensor& values, std::int64_t lane, const Json& used,
                   const Json& config) {
  std::vector<store::StoredTensor> tensors;
  add_tensors(tensors, "", parameters, values, lane);
  const std::int64_t step = integer_in(used.at("step"));
  store::Metadata metadata = metadata_of(files, step);
  metadata["config"] = canonical(config);
  const std::string name = snapshot_file(step);
  Json event = used;
  event["file"] = name;
  event["sha256"] = store::write_checkpoint(files.folder / name, tensors, metadata);
  files.journal.write("snapshot", std::move(event));
}

Snapshot snapshot(const TrialFiles& files, std::int64_t step) {
  const std::string name = snapshot_file(step);
  store::Checkpoint weights = verified(files, name);
  const Json& event = *store::event_naming(files.journal.events(), name);
  Json used = Json::object();
  for (const char* key : {"step", "text_tokens", "targets", "flops", "seconds"})
    used[key] = event.at(key);
  return {std::move(weights), std::move(used)};
}

std::optional<std::int64_t> first_without_snapshot(const TrialFiles& files,
                                                   const std::set<std::int64_t>& steps) {
  for (const std::int64_t step : steps) {
    if (store::event_naming(files.journal.events(), snapshot_file(step)) == nullptr) return step;
    try {
      verified(files, snapshot_file(step));
    } catch (const std::exception& error) {
      note(files, fmt::format("the weights after step {} are not used", step), error);
      return step;
    }
  }
  return std::nullopt;
}

void remove_checkpoints(const std::filesystem::path& folder) { remove_all_but(folder, {}); }

void remove_snapshots(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(kSnapshot))
      std::filesystem::remove(entry.path());
}

void load_weights(Network& network, const store::Checkpoint& weights) {
  const c10::NoGradGuard no_gradient;
  for (Parameter& parameter : network.parameters()) {
    const at::Tensor lane = parameter.value.select(0, 0);
    const auto values = weights.values(parameter.name, lane.sizes().vec());
    const at::Tensor host = lane.cpu().clone();
    std::copy(values.begin(), values.end(), host.data_ptr<float>());
    lane.copy_(host);
  }
  network.parameters_changed();
}

std::vector<ResumeGroup> resume_groups(std::span<const std::vector<std::int64_t>> steps_of_lanes) {
  ResumeGroup all;
  std::map<std::int64_t, ResumeGroup> by_step;
  std::map<std::int64_t, std::size_t> holders;
  for (std::size_t lane = 0; lane < steps_of_lanes.size(); ++lane) {
    const auto& steps = steps_of_lanes[lane];
    const std::int64_t newest = steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
    all.lanes.push_back(lane);
    by_step[newest].step = newest;
    by_step[newest].lanes.push_back(lane);
    for (const std::int64_t step : steps) ++holders[step];
  }
  for (const auto& [step, count] : holders)
    if (count == steps_of_lanes.size()) all.step = step;
  if (all.step > 0) return {all};
  std::vector<ResumeGroup> groups;
  for (auto& [step, group] : by_step) groups.push_back(std::move(group));
  return groups;
}

}  // namespace ablate::train
