#include "reports/paper/figures/tex_parts.h"

#include <fmt/ranges.h>

#include "reports/text/latex.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kUsualWidth = 5.5;  // inches
constexpr std::size_t kTitle = 60;   // characters: a longer one would not fit along an axis
constexpr double kUsualPoints = 8;   // \footnotesize
constexpr double kCharacter = 0.5;   // of the font's size: the mean width of a letter
constexpr double kPointsAnInch = 72.27;

std::string length(const Venue& venue, double fraction) {
  return venue.column > 0 ? fmt::format("{:.3f}in", fraction * venue.column)
                          : fmt::format("{:.3f}\\linewidth", fraction);
}

std::string font(const Venue& venue) {
  if (venue.points == 0) return "\\footnotesize";
  return fmt::format("\\fontsize{{{}}}{{{}}}\\selectfont", venue.points, venue.points + 2);
}

}  // namespace

std::string coordinate(double value) { return fmt::format("{:.6g}", value); }

std::string coordinates(const std::vector<PlotPoint>& points) {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i)
    text += fmt::format("{}({},{})", i > 0 && i % 5 == 0 ? "\n  " : "", coordinate(points[i].x),
                        coordinate(points[i].y));
  return text;
}

std::string add_plot(std::string_view style, const std::vector<PlotPoint>& points) {
  if (points.empty()) return "";
  return fmt::format("\\addplot[{}] coordinates {{{}{}}};\n", style,
                     points.size() > 5 ? "\n  " : "", coordinates(points));
}

std::string node(std::string_view anchor, int shift, const std::string& at, std::string_view tex) {
  return fmt::format("\\node[anchor={}, xshift={}pt] at ({}) {{{}}};\n", anchor, shift, at, tex);
}

std::string begin_axis(const Venue& venue, AxisSize size, const std::string& options) {
  return fmt::format(
      "\\AblateFit{{%\n\\begin{{tikzpicture}}[font={}]\n\\begin{{axis}}[ablate, width={}, "
      "height={},\n{}]\n",
      font(venue), length(venue, size.width), length(venue, size.height), options);
}

std::string end_axis() { return "\\end{axis}\n\\end{tikzpicture}%\n}\n"; }

std::string braced(std::string_view raw) { return "{" + latex_text(raw) + "}"; }

std::string title_option(char axis, const std::string& title) {
  return title.empty() ? "" : fmt::format("{}label={},\n", axis, braced(shortened(title, kTitle)));
}

std::string mark_options(char axis, const std::vector<AxisMark>& marks, std::size_t characters) {
  if (marks.empty()) return "";
  std::vector<std::string> places, texts;
  for (const AxisMark& mark : marks) {
    places.push_back(coordinate(mark.at));
    const std::string text = latex_text(arm_label(mark.text, characters));
    texts.push_back(mark.note.empty() ? "{" + text + "}"
                                      : fmt::format("{{{}\\\\{}}}", text, latex_text(mark.note)));
  }
  return fmt::format("{0}tick={{{1}}}, minor {0} tick num=0,\n{0}ticklabels={{{2}}},\n", axis,
                     fmt::join(places, ","), fmt::join(texts, ","));
}

double width_in_inches(const Venue& venue) { return venue.column > 0 ? venue.column : kUsualWidth; }

double fraction_of_width(const Venue& venue, std::size_t characters) {
  const double points = venue.points > 0 ? venue.points : kUsualPoints;
  return static_cast<double>(characters) * kCharacter * points / kPointsAnInch /
         width_in_inches(venue);
}

}  // namespace ablate::reports
