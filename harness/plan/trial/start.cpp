// Finds the weights of a trained trial and compares their configuration with an arm's.

#include "harness/plan/trial/start.h"

#include <fmt/core.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/store/journal/checkpoint.h"
#include "harness/store/journal/trial_folders.h"
#include "harness/store/journal/trial_weights.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxShown = 5;  // differences

/// The weights of the trial whose id begins with `id`.
fs::path weights_of(const fs::path& results, const std::string& id) {
  std::vector<fs::path> found;
  std::error_code error;
  if (!fs::is_directory(results / "trials", error))
    reject("'{}' is not a folder of results", results.string());
  for (const auto& [name, folder] : store::listed_trials(results))
    if (!id.empty() && name.starts_with(id)) found.push_back(folder);
  if (found.size() != 1)
    reject("{} of '{}' has an id that begins with '{}'; give enough of the id to name one trial",
           found.empty() ? "no trial" : "more than one trial", results.string(), id);
  fs::path weights = found[0] / "weights.safetensors";
  if (!fs::exists(weights))
    reject("trial {} of '{}' has no final weights; train it to its end first",
           found[0].filename().string(), results.string());
  return weights;
}

/// Reads weights that were named by their file. In a results folder they must be the trial's own: a
/// copy of another trial's verifies, too. Elsewhere the file is all there is.
store::Checkpoint weights_in(const fs::path& file) {
  const fs::path folder = file.parent_path();
  const bool of_trial = store::is_trial_folder(folder) && fs::exists(folder / "journal.jsonl");
  return of_trial ? store::read_weights_of_trial(file) : store::Checkpoint::read(file);
}

/// "model.width is 32 and the arm's is 64; ...": the first few settings that differ.
std::string differences(const Json& theirs, const Json& ours) {
  std::string text;
  std::size_t count = 0;
  for (const Json& change : Json::diff(theirs, ours)) {
    if (++count > kMaxShown) return text + "; ...";
    const std::string pointer = change.at("path");
    const auto at = [&](const Json& all) {
      const Json::json_pointer place(pointer);
      return all.contains(place) ? canonical(all.at(place)).substr(0, 60) : std::string("absent");
    };
    std::string path = pointer.substr(1);
    for (char& c : path) c = c == '/' ? '.' : c;
    text += fmt::format("{}{} is {} and the arm's is {}", text.empty() ? "" : "; ", path,
                        at(theirs), at(ours));
  }
  return text;
}

/// The configuration of the model that a file of weights belongs to.
Json model_of(const store::Checkpoint& weights, const fs::path& file) {
  const auto config = weights.metadata().find("config");
  const Json said = config == weights.metadata().end() ? Json() : parse_or_discard(config->second);
  const Json version = said.is_object() ? said.value("semantics", Json()) : Json();
  if (!said.is_object() || !said.contains("model") || !said.contains("vocabulary") ||
      !version.is_object())
    reject(
        "'{}' does not say what model it belongs to; give the final weights of a trial "
        "(weights.safetensors), or those at the end of a phase",
        file.string());
  return {{"model", said["model"]},
          {"vocabulary", said["vocabulary"]},
          {"semantics", {{"backbone", version.value("backbone", Json())}}}};
}

/// Whether a file in the cache exists and has this hash.
bool holds(const fs::path& file, const std::string& hash) {
  try {
    return fs::exists(file) && store::Checkpoint::read(file).sha256() == hash;
  } catch (const std::exception&) {
    return false;  // it is written again
  }
}

}  // namespace

std::span<const Param> start_params() {
  static const std::vector<Param> rows = {
      optional(text("checkpoint", nullptr,
                    "file of trained weights (safetensors) that this program wrote")),
      optional(text("trial", nullptr, "id of a trained trial, or the beginning of its id")),
      optional(text("results", nullptr, "results folder that the trial is in")),
  };
  return rows;
}

void to_json(Json& json, const StartSource& source) {
  if (source.checkpoint)
    json = {{"checkpoint", source.checkpoint->string()}};
  else
    json = {{"trial", source.trial}, {"results", source.results.string()}};
}

std::optional<StartSource> resolve_start(const Json& given,
                                         const std::function<fs::path(const std::string&)>& placed,
                                         std::vector<Refusal>& refusals) {
  std::vector<Refusal> found;
  const Json start = resolve(start_params(), given, found);
  const bool by_file = start.contains("checkpoint");
  if (found.empty() &&
      (by_file ? start.size() != 1 : !start.contains("trial") || !start.contains("results")))
    found.push_back({"",
                     "start must be {\"checkpoint\": a file}, or {\"trial\": an id, \"results\": a "
                     "folder}; give one of the two"});
  for (const Refusal& refusal : found)
    refusals.push_back({"/start" + refusal.pointer, refusal.message, refusal.about_key});
  if (!found.empty()) return std::nullopt;
  const auto path_of = [&](const char* key) {
    const fs::path folder = placed(fmt::format("/start/{}", key));
    return (folder / start.at(key).get<std::string>()).lexically_normal();
  };
  if (by_file) return StartSource{.checkpoint = path_of("checkpoint")};
  return StartSource{.trial = start["trial"], .results = path_of("results")};
}

fs::path start_file(const fs::path& cache, const std::string& hash) {
  return cache / (hash + ".safetensors");
}

Start prepare_start(const StartSource& source, const Json& model, const fs::path& cache) {
  const fs::path file =
      source.checkpoint ? *source.checkpoint : weights_of(source.results, source.trial);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) reject("there is no file '{}'", file.string());
  const store::Checkpoint weights =
      source.checkpoint ? weights_in(file) : store::read_weights_of_trial(file);
  const std::string differ = differences(model_of(weights, file), model);
  if (!differ.empty())
    reject("'{}' is of another model: {}; choose weights of the same model and vocabulary",
           file.string(), differ);
  if (const fs::path kept = start_file(cache, weights.sha256()); !holds(kept, weights.sha256())) {
    fs::create_directories(cache);
    write_file(kept, read_file(file, std::uint64_t{1} << 40));
  }
  return {weights.sha256(), weights.values()};
}

}  // namespace ablate::plan
