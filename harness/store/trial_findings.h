// What is found in the folder of a trial.

#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace ablate::store {

/// One thing found in a results folder.
struct Finding {
  bool damage = false;  // whether it is damage; otherwise it is information
  std::string text;
  bool in_a_run = false;  // whether what a run is just writing looks like this, too
  bool no_weights =
      false;  // whether a copy of the records without the weights looks like this, too
};

/// Adds an exception as damage. Throws it again where it says nothing about a file: memory or space
/// is lacking. Requires: it is being handled.
void add_damage(const std::exception& error, std::vector<Finding>& findings);

/// Verifies the journal and the tensor files of a trial. A worker may go on with the trial meanwhile.
std::vector<Finding> examine_trial(const std::filesystem::path& folder);

}  // namespace ablate::store
