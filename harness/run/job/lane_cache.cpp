#include "harness/run/job/lane_cache.h"

#include "harness/base/files.h"
#include "harness/base/json/parse.h"

namespace ablate::run {
namespace {

/// All choices, by key; none where the file does not exist or is damaged.
Json read_all(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return Json::object();
  Json all = parse_or_discard(read_file(file));
  return all.is_object() ? all : Json::object();
}

}  // namespace

std::optional<LaneChoice> find_lanes(const std::filesystem::path& file, const std::string& key) {
  try {
    const Json all = read_all(file);
    if (all.contains(key)) return lane_choice_from_json(all.at(key));
  } catch (const std::runtime_error&) {
    // Measuring again takes seconds and replaces the file.
  }
  return std::nullopt;
}

void keep_lanes(const std::filesystem::path& file, const std::string& key,
                const LaneChoice& choice) {
  Json all = read_all(file);
  all[key] = to_json(choice);
  write_file(file, canonical(all) + "\n");
}

}  // namespace ablate::run
