// A small writer of SVG for charts: deterministic, styled by classes alone
// (reports/formats/report.css), with a title and a description for those who do not see it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ablate::reports {

struct Point {
  double x = 0;
  double y = 0;
};

enum class Anchor { start, middle, end };

class Svg {
 public:
  /// `id` is unique within the page; sizes are in CSS pixels at full width. Texts are raw.
  Svg(std::string_view id, double width, double height, std::string_view title,
      std::string_view description);

  void line(Point from, Point to, std::string_view classes);
  void path(const std::vector<Point>& points, std::string_view classes);
  void area(const std::vector<Point>& outline, std::string_view classes);
  void box(Point corner, double width, double height, std::string_view classes);
  void dot(Point centre, double radius, std::string_view classes);
  void diamond(Point centre, double radius, std::string_view classes);
  void text(Point at, Anchor anchor, std::string_view classes, std::string_view raw);

  std::string str() const { return body_ + "</svg>"; }

 private:
  std::string body_;
};

/// A linear scale from values to pixels.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;  // pixel of `low`
  double to = 1;    // pixel of `high`

  double operator()(double value) const {
    return from + (value - low) / (high - low) * (to - from);
  }
};

/// A range over all finite values, with a margin (a fraction of it) on both sides; never empty.
Scale scale_over(const std::vector<double>& values, double from, double to, double margin);

/// Round values within the scale, about `wanted` of them: 1, 2 or 5 times a power of ten apart.
std::vector<double> ticks(const Scale& scale, int wanted);

/// The label of a tick, with as many decimals as the distance between all ticks needs.
std::string tick_text(double value, const std::vector<double>& all);

/// The classes of a series by its index: a colour and a dash pattern, which say the same.
std::string series_class(std::size_t index);

}  // namespace ablate::reports
