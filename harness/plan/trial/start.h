// Initial weights from a trained trial: finds them, checks them and names them by their content.
//
// The weights are copied to the cache of corpora under their hash. A worker finds them there as it
// finds a corpus, and a trial's id contains the hash, not a path.

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/params.h"
#include "harness/contract/vocabulary.h"

namespace ablate::plan {

/// The rows of "train.start".
std::span<const Param> start_params();

/// Where trained weights are: in a file or, without one, in the folder of a trial.
struct StartSource {
  std::optional<std::filesystem::path> checkpoint;
  std::string trial;              // its id, or the beginning of it
  std::filesystem::path results;  // folder that the trial is in
};

/// Sets `json` to {"checkpoint": a file} or {"trial", "results"}.
void to_json(Json& json, const StartSource& source);

/// What `given`, in the form of to_json(), names, with its path made absolute. `placed`: the folder
/// that the path at a pointer is relative to. Adds every error to `refusals`, with pointers
/// relative to the section "train"; returns none then.
std::optional<StartSource> resolve_start(
    const Json& given, const std::function<std::filesystem::path(const std::string&)>& placed,
    std::vector<Refusal>& refusals);

/// Weights to start from.
struct Start {
  std::string hash;             // SHA-256 of the file; empty: initial weights
  std::int64_t parameters = 0;  // number of values in the file
};

/// Copies these weights into `cache`. `model`: {"model", "vocabulary",
/// "semantics": {"backbone"}} of a trial's configuration. Throws std::invalid_argument if there are
/// no weights or they are of another model or vocabulary, and names the first few differences.
/// Throws DamagedFile if they do not verify, or are in the folder of a trial whose own they are not.
Start prepare_start(const StartSource& source, const Json& model,
                    const std::filesystem::path& cache);

/// The file that prepare_start() puts weights in.
std::filesystem::path start_file(const std::filesystem::path& cache, const std::string& hash);

}  // namespace ablate::plan
