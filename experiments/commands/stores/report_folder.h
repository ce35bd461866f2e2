// The folder that a report is written into.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/formats/report_file.h"

namespace ablate::commands {

/// The folder of a report that is being written. Its files are written to a folder inside it and take
/// their places when all are there, by renaming: until then an earlier report stays whole, whatever
/// fails.
class ReportFolder {
 public:
  /// `chosen`: whether the user has named the folder, which then may be a link. Removes what reports
  /// that were killed on this machine have left. Throws std::invalid_argument where the folder cannot be made because
  /// of its name, DamagedFile where there is a link.
  ReportFolder(std::filesystem::path folder, bool chosen);
  /// Removes what has not taken its place.
  ~ReportFolder();
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  void put(const reports::ReportFile& file);

  /// Where the files are until publish().
  const std::filesystem::path& unpublished() const { return unpublished_; }

  /// The files that are to take their places, in the order in which they came.
  const std::vector<std::string>& names() const { return names_; }

  /// Of all that was put, keeps one file that was written to unpublished().
  void keep_only(const std::string& name) { names_ = {name}; }

  /// As put(), of a file that was written to unpublished().
  void add(const std::string& name) { names_.push_back(name); }

  /// Lets all files take their places, removes tables and drawings of an earlier report that they do
  /// not replace, and returns the file that a reader opens first. Throws std::invalid_argument, before
  /// the first file, where a folder is in the way or cannot be written to.
  std::filesystem::path publish();

 private:
  std::filesystem::path folder_, unpublished_;
  std::vector<std::string> names_;
};

}  // namespace ablate::commands
