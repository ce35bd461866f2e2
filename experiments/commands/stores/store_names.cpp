#include "experiments/commands/stores/store_names.h"

#include <filesystem>
#include <set>

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

/// The path from the current folder, which may begin with "..".
std::string from_here(const std::string& folder) {
  std::error_code error;
  const fs::path relative = fs::proximate(folder, error);
  return error ? folder : relative.string();
}

}  // namespace

std::vector<std::string> store_names(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (const std::string& folder : folders) {
    const fs::path path = (fs::absolute(folder) / "").lexically_normal().parent_path();
    names.push_back(path.filename().string());
    different.insert(names.back());
  }
  if (different.size() == folders.size()) return names;
  for (std::size_t i = 0; i < folders.size(); ++i)
    names[i] = fs::path(folders[i]).is_absolute() ? from_here(folders[i]) : folders[i];
  return names;
}

}  // namespace ablate::commands
