// Tensor files in the folder of a trial, used only where they are that trial's own: files that were
// copied from another trial verify, too.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/journal/checkpoint.h"

namespace ablate::store {

/// The last of a journal's events that names the tensor file `name`, or null where none does.
const Json* event_naming(const std::vector<Json>& events, std::string_view name);

/// Throws DamagedFile where `file` does not say that it belongs to `trial`.
void check_owner(const Checkpoint& checkpoint, const std::filesystem::path& file,
                 const std::string& trial);

/// Reads a tensor file of `trial`. Throws DamagedFile where it does not verify, where it belongs to
/// another trial, and where `events`, those of the trial's journal, do not name it with its hash;
/// std::runtime_error where it cannot be read.
Checkpoint read_named(const std::filesystem::path& file, const std::string& trial,
                      const std::vector<Json>& events);

/// Reads a tensor file of the trial whose folder it is in, and compares it with the journal there,
/// where there is one. Throws as read_named(), and DamagedFile where the journal does not verify or
/// is that of another trial.
Checkpoint read_weights_of_trial(const std::filesystem::path& file);

}  // namespace ablate::store
