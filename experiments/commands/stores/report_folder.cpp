#include "experiments/commands/stores/report_folder.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/links.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/posix/program.h"
#include "harness/base/posix/replace_file.h"
#include "reports/outdated.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& out) {
  std::error_code error;
  try {
    fs::create_directories(out);
  } catch (const fs::filesystem_error& thrown) {
    if (is_disk_fault(thrown)) throw;
    error = thrown.code();
  }
  if (error || !fs::is_directory(out)) {
    reject("--out: {} is not a folder that can be written to{}; give another one", out.string(),
           error ? ": " + error.message() : "");
  }
}

void must_be_writable(const fs::path& folder) {
  if (::access(folder.c_str(), W_OK) != 0)
    reject("{}: cannot be written to ({}); give --out another folder", folder.string(),
           std::strerror(errno));
}

/// How the folders of unfinished reports of this machine are named, before the number of the process.
std::string name_here() { return fmt::format("report{}{:x}.", kTemporaryName, host_number()); }

/// Removes what processes that no longer run have left.
void remove_left(const fs::path& folder) {
  const std::string mine = name_here();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    std::int64_t process = 0;
    if (!name.starts_with(mine) || !fs::is_directory(entry.symlink_status())) continue;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + mine.size(), end, process);
    if (read.ptr == end && read.ec == std::errc() && process > 0 && !is_running(process))
      fs::remove_all(entry.path());
  }
}

}  // namespace

ReportFolder::ReportFolder(fs::path folder, bool chosen) : folder_(std::move(folder)) {
  if (!chosen) refuse_link(folder_);
  make_folder(folder_);
  must_be_writable(folder_);
  remove_left(folder_);
  unpublished_ = folder_ / fmt::format("{}{}", name_here(), ::getpid());
  fs::create_directory(unpublished_);
}

ReportFolder::~ReportFolder() {
  std::error_code ignored;
  fs::remove_all(unpublished_, ignored);
}

void ReportFolder::put(const reports::ReportFile& file) {
  const fs::path path = unpublished_ / file.name;
  fs::create_directories(path.parent_path());
  const std::string_view bytes = file.bytes;
  replace_file(path, std::span(&bytes, 1), Synced::no);
  names_.push_back(file.name);
}

fs::path ReportFolder::publish() {
  fs::path shown;
  for (const fs::path name : names_) {
    fs::path folder = folder_;
    for (const fs::path& part : name.parent_path()) refuse_link(folder /= part);
    make_folder(folder);
    if (fs::is_directory(fs::symlink_status(folder_ / name)))
      reject(
          "{}: is a folder, and a file of the report has this name; remove it, or give --out "
          "another folder",
          (folder_ / name).string());
    must_be_writable(folder);
  }
  for (const std::string& name : names_) {
    fs::rename(unpublished_ / name, folder_ / name);
    if (shown.empty() || name == "report.html") shown = folder_ / name;
  }
  std::error_code ignored;
  for (const fs::path& file : reports::outdated_files(folder_, names_)) fs::remove(file, ignored);
  return shown;
}

}  // namespace ablate::commands
