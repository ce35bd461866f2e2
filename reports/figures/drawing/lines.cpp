#include "reports/figures/drawing/lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reports/figures/drawing/parts.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kNumbers = 52;  // beside an axis of numbers
constexpr double kTitle = 19;    // of the axis across
constexpr double kMarks = 24;    // below the axis, or above it
constexpr double kLine = 20;     // of text along the other axis, and one more where it has numbers
constexpr double kNumbersLine = 14;
constexpr double kAfterLine = 10;                           // from a line to the text at its end
constexpr std::size_t kLongestPlace = 24;                   // characters
constexpr double kLeastRise = 35 * std::numbers::pi / 180;  // of names of places
constexpr double kNameHeight = 11;

std::string_view class_of(LineKind kind) {
  switch (kind) {
    case LineKind::series:
      return "curve ";
    case LineKind::pair:
      return "together ";
    case LineKind::bar:
      return "mean ";
    case LineKind::joint:
      return "joined ";
  }
  return "";
}

std::string numbers_of(const LineEnd& end) {
  return end.mean ? rounded(*end.mean, end.interval).text() : "";
}

/// A drawing in the making: first the room that everything takes, then the marks.
class LineDrawing {
 public:
  LineDrawing(const Plot& plot, const Sheet& sheet)
      : plot_(plot),
        sheet_(sheet),
        lines_of_text_(plot.y.kind == AxisKind::lines),
        left_(lines_of_text_ ? end_room(&PlotLine::before) : numbers_room()),
        right_(lines_of_text_ ? end_room(&PlotLine::after) : kEdge) {
    if (places_rise()) left_ = std::max(left_, across_of_rising() + 6 - place_room() / 2);
    legend_ = lines_of(legend_entries(), sheet.width - left_ - right_);
    if (!plot.heading.empty()) top_ += kTextLine + 2;
    top_ += kTextLine * static_cast<double>(legend_.size());
    if (names_upright_level()) top_ += kTextLine;
    if (lines_of_text_) top_ += has_notes() ? kMarks + kTextLine : kMarks;
    bottom_ = lines_of_text_ ? kEdge : below();
    height_ = lines_of_text_ ? text_height() : plot_height(sheet, top_ + bottom_);
    const Values values = all_values();
    x_ = scale_of(plot.x, values.across, left_, sheet.width - right_);
    y_ = lines_of_text_ ? Scale{plot.y.ends->low, plot.y.ends->high, top_, top_ + height_}
                        : scale_of(plot.y, values.upwards, top_ + height_, top_);
  }

  std::string draw(std::string_view id) {
    Svg svg = begin_drawing(plot_, id, sheet_, top_ + height_ + bottom_);
    svg_ = &svg;
    if (!plot_.heading.empty()) svg.text({4, 12}, Anchor::start, "heading", plot_.heading);
    if (lines_of_text_)
      draw_columns();
    else
      draw_axes();
    for (const PlotLine& line : plot_.lines) draw_band(line);
    for (const PlotLevel& level : plot_.levels) draw_level(level);
    for (const PlotLine& line : plot_.lines) draw_line(line);
    for (const PlotLine& line : plot_.lines) draw_points(line);
    for (const PlotLevel& level : plot_.levels) name_level(level);
    draw_legend(svg, legend_, left_, (plot_.heading.empty() ? 8. : 26.));
    return svg.str();
  }

 private:
  struct Values {
    std::vector<double> across, upwards;
  };

  Values all_values() const {
    Values all;
    const auto add = [](std::vector<double>& to, const std::vector<double>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    for (const PlotLine& line : plot_.lines) {
      add(all.across, line.x);
      for (const auto* values : {&line.y, &line.low, &line.high}) add(all.upwards, *values);
      for (const auto* points : {&line.dots, &line.crosses})
        for (const PlotPoint& point : *points) {
          all.across.push_back(point.x);
          all.upwards.push_back(point.y);
        }
    }
    for (const PlotLevel& level : plot_.levels)
      (level.upright ? all.across : all.upwards).push_back(level.at);
    return all;
  }

  std::vector<LegendEntry> legend_entries() const {
    const std::size_t longest = legend_characters(sheet_.width - left_ - right_);
    std::vector<LegendEntry> entries;
    for (const PlotLine& line : plot_.lines)
      if (!line.name.empty())
        entries.push_back({arm_label(line.name, longest), "curve " + series_class(line.series)});
    for (const PlotLevel& level : plot_.levels)
      if (level.where == PlotLevel::Name::in_legend && !level.name.empty())
        entries.push_back(
            {arm_label(level.name, longest), std::string(reports::class_of(level.kind))});
    return entries;
  }

  /// The room for the longest text at an end of a line.
  double end_room(LineEnd PlotLine::*end) const {
    double room = kEdge;
    for (const PlotLine& line : plot_.lines)
      for (const std::string& text : {(line.*end).name, numbers_of(line.*end)})
        if (!text.empty()) room = std::max(room, width_of(text) + 2 * kAfterLine);
    return std::min(room, sheet_.width / 3);
  }

  /// The room for the texts of an axis of numbers.
  double numbers_room() const {
    double room = kNumbers;
    for (const AxisMark& mark : marks_of(plot_.y, scale_of(plot_.y, all_values().upwards, 1, 0), 5))
      room = std::max(room, width_of(mark.text) + kAfterLine);
    return room;
  }

  double place_room() const {
    return (sheet_.width - kNumbers - kEdge) / static_cast<double>(plot_.x.marks.size());
  }

  /// Whether names of places are too long to stand beside each other.
  bool places_rise() const {
    return plot_.x.kind == AxisKind::places && !lines_of_text_ &&
           std::ranges::any_of(plot_.x.marks, [&](const AxisMark& mark) {
             return width_of(mark.text) > place_room() - 6;
           });
  }

  static std::string place_name(const AxisMark& mark) {
    return arm_label(mark.text, kLongestPlace);
  }

  double longest_place() const {
    double longest = 0;
    for (const AxisMark& mark : plot_.x.marks)
      longest = std::max(longest, width_of(place_name(mark)));
    return longest;
  }
  /// As little as leaves each name its height.
  double rise() const {
    return std::max(kLeastRise, std::asin(std::min(1., kNameHeight / place_room())));
  }
  double across_of_rising() const { return longest_place() * std::cos(rise()); }
  double height_of_rising() const { return longest_place() * std::sin(rise()); }

  bool names_upright_level() const {
    return std::ranges::any_of(plot_.levels, [](const PlotLevel& level) {
      return level.upright && !level.name.empty() && level.where != PlotLevel::Name::in_legend;
    });
  }

  bool has_notes() const {
    return std::ranges::any_of(plot_.x.marks,
                               [](const AxisMark& mark) { return !mark.note.empty(); });
  }

  double below() const {
    return (places_rise() ? height_of_rising() + 14 : kMarks) +
           (plot_.x.title.empty() ? 0 : kTitle);
  }

  double text_height() const {
    const bool numbers = std::ranges::any_of(
        plot_.lines, [](const PlotLine& line) { return line.before.mean || line.after.mean; });
    return (plot_.y.ends->high - plot_.y.ends->low) * (kLine + (numbers ? kNumbersLine : 0));
  }

  double right_edge() const { return sheet_.width - right_; }
  Point pixel(PlotPoint at) const { return {x_(at.x), y_(at.y)}; }

  void draw_axes() {
    for (const AxisMark& mark : marks_of(plot_.y, y_, 5)) {
      const double at = y_(mark.at);
      svg_->line({left_, at}, {right_edge(), at}, "grid");
      svg_->text({left_ - 7, at + 4}, Anchor::end, "tick", mark.text);
    }
    const double axis = y_.from;
    if (places_rise())
      for (const AxisMark& mark : plot_.x.marks)
        svg_->rising_text({x_(mark.at) + 4, axis + 14}, rise() * 180 / std::numbers::pi, "tick",
                          place_name(mark));
    else
      draw_marks_below(*svg_, marks_of(plot_.x, x_, 5), x_, axis);
    svg_->line({left_, axis}, {right_edge(), axis}, "axis");
    if (!plot_.x.title.empty())
      svg_->text({(left_ + right_edge()) / 2, axis + below() - 6}, Anchor::middle, "label",
                 plot_.x.title);
  }

  /// An axis on top, and a line down from each of its marks.
  void draw_columns() {
    const bool notes = has_notes();
    double free = -HUGE_VAL;  // the pixel from which no number stands
    for (const AxisMark& mark : marks_of(plot_.x, x_, 6)) {
      const double at = x_(mark.at), half = width_of(mark.text) / 2;
      if (!notes && at - half < free) continue;
      free = at + half;
      svg_->line({at, top_ - 4}, {at, notes ? top_ + height_ : top_}, notes ? "grid" : "axis");
      svg_->text({at, top_ - (notes ? 9 + kTextLine : 9)}, Anchor::middle,
                 notes ? "heading" : "tick", mark.text);
      if (notes) svg_->text({at, top_ - 9}, Anchor::middle, "tick", mark.note);
    }
    if (!notes) svg_->line({x_.from, top_}, {x_.to, top_}, "axis");
  }

  void draw_band(const PlotLine& line) {
    if (line.low.empty() || line.whiskers) return;
    std::vector<Point> outline;
    for (std::size_t i = 0; i < line.x.size(); ++i)
      outline.push_back(pixel({line.x[i], line.low[i]}));
    for (std::size_t i = line.x.size(); i-- > 0;)
      outline.push_back(pixel({line.x[i], line.high[i]}));
    svg_->area(outline, "band " + series_class(line.series));
  }

  void draw_line(const PlotLine& line) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < line.x.size(); ++i) points.push_back(pixel({line.x[i], line.y[i]}));
    const bool coloured = line.kind == LineKind::series || line.kind == LineKind::bar;
    svg_->path(points, std::string(class_of(line.kind)) +
                           (coloured ? series_class(line.series) : std::string()));
    if (line.whiskers)
      for (std::size_t i = 0; i < line.x.size(); ++i)
        if (line.low[i] < line.high[i])
          svg_->line(pixel({line.x[i], line.low[i]}), pixel({line.x[i], line.high[i]}),
                     "whisker " + series_class(line.series));
    if (points.empty()) return;
    write_end(points.front(), Anchor::end, line.before);
    write_end(points.back(), Anchor::start, line.after);
  }

  void write_end(Point at, Anchor anchor, const LineEnd& end) {
    at.x += anchor == Anchor::end ? -kAfterLine : kAfterLine;
    if (!end.name.empty()) svg_->text({at.x, at.y + (end.mean ? 0 : 4)}, anchor, "name", end.name);
    if (end.mean) svg_->text({at.x, at.y + 13}, anchor, "tick", numbers_of(end));
  }

  void draw_points(const PlotLine& line) {
    const std::string series =
        line.kind == LineKind::series ? "seed " + series_class(line.series) : "seed";
    for (const PlotPoint& dot : line.dots) svg_->dot(pixel(dot), 2.6, series);
    for (const PlotPoint& diamond : line.diamonds) svg_->diamond(pixel(diamond), 6, "reference");
    for (const PlotPoint& cross : line.crosses) {
      const double y = std::isfinite(cross.y) ? y_(cross.y) + 4 : top_ + 10;
      svg_->text({x_(cross.x), y}, Anchor::middle, "spike", "×");
    }
  }

  void draw_level(const PlotLevel& level) {
    const std::string_view style = reports::class_of(level.kind);
    if (level.upright)
      svg_->line({x_(level.at), top_}, {x_(level.at), top_ + height_}, style);
    else
      svg_->line({left_, y_(level.at)}, {right_edge(), y_(level.at)}, style);
  }

  void name_level(const PlotLevel& level) {
    if (level.name.empty() || level.where == PlotLevel::Name::in_legend) return;
    if (level.upright) {
      svg_->text({x_(level.at), top_ - 6}, Anchor::middle, "tick", level.name);
      return;
    }
    const bool start = level.where == PlotLevel::Name::at_start;
    svg_->text({start ? left_ + 4 : right_edge() - 2, y_(level.at) - 5},
               start ? Anchor::start : Anchor::end, "name", level.name);
  }

  const Plot& plot_;
  const Sheet& sheet_;
  bool lines_of_text_;
  double left_, right_, top_ = 10, bottom_ = 0, height_ = 0;
  std::vector<std::vector<LegendEntry>> legend_;
  Scale x_, y_;
  Svg* svg_ = nullptr;
};

}  // namespace

std::string draw_lines(const Plot& plot, std::string_view id, const Sheet& sheet) {
  return LineDrawing(plot, sheet).draw(id);
}

}  // namespace ablate::reports
