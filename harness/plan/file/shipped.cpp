#include "harness/plan/file/shipped.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "harness/base/error.h"
#include "harness/base/posix/program.h"

namespace ablate::plan {

namespace fs = std::filesystem;

namespace {

/// The folder of those that a class goes through.
constexpr std::string_view kLecture = "lecture";

}  // namespace

fs::path shipped_experiments() {
  std::error_code error;
  if (const char* const named = std::getenv("ABLATE_EXPERIMENTS"); named && *named) {
    if (fs::is_directory(named, error)) return fs::canonical(named);
    reject("ABLATE_EXPERIMENTS is {}, which is not a folder", named);
  }
  const fs::path folder = program_folder();
  for (const fs::path& around : {folder, folder.parent_path()}) {
    const fs::path experiments = around / "share/ablate/experiments";
    if (fs::is_directory(experiments, error)) return fs::canonical(experiments);
  }
  reject("the program's experiments are not in {} or {}; name their folder in ABLATE_EXPERIMENTS",
         (folder / "share/ablate").string(), (folder.parent_path() / "share/ablate").string());
}

std::vector<std::string> shipped_names() try {
  std::vector<std::string> names;
  const fs::path root = shipped_experiments();
  for (const fs::path& folder : {root, root / kLecture}) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const fs::path name = at->path().stem();
      const bool other = name.native().ends_with(".schema") || name == "claims" || name == "base";
      if (at->path().extension() == ".json" && !other)
        names.push_back((folder / name).lexically_relative(root));
    }
  }
  std::ranges::sort(names);
  return names;
} catch (const std::invalid_argument&) {
  return {};
}

std::optional<fs::path> shipped_file(const std::string& name) {
  if (std::ranges::count(shipped_names(), name) == 0) return std::nullopt;
  return shipped_experiments() / (name + ".json");
}

}  // namespace ablate::plan
