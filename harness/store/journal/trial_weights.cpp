#include "harness/store/journal/trial_weights.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/store/journal/journal.h"

namespace ablate::store {
namespace {

constexpr const char* kMoved =
    "files were moved or copied from one trial to another; put them back, or remove the folder to "
    "run "
    "the trial again";

bool names_tensors(const Json& event) {
  const Json& kind = event.at("event");
  return kind == "checkpoint" || kind == "phase" || kind == "snapshot";
}

}  // namespace

const Json* event_naming(const std::vector<Json>& events, std::string_view name) {
  const auto found = std::find_if(events.rbegin(), events.rend(), [&](const Json& event) {
    return names_tensors(event) && event.value("file", Json()) == name;
  });
  return found == events.rend() ? nullptr : &*found;
}

void check_owner(const Checkpoint& checkpoint, const std::filesystem::path& file,
                 const std::string& trial) {
  const auto owner = checkpoint.metadata().find("trial");
  if (owner == checkpoint.metadata().end())
    damaged(
        "{}: does not say which trial it belongs to, but this is the folder of trial {}; restore "
        "it from a copy, or remove the folder to run the trial again",
        file.string(), trial);
  if (owner->second != trial)
    damaged("{}: belongs to trial {}, but this is the folder of trial {}: {}", file.string(),
            owner->second, trial, kMoved);
}

Checkpoint read_named(const std::filesystem::path& file, const std::string& trial,
                      const std::vector<Json>& events) {
  const Json* const event = event_naming(events, file.filename().string());
  if (event == nullptr)
    damaged("{}: the journal names no such file; run the trial to its end first", file.string());
  Checkpoint checkpoint = Checkpoint::read(file);
  check_owner(checkpoint, file, trial);
  if (event->value("sha256", Json()) != checkpoint.sha256())
    damaged(
        "{}: is not the file that the journal names: its hash differs; restore it from a copy, or "
        "remove the folder to run the trial again",
        file.string());
  return checkpoint;
}

Checkpoint read_weights_of_trial(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path(), journal = folder / "journal.jsonl";
  const std::string trial = folder.filename().string();
  if (std::filesystem::exists(journal)) {
    const std::vector<Json> events = read_journal(journal);
    for (const Json& event : events) check_owner(event.value("trial", Json()), journal);
    return read_named(file, trial, events);
  }
  Checkpoint checkpoint = Checkpoint::read(file);
  check_owner(checkpoint, file, trial);
  return checkpoint;
}

}  // namespace ablate::store
