#include "reports/text/sample.h"

#include <fmt/core.h>

namespace ablate::reports {

std::string marked_text(const store::Sample& sample) {
  const auto found = sample.about.find("prompt");
  if (found == sample.about.end() || !found->is_string()) return sample.text;
  const auto& prompt = found->get_ref<const std::string&>();
  if (prompt.empty() || !sample.text.starts_with(prompt)) return sample.text;
  return fmt::format("{} {}{}", prompt, kPromptEnd, sample.text.substr(prompt.size()));
}

}  // namespace ablate::reports
