#include "reports/figures/drawing/rows.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/figures/drawing/parts.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kBeside = 26;  // a row with its name beside it
constexpr double kNameLine = 19;
constexpr double kDotsBelow = 11;       // a mean
constexpr std::size_t kRoomy = 8;       // rows: with more, dots stand in the line of their mean
constexpr double kLongestShare = 0.33;  // of the width: a longer name stands above its row
constexpr double kLeastAxis = 0.4;      // of the width, between names and numbers
constexpr double kBetweenTexts = 12;
constexpr double kTitle = 22, kMarks = 26;

class RowDrawing {
 public:
  RowDrawing(const Plot& plot, const Sheet& sheet) : plot_(plot), sheet_(sheet) {
    double names = 0, numbers = 0;
    for (const PlotRow& row : plot.rows) {
      names = std::max(names, width_of(row.name));
      numbers = std::max(numbers, width_of(numbers_of(row)));
      verdicts_ = verdicts_ || row.verdict.has_value();
    }
    above_ = !sheet.slide && (numbers > 0 || names > kLongestShare * sheet.width);
    dots_below_ = verdicts_ && plot.rows.size() <= kRoomy;
    row_ = kBeside + (above_ ? kNameLine - 6 : 0) + (dots_below_ ? 10 : 0);
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < plot.references.size(); ++i)
      entries.push_back({plot.references[i], reference_class(i), true});
    legend_ = lines_of(entries, sheet.width - kEdge);
    if (!plot.heading.empty()) top_ += kTextLine;
    if (!plot.towards_low.empty()) top_ += kTextLine + 2;
    top_ += kTextLine * static_cast<double>(legend_.size());
    bottom_ = top_ + row_ * static_cast<double>(plot.rows.size());
    height_ = bottom_ + kMarks + (plot.x.title.empty() ? 0 : kTitle);
    names = std::min(names, kLongestShare * sheet.width);
    if (sheet.slide) {
      const double beside = names + numbers + 3 * kBetweenTexts;
      sheet_.width = std::max({sheet.width, height_ / kSlideRatio, beside / (1 - kLeastAxis)});
    }
    if (!above_) {
      left_ = names + 2 * kBetweenTexts;
      right_ = numbers > 0 ? numbers + kBetweenTexts : kEdge;
    }
    x_ = scale_of(plot.x, all_values(), left_, sheet_.width - right_);
  }

  std::string draw(std::string_view id) {
    Svg svg = begin_drawing(plot_, id, sheet_, height_);
    svg_ = &svg;
    draw_frame();
    for (std::size_t i = 0; i < plot_.rows.size(); ++i)
      draw_row(plot_.rows[i], top_ + row_ * static_cast<double>(i));
    return svg.str();
  }

 private:
  static std::string reference_class(std::size_t index) {
    return fmt::format("reference r{}", index % 3);
  }

  std::vector<double> all_values() const {
    std::vector<double> values;
    const auto add = [&](const std::optional<statistics::Interval>& interval) {
      if (interval) values.insert(values.end(), {interval->low, interval->high});
    };
    for (const PlotRow& row : plot_.rows) {
      values.insert(values.end(), row.dots.begin(), row.dots.end());
      for (const auto& value : row.references)
        if (value) values.push_back(*value);
      if (row.mean) values.push_back(*row.mean);
      add(row.interval);
      add(clipped(row));
    }
    for (const PlotLevel& level : plot_.levels) values.push_back(level.at);
    add(plot_.zone);
    return values;
  }

  /// Lines and the zone are in the rows' lower parts alone, below names, which they would cross.
  void in_each_row(const auto& draw_part) {
    for (std::size_t i = 0; i < plot_.rows.size(); ++i) {
      const double top = top_ + row_ * static_cast<double>(i);
      draw_part(top + (above_ ? kNameLine : 0), top + row_);
    }
  }

  void upright(double value, std::string_view style) {
    in_each_row([&](double from, double to) {
      svg_->line({x_(value), from}, {x_(value), to}, style);
    });
  }

  void draw_frame() {
    double line = 12;
    if (!plot_.heading.empty()) {
      svg_->text({4, line}, Anchor::start, "heading", plot_.heading);
      line += kTextLine;
    }
    draw_legend(*svg_, legend_, 4, line - 2);
    line += kTextLine * static_cast<double>(legend_.size());
    svg_->text({left_, line}, Anchor::start, "label", plot_.towards_low);
    svg_->text({sheet_.width - right_, line}, Anchor::end, "label", plot_.towards_high);
    if (plot_.zone)
      in_each_row([&](double from, double to) {
        svg_->box({x_(plot_.zone->low), from}, x_(plot_.zone->high) - x_(plot_.zone->low),
                  to - from, "margin");
      });
    const std::vector<AxisMark> marks = marks_of(plot_.x, x_, 5);
    for (const AxisMark& mark : marks) upright(mark.at, "grid");
    draw_marks_below(*svg_, marks, x_, bottom_);
    svg_->line({left_, bottom_}, {sheet_.width - right_, bottom_}, "axis");
    for (const PlotLevel& level : plot_.levels) upright(level.at, class_of(level.kind));
    if (!plot_.x.title.empty())
      svg_->text({(left_ + sheet_.width - right_) / 2, bottom_ + kMarks + 12}, Anchor::middle,
                 "label", plot_.x.title);
  }

  /// Draws a row from `top` down: name and numbers, the whisker, the single values.
  void draw_row(const PlotRow& row, double top) {
    const double y = top + (above_ ? kNameLine + 9 : row_ / 2 - (dots_below_ ? 5 : 0));
    write_name(row, top, y);
    for (std::size_t i = 0; i < row.references.size(); ++i)
      if (row.references[i]) svg_->diamond({x_(*row.references[i]), y}, 5, reference_class(i));
    const std::string tone =
        row.verdict ? std::string(name_of(*row.verdict)) : series_class(row.series);
    if (const auto wider = clipped(row))
      svg_->line({x_(wider->low), y}, {x_(wider->high), y}, "wider " + tone);
    if (row.interval)
      svg_->line({x_(row.interval->low), y}, {x_(row.interval->high), y}, "whisker " + tone);
    const double dots = dots_below_ ? y + kDotsBelow : y;
    for (const double value : row.dots)
      svg_->dot({x_(value), dots}, 2.4, verdicts_ ? "seed" : "seed " + tone);
    if (row.mean) draw_mean({x_(*row.mean), y}, row.verdict, tone);
  }

  /// The wider interval, up to three half-widths of the other on either side of the mean: of few seeds it
  /// may be many times as wide, and all else would be a point beside it.
  static std::optional<statistics::Interval> clipped(const PlotRow& row) {
    constexpr double kMost = 3;
    if (!row.wider || !row.interval || !row.mean) return row.wider;
    const double below = kMost * (*row.mean - row.interval->low),
                 above = kMost * (row.interval->high - *row.mean);
    return statistics::Interval{std::max(row.wider->low, *row.mean - below),
                                std::min(row.wider->high, *row.mean + above)};
  }

  static std::string numbers_of(const PlotRow& row) {
    if (row.remark.empty() || !row.mean) return row.remark;
    return fmt::format("{}, {}", rounded(*row.mean, row.interval).text(), row.remark);
  }

  void write_name(const PlotRow& row, double top, double y) {
    const std::string numbers = numbers_of(row);
    const double room = above_ ? sheet_.width - 2 * kEdge - width_of(numbers) - kBetweenTexts
                               : left_ - kBetweenTexts;
    const auto characters = static_cast<std::size_t>(std::max(14., room / width_of("x")));
    const std::string name = arm_label(row.name, characters);
    if (above_)
      svg_->text({kEdge, top + 14}, Anchor::start, "name", name);
    else
      svg_->text({left_ - kBetweenTexts, y + 4}, Anchor::end, "name", name);
    svg_->text({sheet_.width - (above_ ? kEdge : 2), above_ ? top + 14 : y + 4}, Anchor::end,
               "value", numbers);
  }

  /// Each verdict has a shape, so that it need not be told by its colour.
  void draw_mean(Point at, std::optional<statistics::Verdict> verdict, const std::string& tone) {
    using enum statistics::Verdict;
    const std::string style = "centre " + tone;
    if (!verdict)
      svg_->line({at.x, at.y - 8}, {at.x, at.y + 8}, "mean " + tone);
    else if (verdict == better)
      svg_->dot(at, 5, style);
    else if (verdict == worse)
      svg_->box({at.x - 4.5, at.y - 4.5}, 9, 9, style);
    else if (verdict == equivalent)
      svg_->diamond(at, 6.5, style);
    else
      svg_->dot(at, 4.6, "reference");
  }

  const Plot& plot_;
  Sheet sheet_;
  bool above_ = false;  // whether names stand above their rows
  bool verdicts_ = false;
  bool dots_below_ = false;  // whether single values stand below means
  double left_ = kEdge, right_ = kEdge, row_ = 0, top_ = 4, bottom_ = 0, height_ = 0;
  std::vector<std::vector<LegendEntry>> legend_;
  Scale x_;
  Svg* svg_ = nullptr;
};

}  // namespace

std::string draw_rows(const Plot& plot, std::string_view id, const Sheet& sheet) {
  return RowDrawing(plot, sheet).draw(id);
}

}  // namespace ablate::reports
