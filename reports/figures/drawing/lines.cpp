#include "reports/figures/drawing/lines.h"

#include <cmath>

#include "reports/figures/drawing/line_room.h"
#include "reports/figures/drawing/parts.h"

namespace ablate::reports {
namespace {

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

/// A drawing in the making.
class LineDrawing {
 public:
  LineDrawing(const Plot& plot, const LineRoom& room, Svg& svg)
      : plot_(plot), room_(room), svg_(svg) {}

  void draw() {
    if (!plot_.heading.empty()) svg_.text({4, 12}, Anchor::start, "heading", plot_.heading);
    if (room_.text_lines)
      draw_columns();
    else
      draw_axes();
    for (const PlotLine& line : plot_.lines) draw_band(line);
    for (const PlotLevel& level : plot_.levels) draw_level(level);
    for (const PlotLine& line : plot_.lines) draw_line(line);
    for (const PlotLine& line : plot_.lines) draw_points(line);
    for (const PlotLevel& level : plot_.levels) name_level(level);
    draw_legend(svg_, room_.legend, room_.left, room_.legend_middle);
  }

 private:
  Point pixel(PlotPoint at) const { return {room_.x(at.x), room_.y(at.y)}; }

  void draw_axes() {
    for (const AxisMark& mark : marks_of(plot_.y, room_.y, kMarksUp)) {
      const double at = room_.y(mark.at);
      svg_.line({room_.left, at}, {room_.right, at}, "grid");
      svg_.text({room_.left - 7, at + 4}, Anchor::end, "tick", mark.text);
    }
    const double axis = room_.bottom;
    if (room_.rise)
      for (const AxisMark& mark : plot_.x.marks)
        svg_.rising_text({room_.x(mark.at) + 4, axis + 14}, *room_.rise, "tick", place_name(mark));
    else
      draw_marks_below(svg_, marks_of(plot_.x, room_.x, kMarksUp), room_.x, axis);
    svg_.line({room_.left, axis}, {room_.right, axis}, "axis");
    if (!plot_.x.title.empty())
      svg_.text({(room_.left + room_.right) / 2, room_.title}, Anchor::middle, "label",
                plot_.x.title);
  }

  /// An axis on top, and a line down from each of its marks.
  void draw_columns() {
    const bool notes = has_notes(plot_);
    double free = -HUGE_VAL;  // the pixel from which no number stands
    for (const AxisMark& mark : marks_of(plot_.x, room_.x, 6)) {
      const double at = room_.x(mark.at), half = width_of(mark.text) / 2;
      if (!notes && at - half < free) continue;
      free = at + half;
      svg_.line({at, room_.top - 4}, {at, notes ? room_.bottom : room_.top},
                notes ? "grid" : "axis");
      svg_.text({at, room_.top - (notes ? 9 + kTextLine : 9)}, Anchor::middle,
                notes ? "heading" : "tick", mark.text);
      if (notes) svg_.text({at, room_.top - 9}, Anchor::middle, "tick", mark.note);
    }
    if (!notes) svg_.line({room_.left, room_.top}, {room_.right, room_.top}, "axis");
  }

  void draw_band(const PlotLine& line) {
    if (line.low.empty() || line.whiskers) return;
    std::vector<Point> outline;
    for (std::size_t i = 0; i < line.x.size(); ++i)
      outline.push_back(pixel({line.x[i], line.low[i]}));
    for (std::size_t i = line.x.size(); i-- > 0;)
      outline.push_back(pixel({line.x[i], line.high[i]}));
    svg_.area(outline, "band " + series_class(line.series));
  }

  void draw_line(const PlotLine& line) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < line.x.size(); ++i) points.push_back(pixel({line.x[i], line.y[i]}));
    const bool coloured = line.kind == LineKind::series || line.kind == LineKind::bar;
    svg_.path(points, std::string(class_of(line.kind)) +
                          (coloured ? series_class(line.series) : std::string()));
    if (line.whiskers)
      for (std::size_t i = 0; i < line.x.size(); ++i)
        if (line.low[i] < line.high[i])
          svg_.line(pixel({line.x[i], line.low[i]}), pixel({line.x[i], line.high[i]}),
                    "whisker " + series_class(line.series));
    if (points.empty()) return;
    write_end(points.front(), Anchor::end, line.before);
    write_end(points.back(), Anchor::start, line.after);
  }

  void write_end(Point at, Anchor anchor, const LineEnd& end) {
    at.x += anchor == Anchor::end ? -kAfterLine : kAfterLine;
    if (!end.name.empty()) svg_.text({at.x, at.y + (end.mean ? 0 : 4)}, anchor, "name", end.name);
    if (end.mean) svg_.text({at.x, at.y + 13}, anchor, "tick", numbers_of(end));
  }

  void draw_points(const PlotLine& line) {
    const std::string series =
        line.kind == LineKind::series ? "seed " + series_class(line.series) : "seed";
    for (const PlotPoint& dot : line.dots) svg_.dot(pixel(dot), 2.6, series);
    for (const PlotPoint& diamond : line.diamonds) svg_.diamond(pixel(diamond), 6, "reference");
    for (const PlotPoint& cross : line.crosses) {
      const double y = std::isfinite(cross.y) ? room_.y(cross.y) + 4 : room_.top + 10;
      svg_.text({room_.x(cross.x), y}, Anchor::middle, "spike", "×");
    }
  }

  void draw_level(const PlotLevel& level) {
    const std::string_view style = reports::class_of(level.kind);
    if (level.upright)
      svg_.line({room_.x(level.at), room_.top}, {room_.x(level.at), room_.bottom}, style);
    else
      svg_.line({room_.left, room_.y(level.at)}, {room_.right, room_.y(level.at)}, style);
  }

  void name_level(const PlotLevel& level) {
    if (level.name.empty() || level.where == PlotLevel::Name::in_legend) return;
    if (level.upright) {
      svg_.text({room_.x(level.at), room_.top - 6}, Anchor::middle, "tick", level.name);
      return;
    }
    const bool start = level.where == PlotLevel::Name::at_start;
    svg_.text({start ? room_.left + 4 : room_.right - 2, room_.y(level.at) - 5},
              start ? Anchor::start : Anchor::end, "name", level.name);
  }

  const Plot& plot_;
  const LineRoom& room_;
  Svg& svg_;
};

}  // namespace

std::string draw_lines(const Plot& plot, std::string_view id, const Sheet& sheet) {
  const LineRoom room = room_for_lines(plot, sheet);
  Svg svg = begin_drawing(plot, id, sheet, room.height);
  LineDrawing(plot, room, svg).draw();
  return svg.str();
}

}  // namespace ablate::reports
