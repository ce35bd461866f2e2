#include "harness/plan/file/copies.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/base/files.h"
#include "harness/plan/file/shipped.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExperiment = "experiment.json";
constexpr std::string_view kBeside = "experiment/";  // the folder of all other copies
constexpr std::uintmax_t kLargestText = 4u << 20;    // bytes

/// A string of a file that the copy has otherwise.
struct Change {
  Stretch where;
  std::string value;
};

/// The text with its changes made; what else is in it, comments among it, stays.
std::string changed(std::string text, std::vector<Change> changes) {
  std::ranges::sort(changes, std::greater(),
                    [](const Change& change) { return change.where.first; });
  for (const Change& change : changes)
    text.replace(change.where.first, change.where.count, Json(change.value).dump());
  return text;
}

/// Calls `visit(pointer, string)` for every string of a value.
template <class Visit>
void each_string(const Json& value, const std::string& pointer, const Visit& visit) {
  if (value.is_string()) return visit(pointer, value.get_ref<const std::string&>());
  if (value.is_object())
    for (const auto& [key, below] : value.items()) each_string(below, pointer + "/" + key, visit);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      each_string(value[i], fmt::format("{}/{}", pointer, i), visit);
}

/// Whether a string is the path of a text below `folder`, relative to it.
bool names_text(const fs::path& folder, const std::string& text) {
  const fs::path path = text;
  if (text.empty() || text.find('\0') != text.npos || path.is_absolute()) return false;
  if (std::ranges::count(path, fs::path("..")) > 0 || path.extension() == ".json") return false;
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(folder / path, error)) &&
         fs::file_size(folder / path, error) <= kLargestText && !error;
}

/// A name that no other copy has: that of the file, after a number where it is taken.
std::string free_name(const fs::path& path, std::set<std::string>& taken) {
  std::string name = path.filename();
  for (int i = 2; !taken.insert(name).second; ++i)
    name = fmt::format("{}-{}", i, path.filename().string());
  return name;
}

/// The folder of the shipped experiments; none where it is not to be found.
fs::path shipped_or_none() try {
  return shipped_experiments();
} catch (const std::invalid_argument&) {
  return {};
}

}  // namespace

std::map<std::string, std::string> copies_of(const Sources& sources) {
  const auto& files = sources.files();
  std::map<fs::path, std::string>
      names;  // of the copies of all but the last file, which is the experiment
  std::set<std::string> taken;
  for (const auto& file : files)
    if (file != files.back()) names[file->path] = free_name(file->path, taken);
  const fs::path shipped = shipped_or_none();
  std::map<std::string, std::string> copies;
  for (const auto& file : files) {
    const bool is_experiment = file == files.back();
    const std::string around =
        is_experiment ? std::string(kBeside) : "";  // from this copy to those beside
    const fs::path folder = file->path.parent_path();
    std::vector<Change> changes;
    for (std::size_t i = 0; i < file->bases.size(); ++i)
      changes.push_back({*file->source.value_at(fmt::format("/extends/{}", i)),
                         around + names.at(file->bases[i])});
    const bool is_shipped =
        !shipped.empty() && !folder.lexically_relative(shipped).native().starts_with("..");
    if (is_shipped)
      each_string(file->source.value(), "",
                  [&](const std::string& pointer, const std::string& text) {
                    const auto where = file->source.value_at(pointer);
                    if (pointer.starts_with("/extends") || !where || !names_text(folder, text))
                      return;
                    if (is_experiment) changes.push_back({*where, around + text});
                    copies[std::string(kBeside) + text] = read_file(folder / text, kLargestText);
                  });
    const std::string name =
        is_experiment ? std::string(kExperiment) : std::string(kBeside) + names.at(file->path);
    copies[name] = changed(file->source.text(), std::move(changes));
  }
  return copies;
}

}  // namespace ablate::plan
