// What the journal of a planned trial says, for the rows of the index.

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "harness/store/index/trial_state.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::store {

/// Reads the bytes of a journal, whose memory is used again; false where there is no journal.
using ReadBytes = std::function<bool(const std::filesystem::path& journal, std::string& bytes)>;

/// Reads them from the file, as it is now.
bool read_bytes(const std::filesystem::path& journal, std::string& bytes);

/// What the journal of a planned trial says.
struct JournalRead {
  std::string bytes;
  std::string source;                 // fast_hash() of the bytes
  std::optional<std::string> sha256;  // of the file, where there is one whose source is not known
  std::optional<TrialState> state;    // empty where the source is known
  std::string config;  // of the trial, in canonical JSON; empty where it has none, and
                       // where the source is known
};

/// Reads a journal by `read` into `memory`, unless it is the one whose source is `known`. `journal`: empty where the
/// trial has no folder. Throws
/// DamagedFile where it does not verify or has another configuration than the planned trial.
JournalRead read_journal_of(const StoredTrial& trial, const std::filesystem::path& journal,
                            const ReadBytes& read, const std::string& known, std::string memory);

}  // namespace ablate::store
