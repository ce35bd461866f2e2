// What the findings of an experiment show, for tests.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reports/compose.h"
#include "reports/figures/drawing/draw.h"

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

/// The figure's plots, as a page shows them.
inline std::vector<std::string> drawings_of(const Figure& figure) {
  std::vector<std::string> drawn;
  for (const Plot& plot : figure.plots) drawn.push_back(draw(plot, figure.name));
  return drawn;
}

/// The plots that a paper has under this name.
inline std::vector<Plot> plots_of(const Analysis& analysis, const std::string& name) {
  std::vector<Plot> plots;
  for (const Section& section : document_of(analysis).sections)
    for (const Block& block : section.blocks)
      if (const auto* figure = std::get_if<Figure>(&block))
        for (const Plot& plot : figure->plots)
          if (plot.paper.name == name) plots.push_back(plot);
  return plots;
}

}  // namespace ablate::reports
