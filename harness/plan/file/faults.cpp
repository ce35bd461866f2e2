// Collects faults and prints them in the order of their places.

#include "harness/plan/file/faults.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

namespace ablate::plan {

void Faults::add(Place place, std::string message, std::string hint) {
  for (const Fault& fault : faults_)
    if (fault.place.source == place.source && fault.place.where.first == place.where.first &&
        fault.place.flag == place.flag && fault.message == message)
      return;  // several arms may have the same fault
  if (!full()) faults_.push_back({std::move(place), std::move(message), std::move(hint)});
}

void Faults::throw_if_any() {
  if (faults_.empty()) return;
  std::stable_sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
    return std::tie(a.place.rank, a.place.where.first) <
           std::tie(b.place.rank, b.place.where.first);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(faults_.size(), kMaxShown); ++i) {
    const auto& [place, message, hint] = faults_[i];
    if (i > 0) text += '\n';
    if (place.source != nullptr)
      text += place.source->explain(place.where, message, hint);
    else
      text += fmt::format("{}: error: {}{}{}", place.flag, message, hint.empty() ? "" : "; ", hint);
  }
  if (faults_.size() > kMaxShown)
    text +=
        fmt::format("\n... and {}{} more", full() ? "at least " : "", faults_.size() - kMaxShown);
  throw ExperimentRefused(text);
}

SplitMessage split_message(std::string_view text) {
  constexpr std::string_view kMarks[] = {"; did you mean", "; the closest is",
                                         "; there are:", "; accepted here:", "; accepted:"};
  std::size_t cut = text.npos;
  for (const std::string_view mark : kMarks) cut = std::min(cut, text.find(mark));
  if (cut == text.npos) return {std::string(text), ""};
  const std::size_t hint = text.find_first_not_of("; ", cut);
  return {std::string(text.substr(0, cut)), std::string(text.substr(hint))};
}

}  // namespace ablate::plan
