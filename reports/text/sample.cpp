#include "reports/text/sample.h"

#include <fmt/core.h>

#include <array>
#include <utility>

namespace ablate::reports {

std::string with_line_ends(std::string_view stored) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kPictures = {
      {{"<0x0A>", "↵"}, {"<0x09>", "⇥"}}};
  std::string text(stored);
  for (const auto& [spelled, picture] : kPictures)
    for (std::size_t at = text.find(spelled); at != text.npos; at = text.find(spelled, at))
      text.replace(at, spelled.size(), picture);
  return text;
}

std::string marked_text(const store::Sample& sample) {
  const auto found = sample.about.find("prompt");
  if (found == sample.about.end() || !found->is_string()) return sample.text;
  const auto& prompt = found->get_ref<const std::string&>();
  if (prompt.empty() || !sample.text.starts_with(prompt)) return sample.text;
  return fmt::format("{} {}{}", prompt, kPromptEnd, sample.text.substr(prompt.size()));
}

}  // namespace ablate::reports
