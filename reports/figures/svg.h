// A small writer of SVG for charts. Its output is deterministic, is styled only by classes
// (reports/assets/report.css), and has a title and a description for screen readers.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ablate::reports {

/// A position in pixels from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

/// Which part of a text is at its position.
enum class Anchor { start, middle, end };

/// The size of a drawing, in CSS pixels at full width, and what is left empty on either side.
struct Canvas {
  double width = 0, height = 0;
  double beside = 0, above = 0;
};

/// An SVG element. `classes` are CSS classes, separated by spaces; texts are raw and escaped here.
class Svg {
 public:
  /// `id` is unique within the page.
  Svg(std::string_view id, Canvas canvas, std::string_view title, std::string_view description);

  /// Draws a straight line.
  void line(Point from, Point to, std::string_view classes);

  /// Draws a line through all points.
  void path(const std::vector<Point>& points, std::string_view classes);

  /// Fills the area within an outline.
  void area(const std::vector<Point>& outline, std::string_view classes);

  /// Draws a rectangle, given its upper left corner.
  void box(Point corner, double width, double height, std::string_view classes);

  /// Draws a circle.
  void dot(Point centre, double radius, std::string_view classes);

  /// Draws a square that stands on its corner; `radius`: from the centre to a corner.
  void diamond(Point centre, double radius, std::string_view classes);

  /// Writes a text with its baseline at `position`. It is squeezed where it would leave the element, and
  /// one that is centred is moved before, so that none is cut off.
  void text(Point position, Anchor anchor, std::string_view classes, std::string_view raw);

  /// Writes a text that rises to its end at `position`, at an angle in degrees.
  void rising_text(Point position, double angle, std::string_view classes, std::string_view raw);

  /// The complete element.
  std::string str() const { return body_ + "</svg>"; }

 private:
  double width_;
  std::string body_;
};

/// A line through the values in the height of a line of text, with a dot at the last; empty below two
/// values, and where one is not finite. The text beside it says what they are.
std::string sparkline(const std::vector<double>& values);

/// A scale from values to pixels.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;           // pixel of `low`
  double to = 1;             // pixel of `high`
  bool logarithmic = false;  // otherwise linear; Requires: 0 < low

  /// The pixel of a value.
  double operator()(double value) const;
};

/// A range over all finite values, with a margin (a fraction of it) on both sides; never empty.
Scale scale_over(const std::vector<double>& values, double from, double to, double margin);

/// The same, but logarithmic. Requires: spans_a_decade(values), or all values positive.
Scale logarithmic_scale_over(const std::vector<double>& values, double from, double to,
                             double margin);

/// Whether all values are positive and the largest is more than ten times the smallest.
bool spans_a_decade(const std::vector<double>& values);

/// About `wanted` round values within the scale, at distances of 1, 2 or 5 times a power of ten.
std::vector<double> ticks(const Scale& scale, int wanted);

/// The label of a tick, with as many decimals as the distance between all ticks needs.
std::string tick_text(double value, const std::vector<double>& all);

/// The classes of a series by its index: one of seven colours and of four dash patterns. Up to 28
/// series differ in one of them, and neighbours in both.
std::string series_class(std::size_t index);

}  // namespace ablate::reports
