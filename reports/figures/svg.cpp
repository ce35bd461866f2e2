// A small writer of SVG for charts.

#include "reports/figures/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/utf8.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kLargestPixel = 1e6;
constexpr double kCharacter = 6.2;  // pixels; about the mean width of one at the size of labels

/// A coordinate to a tenth of a pixel.
std::string pixel(double value) {
  if (!std::isfinite(value)) value = 0;
  std::string text = fmt::format("{:.1f}", std::clamp(value, -kLargestPixel, kLargestPixel));
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    text += (text.empty() ? "" : " ") + pixel(point.x) + "," + pixel(point.y);
  }
  return text;
}

}  // namespace

Svg::Svg(std::string_view id, Canvas canvas, std::string_view title, std::string_view description)
    : width_(canvas.width) {
  const std::string name = html_text(id);
  body_ = fmt::format(
      "<svg role=\"img\" viewBox=\"{} {} {} {}\" aria-labelledby=\"{}-t {}-d\"><title "
      "id=\"{}-t\">{}</title><desc id=\"{}-d\">{}</desc>",
      pixel(-canvas.beside), pixel(-canvas.above), pixel(canvas.width + 2 * canvas.beside),
      pixel(canvas.height + 2 * canvas.above), name, name, name, html_text(title), name,
      html_text(description));
}

void Svg::line(Point from, Point to, std::string_view classes) {
  body_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", classes,
                       pixel(from.x), pixel(from.y), pixel(to.x), pixel(to.y));
}

void Svg::path(const std::vector<Point>& points, std::string_view classes) {
  body_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>", classes, points_text(points));
}

void Svg::area(const std::vector<Point>& outline, std::string_view classes) {
  body_ += fmt::format("<polygon class=\"{}\" points=\"{}\"/>", classes, points_text(outline));
}

void Svg::box(Point corner, double width, double height, std::string_view classes) {
  body_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", classes,
                       pixel(corner.x), pixel(corner.y), pixel(width), pixel(height));
}

void Svg::dot(Point centre, double radius, std::string_view classes) {
  body_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", classes,
                       pixel(centre.x), pixel(centre.y), pixel(radius));
}

void Svg::diamond(Point centre, double radius, std::string_view classes) {
  area({{centre.x, centre.y - radius},
        {centre.x + radius, centre.y},
        {centre.x, centre.y + radius},
        {centre.x - radius, centre.y}},
       classes);
}

void Svg::text(Point position, Anchor anchor, std::string_view classes, std::string_view raw) {
  if (raw.empty()) return;
  const char* where = anchor == Anchor::start ? "start" : anchor == Anchor::end ? "end" : "middle";
  const double wide = kCharacter * static_cast<double>(characters(raw));
  const double room = anchor == Anchor::middle  ? width_
                      : anchor == Anchor::start ? width_ - position.x
                                                : position.x;
  std::string squeezed;
  if (wide > room && room > 0)
    squeezed = fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", pixel(room));
  if (anchor == Anchor::middle) {
    const double inside = std::min(wide, width_) / 2;
    position.x = std::clamp(position.x, inside, width_ - inside);
  }
  body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>",
                       classes, pixel(position.x), pixel(position.y), where, squeezed,
                       html_text(with_minus(raw)));
}

void Svg::rising_text(Point position, double angle, std::string_view classes,
                      std::string_view raw) {
  body_ += fmt::format(
      "<text class=\"{}\" transform=\"translate({} {}) rotate(-{})\" "
      "text-anchor=\"end\">{}</text>",
      classes, pixel(position.x), pixel(position.y), pixel(angle), html_text(with_minus(raw)));
}

std::string sparkline(const std::vector<double>& values) {
  constexpr double kWidth = 96, kHeight = 18, kDot = 2;
  if (values.size() < 2 ||
      !std::ranges::all_of(values, [](double each) { return std::isfinite(each); }))
    return "";
  const Scale x{0, static_cast<double>(values.size() - 1), kDot, kWidth - kDot};
  const Scale y = scale_over(values, kHeight - kDot, kDot, 0);
  std::vector<Point> points;
  points.reserve(values.size());
  for (const double value : values)
    points.push_back({x(static_cast<double>(points.size())), y(value)});
  return fmt::format(
      "<svg class=\"spark\" aria-hidden=\"true\" viewBox=\"0 0 {} {}\"><polyline class=\"curve "
      "c0\" points=\"{}\"/><circle class=\"end\" cx=\"{}\" cy=\"{}\" r=\"{}\"/></svg>",
      kWidth, kHeight, points_text(points), pixel(points.back().x), pixel(points.back().y), kDot);
}

double Scale::operator()(double value) const {
  const double fraction =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + fraction * (to - from);
}

Scale scale_over(const std::vector<double>& values, double from, double to, double margin) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double value : values) {
    if (!std::isfinite(value) || std::abs(value) > 1e100) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) return {0, 1, from, to};
  double room = margin * (high - low);
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
    room = std::max(std::abs(low) / 10, 1e-3);
  }
  return {low - room, high + room, from, to};
}

bool spans_a_decade(const std::vector<double>& values) {
  constexpr double kDecade = 10;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return low != values.end() && *low > 0 && std::isfinite(*high) && *high > kDecade * *low;
}

Scale logarithmic_scale_over(const std::vector<double>& values, double from, double to,
                             double margin) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (low == values.end() || !(*low > 0) || !std::isfinite(*high) || !(*low < *high))
    return scale_over(values, from, to, margin);
  const double room = std::pow(*high / *low, margin);
  return {*low / room, *high * room, from, to, true};
}

std::vector<double> ticks(const Scale& scale, int wanted) {
  const double minimum = (scale.high - scale.low) / wanted;
  const double power = std::pow(10, std::floor(std::log10(minimum)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= minimum) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> result;
  const double first = std::ceil(scale.low / step - 1e-9);
  for (int i = 0; i <= 2 * wanted; ++i) {
    const double value = (first + i) * step;
    if (value > scale.high + 1e-9 * step) break;
    result.push_back(value);
  }
  return result;
}

std::string tick_text(double value, const std::vector<double>& all) {
  const double step = all.size() > 1 ? all[1] - all[0] : std::abs(value);
  if (std::abs(value) < 1e-9 * step) return "0";
  if (std::max(std::abs(all.front()), std::abs(all.back())) >= 1000) return amount(value);
  const double scale = std::log10(std::abs(value)) - std::floor(std::log10(step) + 1e-9);
  return significant(value, std::clamp(static_cast<int>(std::floor(scale + 1e-9)) + 1, 1, 8));
}

std::string series_class(std::size_t index) { return fmt::format("c{} d{}", index % 7, index % 4); }

}  // namespace ablate::reports
