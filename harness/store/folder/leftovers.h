// What killed processes leave in a results folder: files and folders under temporary names.

#pragma once

#include <filesystem>
#include <vector>

namespace ablate::store {

/// The temporary name under which `collect` copies the folder of a trial.
std::filesystem::path partial_copy_of(const std::filesystem::path& trial_folder);

/// The temporary name that the folder of a trial has while a copy takes its place.
std::filesystem::path previous_of(const std::filesystem::path& trial_folder);

/// The files and folders under temporary names in a results folder, in order, without its reports.
std::vector<std::filesystem::path> leftovers_in(const std::filesystem::path& results);

/// Those in the report of a results folder. They are not removed for their names: a report is
/// written without the lock, and may be writing them now.
std::vector<std::filesystem::path> leftovers_in_report(const std::filesystem::path& results);

/// Removes what leftovers_in() finds, but first puts the folder of a trial back where its copy had not taken its place
/// yet. Requires: the lock of the folder is held, so that no process is writing any.
void remove_leftovers(const std::filesystem::path& results);

}  // namespace ablate::store
