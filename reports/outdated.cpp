#include "reports/outdated.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "reports/paper/paper.h"

namespace ablate::reports {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFigures = "paper/figures";

/// The files of a format whose number and names depend on the experiment.
struct Family {
  std::string_view folder, prefix, extension;
  std::string_view mark;  // in the first bytes of each
};

constexpr std::array kFamilies = {
    Family{"", "figure-", ".svg",
           "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox="},
    Family{"paper", "", ".tex", kPaperMark}, Family{kFigures, "", ".tex", kPaperMark}};

bool is_named(const fs::path& file, const Family& family) {
  const std::string name = file.filename();
  return file.parent_path() == family.folder && name.starts_with(family.prefix) &&
         name.ends_with(family.extension);
}

bool is_marked(const fs::path& file, const Family& family) {
  std::string start(1000, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return start.find(family.mark) != start.npos;
}

bool is_regular(const fs::path& file) { return fs::is_regular_file(fs::symlink_status(file)); }

bool is_written(const fs::path& name, const std::vector<std::string>& files) {
  return std::ranges::find(files, name.string()) != files.end();
}

/// A drawing's PDF, where this report has drawn it anew and has made no PDF of it.
void add_old_pdfs(const fs::path& folder, const std::vector<std::string>& files,
                  std::vector<fs::path>& outdated) {
  for (const fs::path name : files) {
    const fs::path pdf = fs::path(name).replace_extension(".pdf");
    if (name.extension() == ".svg" && name.parent_path() == kFigures && !is_written(pdf, files) &&
        is_regular(folder / pdf))
      outdated.push_back(folder / pdf);
  }
}

}  // namespace

std::vector<fs::path> outdated_files(const fs::path& folder,
                                     const std::vector<std::string>& files) {
  std::vector<fs::path> outdated;
  for (const Family& family : kFamilies) {
    const auto of_family = [&](const std::string& file) { return is_named(file, family); };
    const fs::path place = folder / family.folder;
    if (std::none_of(files.begin(), files.end(), of_family) || !fs::is_directory(place)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
      const fs::path name = fs::path(family.folder) / entry.path().filename();
      if (!is_named(name, family) || is_written(name, files) || !is_regular(entry.path()) ||
          !is_marked(entry.path(), family))
        continue;
      outdated.push_back(entry.path());
      if (family.folder != kFigures) continue;
      for (const char* extension : {".csv", ".svg", ".pdf"})
        if (const fs::path other = fs::path(entry.path()).replace_extension(extension);
            is_regular(other))
          outdated.push_back(other);
    }
  }
  add_old_pdfs(folder, files, outdated);
  std::sort(outdated.begin(), outdated.end());
  return outdated;
}

}  // namespace ablate::reports
