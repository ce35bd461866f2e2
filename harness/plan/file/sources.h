// Merges an experiment file with the files that it extends and the flags that change it, and
// remembers where each value was given.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/file/merge.h"

namespace ablate::plan {

/// An experiment file with its bases and flags.
class Sources {
 public:
  static constexpr std::size_t kMaxFiles = 64;

  /// A file, the experiment's or one that is extended.
  struct File {
    std::filesystem::path path;  // canonical
    std::filesystem::path root;  // canonical; its bases are inside
    JsonSource source;
    std::size_t rank;                          // order in which files were opened
    std::vector<std::filesystem::path> bases;  // canonical, as "extends" lists them
  };

  /// Reads `file` and, depth first, the files that it extends. A file that is named several times
  /// is read once, at its first place. After resolving symbolic links, an extended file must be
  /// inside the project of `file`, see project_root(), or be one of shipped_experiments(). Adds
  /// everything that cannot be read to `faults`.
  Sources(const std::filesystem::path& file, Faults& faults);

  /// Appends arms that the command line adds; each value is an entry of "arms".
  void add_arms(const std::vector<Assignment>& arms);

  /// Merges flags over the files.
  void apply(const std::vector<Assignment>& flags);

  /// All files in the order of merging; the last one is the experiment's.
  const std::vector<std::unique_ptr<File>>& files() const { return files_; }

  const Json& merged() const { return merged_; }          // the experiment, after all merging
  const std::string& file_name() const { return name_; }  // the path as the user gave it

  /// Where the value at a JSON pointer was given: in the last file or flag that gives one. If none
  /// does, where its closest parent was given.
  Place value_at(const std::string& pointer) const { return find(pointer, false); }

  /// The same for the key of the value.
  Place key_at(const std::string& pointer) const { return find(pointer, true); }

  /// Where a value that the object at a JSON pointer lacks is to be added: at that object in the
  /// experiment file, or at the file where the object is not in it but only in one that it extends.
  Place addition_to(const std::string& pointer) const;

  /// When the value at a JSON pointer was given: the number of its file in the order of merging,
  /// kMaxFiles for a flag, -1 where neither gives it.
  std::int64_t order_of(const std::string& pointer) const;

  /// Keys of the object at a pointer, in the order of the last file that gives it; sorted if a flag
  /// does.
  std::vector<std::string> keys(const std::string& pointer) const;

  /// The folder that paths at a pointer are relative to: that of the file that gives them, or the
  /// current folder if a flag does.
  std::filesystem::path folder_of(const std::string& pointer) const;

  /// `section` with every path in its lists "paths" made absolute, by the folder_of() each list.
  Json with_places(Json section, const std::string& pointer) const;

 private:
  /// A file to read, by canonical paths.
  struct Named {
    std::filesystem::path path;
    std::filesystem::path root;
    std::string name;  // for messages
  };

  /// Reads a file and its bases. `mention`: where another file names it.
  void load(const Named& named, const Place& mention, Faults& faults);

  /// Reads the base that stands at `index` in a file's "extends".
  void load_base(File& file, std::size_t index, Faults& faults);

  Place find(const std::string& pointer, bool key) const;       // value_at() or key_at()
  const File* giver(const std::string& pointer) const;          // last file that gives it, or null
  const Assignment* flag_of(const std::string& pointer) const;  // last flag that gives it, or null

  std::string name_;
  std::filesystem::path folder_;              // of the experiment file, canonical
  std::vector<std::unique_ptr<File>> files_;  // in the order of merging
  std::vector<std::filesystem::path> open_;   // files whose bases are being read, outermost first
  std::size_t opened_ = 0;
  std::vector<Assignment> flags_;
  Json merged_ = Json::object();
};

/// The folder that extended files must be inside: the nearest one, from `folder` upwards, that has
/// an entry ".git" or ".ablate"; `folder` if there is none.
std::filesystem::path project_root(const std::filesystem::path& folder);

}  // namespace ablate::plan
