#include "harness/nightly/measure/home.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "harness/base/clock.h"
#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/nightly/measure/night_file.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

std::string user() {
  const passwd* const entry = ::getpwuid(::getuid());
  return entry == nullptr ? std::to_string(::getuid()) : entry->pw_name;
}

Pin pin_in(const std::string& line, const fs::path& folder) {
  const Json entry = Json::parse(line, nullptr, false);
  Pin pin;
  for (const auto& [key, field] : {std::pair{"pin", &pin.name},
                                   {"commit", &pin.commit},
                                   {"reason", &pin.reason},
                                   {"who", &pin.who},
                                   {"when", &pin.when}}) {
    if (!entry.is_object() || !entry.contains(key) || !entry.at(key).is_string())
      damaged("{}: this line is no pin: {}", (folder / "pins.jsonl").string(), line);
    *field = entry.at(key);
  }
  pin.folder = folder / pin.name;
  return pin;
}

}  // namespace

std::string today() { return utc_now().substr(0, 10); }

fs::path Home::baseline_folder(const std::string& name) const {
  if (!is_safe_folder_name(name))
    reject("'{}' is no name of a baseline; give up to 64 letters, digits, '-' and '_'", name);
  return folder_ / "baselines" / name;
}

std::vector<Pin> Home::pins(const std::string& baseline) const {
  const fs::path folder = baseline_folder(baseline);
  if (!fs::exists(folder / "pins.jsonl")) return {};
  std::istringstream lines(read_file(folder / "pins.jsonl"));
  std::vector<Pin> all;
  for (std::string line; std::getline(lines, line);) all.push_back(pin_in(line, folder));
  return all;
}

std::vector<std::string> Home::baselines() const {
  std::vector<std::string> names;
  if (fs::is_directory(folder_ / "baselines"))
    for (const auto& entry : fs::directory_iterator(folder_ / "baselines"))
      if (fs::exists(entry.path() / "pins.jsonl")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

Pin Home::pin(const std::string& baseline, const Programs& from, const std::string& reason) const {
  const fs::path folder = baseline_folder(baseline);
  const std::vector<Pin> earlier = pins(baseline);
  fs::create_directories(folder);
  const std::string commit = about(from, folder / "about.log").value("commit", "unknown");
  fs::remove(folder / "about.log");
  std::string name = today() + '-' + commit;
  const auto taken = [&](const Pin& each) { return each.name == name; };
  for (int copy = 2; std::any_of(earlier.begin(), earlier.end(), taken); ++copy)
    name = fmt::format("{}-{}-{}", today(), commit, copy);
  Pin made = {name, commit, reason, user(), utc_now(), folder / name};
  fs::remove_all(made.folder);  // of a pin that did not get as far as its line
  fs::create_directories(made.folder / "programs");
  for (const char* const program : kPrograms)
    fs::copy_file(from.path_of(program), made.folder / "programs" / program);
  AppendFile(folder / "pins.jsonl")
      .append(canonical({{"pin", made.name},
                         {"commit", made.commit},
                         {"reason", made.reason},
                         {"who", made.who},
                         {"when", made.when}}));
  return made;
}

std::vector<fs::path> Home::all_nights() const {
  std::vector<std::pair<std::string, fs::path>> found;  // by the time that they ended
  if (fs::is_directory(nights()))
    for (const auto& entry : fs::directory_iterator(nights())) {
      if (!fs::exists(entry.path() / "night.json")) continue;
      const Night night = read_night(entry.path());
      found.emplace_back(night.finished.empty() ? night.date : night.finished, entry.path());
    }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> folders;
  folders.reserve(found.size());
  for (auto& [finished, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

}  // namespace ablate::nightly
