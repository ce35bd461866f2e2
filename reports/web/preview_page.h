// What objectives make of the same texts, as a page for a slide or a lecture.

#pragma once

#include <string>
#include <vector>

namespace ablate::reports {

/// Rows of tokens that belong below each other.
struct TokenRows {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  // as many cells in each; empty: none
};

/// The positions of a picture, on either side.
constexpr std::size_t kMostDrawn = 48;

/// Which positions see which: rows see columns. At most kMostDrawn of each.
struct SightMatrix {
  std::string title;
  std::vector<std::string> rows, columns;  // the tokens
  std::vector<std::vector<bool>> sees;     // [row, column]
  std::vector<bool> predicts;              // of each row
};

/// What one arm's objective made of some texts.
struct PreviewedArm {
  std::string name;
  std::string summary, source;  // of its objective
  struct Shown {
    std::vector<TokenRows> tokens;
    std::vector<std::string> notes;
    std::vector<SightMatrix> sights;
  };
  std::vector<Shown> examples;
};

/// A page without scripts, which loads nothing: arms side by side where they fit, each with its examples. Colours tell
/// targets, tokens in angle brackets and positions that something is predicted from.
std::string preview_page(const std::string& title, const std::string& question,
                         const std::vector<PreviewedArm>& arms);

}  // namespace ablate::reports
