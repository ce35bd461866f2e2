// Shards: parts of an experiment that several programs run in one results folder, on one machine or on many.

#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "harness/plan/trial/plan.h"

namespace ablate::run {

/// One of `count` parts.
struct Shard {
  std::size_t index = 1;  // from 1
  std::size_t count = 1;

  std::string text() const;       // "3/16", as it is given
  std::string file_name() const;  // "3-of-16"
};

/// The shard of a flag such as "3/16". Throws std::invalid_argument for anything else.
Shard shard_of(const std::string& text);

/// The shard of each trial, from 0, by its id: trials go round the shards in the order of the banks, so that each has about
/// as many of every bank, whatever machine it runs on.
std::map<std::string, std::size_t> shards_of_trials(const plan::Plan& plan, std::size_t count);

/// The part of a plan that a shard runs, see shards_of_trials().
plan::Plan part_of(plan::Plan plan, const Shard& shard);

/// Whether a results folder has this plan already, as another shard has frozen it.
bool is_frozen(const std::filesystem::path& results, const Json& plan);

/// The file that says that a shard is done, in a results folder.
std::filesystem::path done_file(const std::filesystem::path& results, const Shard& shard);

/// Says whether a shard is done: not while this lives, unless it is written.
class Done {
 public:
  /// Removes what an earlier run of the shard has said, which may have been of another plan.
  Done(const std::filesystem::path& results, const Shard& shard);

  /// Says that the trials of a part are done. Throws std::invalid_argument where the plan of the folder does not have them all:
  /// another program has changed it since.
  void write(const plan::Plan& part) const;

 private:
  std::filesystem::path results_, file_;
};

}  // namespace ablate::run
