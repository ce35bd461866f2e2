// An experiment file, the files that it extends and the flags that change it, laid over each other
// without forgetting who said what.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/file/merge.h"

namespace ablate::plan {

class Sources {
 public:
  static constexpr std::size_t kMaxFiles = 64;

  /// Reads `file` and, depth first, what it extends; a file that is named twice counts where it is
  /// named first. Files are confined to the folder of `file`, symbolic links followed.
  Sources(const std::filesystem::path& file, Faults& faults);

  /// Lays flags over the files.
  void apply(const std::vector<Assignment>& flags);

  const Json& merged() const { return merged_; }
  const std::string& file_name() const { return name_; }

  /// Where the value of a pointer was given, or its key: by the last who said something there.
  /// Where nobody did, the nearest that encloses it.
  Place value_at(const std::string& pointer) const { return find(pointer, false); }
  Place key_at(const std::string& pointer) const { return find(pointer, true); }

  /// Keys of an object in the order of the file that gave it.
  std::vector<std::string> keys(const std::string& pointer) const;

  /// The folder that paths at a pointer are relative to: of the file that gave them; the current
  /// one where a flag did.
  std::filesystem::path folder_of(const std::string& pointer) const;

  /// A section with every path of its "paths" made absolute, by where each list was given.
  Json with_places(Json section, const std::string& pointer) const;

 private:
  struct File {
    std::filesystem::path path;  // canonical
    JsonSource source;
    std::size_t rank;
  };

  void load(const std::filesystem::path& path, const std::string& name, const Place& mention,
            Faults& faults);
  void load_base(const File& file, std::size_t index, Faults& faults);
  Place find(const std::string& pointer, bool key) const;
  const File* giver(const std::string& pointer) const;
  const Assignment* flag_of(const std::string& pointer) const;

  std::string name_;
  std::filesystem::path root_;                // canonical
  std::vector<std::unique_ptr<File>> files_;  // in the order of merging
  std::vector<std::filesystem::path>
      open_;  // files whose bases are being read, the first one first
  std::size_t opened_ = 0;
  std::vector<Assignment> flags_;
  Json merged_ = Json::object();
};

}  // namespace ablate::plan
