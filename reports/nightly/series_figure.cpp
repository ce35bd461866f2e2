#include "reports/nightly/series_figure.h"

#include "reports/figures/svg.h"
#include "reports/nightly/series_text.h"

namespace ablate::reports {
namespace {

using nightly::History;
using nightly::Kind;
using nightly::NightValue;
using nightly::SeriesHistory;
using nightly::Step;

constexpr double kWidth = 720, kHeight = 260, kLeft = 90, kRight = 16, kTop = 22, kBottom = 30;

class Drawing {
 public:
  Drawing(const History& history, const SeriesHistory& series)
      : history_(history),
        series_(series),
        x_{static_cast<double>(series.values.front().night) - 0.5,
           static_cast<double>(series.values.back().night) + 0.5, kLeft, kWidth - kRight},
        y_(scale_over(all_values(series), kHeight - kBottom, kTop, 0.1)),
        svg_("history", kWidth, kHeight, series.series, description(series)) {}

  std::string draw() {
    for (const double mark : ticks(y_, 5)) {
      svg_.line({kLeft, y_(mark)}, {kWidth - kRight, y_(mark)}, "grid");
      svg_.text({kLeft - 8, y_(mark) + 4}, Anchor::end, "tick", value_text(series_, mark));
    }
    for (const Step& step : series_.steps)
      upright(between(step.last_before, step.first_after), "level");
    for (std::size_t i = 1; i < series_.values.size(); ++i) mark_pin(i);
    draw_baseline();
    draw_values();
    return svg_.str();
  }

 private:
  static std::vector<double> all_values(const SeriesHistory& series) {
    std::vector<double> all;
    for (const NightValue& each : series.values) {
      all.insert(all.end(), {each.low, each.high});
      if (each.baseline) all.push_back(*each.baseline);
    }
    return all;
  }

  static const char* description(const SeriesHistory& series) {
    return series.kind == Kind::speed ? "The median of each night, with quartiles, and lines where "
                                        "the time took a step or "
                                        "the baseline a new pin."
                                      : "The mean of each night and of its baseline, and lines "
                                        "where the metric took a step "
                                        "or the baseline a new pin.";
  }

  double at(std::size_t night) const { return x_(static_cast<double>(night)); }
  double between(std::size_t a, std::size_t b) const { return (at(a) + at(b)) / 2; }

  void upright(double place, const char* classes) {
    svg_.line({place, kTop}, {place, kHeight - kBottom}, classes);
  }

  // Another pin than that of the night before.
  void mark_pin(std::size_t i) {
    const std::size_t before = series_.values[i - 1].night, after = series_.values[i].night;
    if (history_.nights[before].pin == history_.nights[after].pin) return;
    const double place = between(before, after);
    upright(place, "axis d1");
    svg_.text({place, kTop - 6}, Anchor::middle, "tick", "pin");
  }

  void draw_baseline() {
    std::vector<Point> line;
    for (const NightValue& each : series_.values)
      if (each.baseline) line.push_back({at(each.night), y_(*each.baseline)});
    if (!line.empty()) svg_.path(line, "c0 curve d1");
  }

  void draw_values() {
    std::vector<Point> line;
    for (const NightValue& each : series_.values) {
      if (each.high > each.low)
        svg_.line({at(each.night), y_(each.low)}, {at(each.night), y_(each.high)}, "c1 whisker");
      svg_.dot({at(each.night), y_(each.centre)}, 3, "c1 seed");
      line.push_back({at(each.night), y_(each.centre)});
    }
    svg_.path(line, "c1 curve");
  }

  const History& history_;
  const SeriesHistory& series_;
  Scale x_, y_;
  Svg svg_;
};

}  // namespace

Figure series_figure(const History& history, const SeriesHistory& series) {
  const std::string what = series.kind == Kind::speed
                               ? "Time a night: median and quartiles of its repetitions."
                               : "Mean over seeds a night, and that of the baseline (dashed).";
  return {"history",
          what + " Dotted lines across: steps. Dashed lines across: another pin is the baseline.",
          {Drawing(history, series).draw()}};
}

}  // namespace ablate::reports
