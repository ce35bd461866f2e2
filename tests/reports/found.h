// What the findings of an experiment show, for tests.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reports/compose.h"

namespace ablate::reports {

/// The report's content.
inline Document document_of(const Analysis& analysis, const Analysis* common = nullptr) {
  return compose({analysis, common}).document;
}

/// The answer, in a paragraph.
inline std::string answer_of(const Analysis& analysis) {
  return text_of(document_of(analysis).answer);
}

/// The table or the figure that the findings show by this name; an empty one where they show none.
template <class Shown>
Shown shown(const Analysis& analysis, const std::string& name, const Analysis* common = nullptr) {
  for (const Finding& finding : findings_of({analysis, common}))
    for (const auto& [section, block] : finding.blocks)
      if (const Shown* const one = std::get_if<Shown>(&block); one != nullptr && one->name == name)
        return *one;
  return {};
}

/// The panels of a paper's plots of this name.
inline std::vector<SweepPanel> plots_of(const Analysis& analysis, const std::string& name) {
  for (const Finding& finding : findings_of({analysis}))
    for (const PaperPlots& plots : finding.plots)
      if (plots.name == name) return plots.panels;
  return {};
}

}  // namespace ablate::reports
