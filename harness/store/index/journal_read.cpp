#include "harness/store/index/journal_read.h"

#include <utility>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/store/index/fast_hash.h"

namespace ablate::store {
namespace {

/// Throws where the trial that a journal has recorded is set up otherwise than the planned one: its
/// id, a hash of the configuration, says that they are the same.
void check_config(const std::string& id, const Json& planned, const TrialState& state,
                  const std::filesystem::path& file) {
  if (!state.trial.is_object() || planned.is_null()) return;
  const auto recorded = state.trial.find("config");
  if (recorded == state.trial.end() || recorded->is_null() || *recorded == planned) return;
  damaged(
      "{}: has another configuration of trial {} than the plan; one of the two files is damaged",
      file.string(), id);
}

}  // namespace

bool read_bytes(const std::filesystem::path& journal, std::string& bytes) {
  if (!std::filesystem::exists(journal)) return false;
  read_file(journal, bytes);
  return true;
}

JournalRead read_journal_of(const StoredTrial& trial, const std::filesystem::path& journal,
                            const ReadBytes& read_it, const std::string& known,
                            std::string memory) {
  JournalRead read{.bytes = std::move(memory)};
  read.bytes.clear();
  const bool begun = !journal.empty() && read_it(journal, read.bytes);
  read.source = fast_hash(read.bytes);
  if (read.source == known) return read;
  if (begun) read.sha256 = sha256(read.bytes);
  read.state = trial_state(read.bytes, journal);
  const Json config = trial.complete_config();
  check_config(trial.id, config, *read.state, journal);
  if (!config.is_null()) read.config = canonical(config);
  return read;
}

}  // namespace ablate::store
