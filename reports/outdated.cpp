#include "reports/outdated.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace ablate::reports {
namespace {

namespace fs = std::filesystem;

/// The files of a format whose number and names depend on the experiment.
struct Family {
  std::string_view prefix, extension;
  std::string_view mark;  // in the first bytes of each
};

constexpr std::array kFamilies = {
    Family{"table-", ".tex", "\\providecommand{\\AblateFit}"},
    Family{"figure-", ".svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox="}};

bool is_named(const std::string& name, const Family& family) {
  return name.starts_with(family.prefix) && name.ends_with(family.extension);
}

bool is_marked(const fs::path& file, const Family& family) {
  std::string start(1000, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return start.find(family.mark) != start.npos;
}

}  // namespace

std::vector<fs::path> outdated_files(const fs::path& folder, const std::vector<ReportFile>& files) {
  std::vector<fs::path> outdated;
  for (const Family& family : kFamilies) {
    const auto of_family = [&](const ReportFile& file) { return is_named(file.name, family); };
    if (std::none_of(files.begin(), files.end(), of_family)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const auto same = [&](const ReportFile& file) { return file.name == name; };
      if (is_named(name, family) && std::none_of(files.begin(), files.end(), same) &&
          fs::is_regular_file(entry.symlink_status()) && is_marked(entry.path(), family))
        outdated.push_back(entry.path());
    }
  }
  std::sort(outdated.begin(), outdated.end());
  return outdated;
}

}  // namespace ablate::reports
