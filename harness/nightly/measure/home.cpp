#include "harness/nightly/measure/home.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/names.h"
#include "harness/base/posix/unsynced_file.h"
#include "harness/base/sha256.h"
#include "harness/base/time/clock.h"
#include "harness/nightly/measure/night_file.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

std::string user() {
  const passwd* const entry = ::getpwuid(::getuid());
  return entry == nullptr ? std::to_string(::getuid()) : entry->pw_name;
}

Json json_of(const Pin& pin) {
  return {{"pin", pin.name}, {"commit", pin.commit}, {"reason", pin.reason},
          {"who", pin.who},  {"when", pin.when},     {"programs", pin.hashes}};
}

Pin pin_in(const Json& line, const fs::path& folder) {
  Pin pin = {.name = line.at("pin"),
             .commit = line.at("commit"),
             .reason = line.at("reason"),
             .who = line.at("who"),
             .when = line.at("when"),
             .hashes = line.at("programs")};
  pin.folder = folder / pin.name;
  return pin;
}

// Written as a whole, with their number as the last line: so a list that was cut off shows.
void write_pins(const fs::path& file, const std::vector<Pin>& pins) {
  LineChain chain;
  std::string text;
  for (const Pin& pin : pins) text += chain.next(json_of(pin)) + '\n';
  text += chain.next({{"pins", pins.size()}}) + '\n';
  write_file(file, text);
}

std::vector<Pin> pins_in(const fs::path& file) {
  const std::string text = read_file(file);
  CheckedLines checked = checked_lines(text, file.string());
  const bool complete = checked.complete_bytes == text.size() && !checked.lines.empty() &&
                        checked.lines.back() == Json{{"pins", checked.lines.size() - 1}};
  if (!complete)
    damaged("{}: is cut off: its last line is not the number of its pins", file.string());
  checked.lines.pop_back();
  std::vector<Pin> pins;
  try {
    for (const Json& line : checked.lines) pins.push_back(pin_in(line, file.parent_path()));
  } catch (const Json::exception& error) {
    damaged("{}:{}: this line is no pin ({})", file.string(), pins.size() + 1, error.what());
  }
  return pins;
}

}  // namespace

void Pin::verify() const {
  for (const char* const program : kPrograms) {
    const fs::path file = programs().path_of(program);
    const char* const remedy = "pin a new baseline: ablate gate pin";
    if (!fs::is_regular_file(file))
      damaged("{}: the baseline's program is gone; {}", file.string(), remedy);
    const auto pinned = hashes.find(program);
    if (pinned == hashes.end() || sha256(read_file(file)) != pinned->second)
      damaged("{}: the baseline's program is not the one that was pinned on {}; {}", file.string(),
              when.substr(0, 10), remedy);
  }
}

std::string today() { return utc_now().substr(0, 10); }

fs::path Home::baseline_folder(const std::string& name) const {
  if (!is_safe_folder_name(name))
    reject("'{}' is no name of a baseline; give up to 64 letters, digits, '-' and '_'", name);
  return folder_ / "baselines" / name;
}

Descriptor Home::lock() const {
  fs::create_directories(folder_);
  Descriptor file =
      open_file(folder_ / "lock", O_WRONLY | O_CREAT | O_NOFOLLOW, "cannot be locked");
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    reject("{}: a night, a pin or a calibration is running in this folder; wait for its end",
           folder_.string());
  return file;
}

std::vector<Pin> Home::pins(const std::string& baseline) const {
  const fs::path folder = baseline_folder(baseline);
  if (!fs::exists(folder / "pins.jsonl")) return {};
  return pins_in(folder / "pins.jsonl");
}

Pin Home::latest_pin(const std::string& baseline) const {
  std::vector<Pin> all = pins(baseline);
  if (all.empty())
    reject(
        "{}: there is no baseline '{}'; pin the programs that the next nights are compared with: "
        "ablate gate pin {} --reason TEXT --home {}",
        folder_.string(), baseline, baseline, folder_.string());
  return std::move(all.back());
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
  Pin made = {name, commit, reason, user(), utc_now(), {}, folder / name};
  fs::remove_all(made.folder);  // of a pin that was killed before it had its line
  try {
    fs::create_directories(made.folder / "programs");
    for (const char* const program : kPrograms)
      copy_unsynced(from.path_of(program), made.folder / "programs" / program);
    made.hashes = hashes_of(made.programs());
    std::vector<Pin> all = earlier;
    all.push_back(made);
    write_pins(folder / "pins.jsonl", all);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(made.folder, ignored);  // half a pin must not fill the disk
    throw;
  }
  return made;
}

std::vector<fs::path> Home::all_nights() const {
  std::vector<std::pair<std::string, fs::path>> found;  // by the time that they ended
  if (fs::is_directory(nights()))
    for (const auto& entry : fs::directory_iterator(nights())) {
      if (!fs::exists(entry.path() / "night.json")) continue;
      const Night night = read_night(entry.path());
      found.emplace_back(night.finished.empty() ? night.identity.date : night.finished,
                         entry.path());
    }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> folders;
  folders.reserve(found.size());
  for (auto& [finished, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

}  // namespace ablate::nightly
