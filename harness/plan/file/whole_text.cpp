#include "harness/plan/file/whole_text.h"

#include <sstream>

#include "harness/base/files.h"
#include "harness/plan/file/sources.h"

namespace ablate::plan {
namespace {

/// The lines of a text that begin it as comments.
std::string head_of(const std::string& text) {
  std::istringstream lines(text);
  std::string head, line;
  while (std::getline(lines, line) && line.starts_with("//")) head += line + '\n';
  return head;
}

}  // namespace

std::string whole_text(const std::filesystem::path& file, const Overrides& overrides) {
  std::string text = read_file(file);
  Faults faults;
  Sources sources(file, faults);
  sources.add_arms(parse_arms(overrides.arms, faults));
  sources.apply(parse_set(overrides.set, faults));
  faults.throw_if_any();
  const bool is_changed = !overrides.set.empty() || !overrides.arms.empty();
  if (!is_changed && sources.bases() == 0) return text;
  Json merged = sources.merged();
  for (const char* key : {"$schema", "extends"}) merged.erase(key);
  return head_of(text) + merged.dump(2) + '\n';
}

}  // namespace ablate::plan
