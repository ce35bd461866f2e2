// Initial weights from a trial that was trained before: found, checked, and named by their content.
//
// The weights are copied to the cache of corpora under their hash, so that a worker finds them as
// it finds a corpus, and a trial's id holds the hash and no path.

#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "harness/contract/params.h"
#include "harness/contract/vocabulary.h"

namespace ablate::plan {

/// The rows of "train.start".
std::span<const Param> start_params();

/// `given` with its path made absolute by `placed`: {"checkpoint": a file} or {"trial", "results"}.
/// Whatever is wrong is added to `refusals`, whose pointers are below the "train" section.
Json resolve_start(const Json& given,
                   const std::function<std::filesystem::path(const std::string&)>& placed,
                   std::vector<Refusal>& refusals);

/// Weights to start from.
struct Start {
  std::string hash;             // of the file; empty: initial weights
  std::int64_t parameters = 0;  // that it holds
};

/// Puts the weights that a resolved start names into `cache`. Throws std::invalid_argument, saying
/// the first few that differ, where they are not of such a model for such a vocabulary, or where
/// there are none; DamagedFile where they do not verify. `model`: {"model", "vocabulary",
/// "semantics": {"backbone"}} of a trial's configuration.
Start prepare_start(const Json& start, const Json& model, const std::filesystem::path& cache);

/// Where prepare_start puts weights.
std::filesystem::path start_file(const std::filesystem::path& cache, const std::string& hash);

}  // namespace ablate::plan
