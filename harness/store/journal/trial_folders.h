// Where the trials of a results folder have their files: trials/3f/3f2a.../journal.jsonl. Two levels,
// because many file systems are slow where one folder has 100,000 entries. Folders that an earlier
// version made, trials/3f2a.../, stay where they are.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ablate::store {

constexpr const char* kJournalName = "journal.jsonl";

/// The folder of a trial, which may not be there yet.
std::filesystem::path trial_folder(const std::filesystem::path& results, const std::string& id);

/// The path of a trial's journal.
std::filesystem::path journal_file(const std::filesystem::path& results, const std::string& id);

/// Creates the folder of a trial where it is not there, and returns it. Does not create trials/: a
/// results folder that was moved is not begun anew. Throws DamagedFile where a link is in its place, and
/// std::filesystem::filesystem_error where it cannot be created.
std::filesystem::path begin_trial_folder(const std::filesystem::path& results,
                                         const std::string& id);

/// The folders of trials that are there, by id, each as trial_folder() has it; none where there is no trials/. Each folder is
/// listed once. Throws std::filesystem::filesystem_error where one cannot be: what is not seen must not be taken for not begun.
std::map<std::string, std::filesystem::path> listed_trials(const std::filesystem::path& results);

/// Everything that stands where trials have their folders, whatever it is, and links in the place of folders that hold them,
/// in order. Throws as listed_trials().
std::vector<std::filesystem::path> entries_of_trials(const std::filesystem::path& results);

/// The folders that hold those of trials: trials/ itself, and those in it that are no links. Throws as listed_trials().
std::vector<std::filesystem::path> folders_of_trials(const std::filesystem::path& results);

/// Whether a folder stands where a trial's does in some results folder.
bool is_trial_folder(const std::filesystem::path& folder);

}  // namespace ablate::store
