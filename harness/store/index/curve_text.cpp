#include "harness/store/index/curve_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "harness/base/error.h"

namespace ablate::store {
namespace {

constexpr std::string_view kInfinity = "9e999", kNull = "null";

template <class Number>
void append(std::string& text, Number number) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_number(std::string& text, double number) {
  if (std::isnan(number))
    text += kNull;
  else if (std::isinf(number))
    (text += number < 0 ? "-" : "") += kInfinity;
  else
    append(text, number);
}

/// Reads a text from its begin.
class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  bool done() const { return at_ == end_; }

  /// Takes `expected` if it comes next.
  bool takes(std::string_view expected) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(expected))
      return false;
    at_ += expected.size();
    return true;
  }

  void must_take(std::string_view expected) {
    if (!takes(expected)) refuse();
  }

  std::int64_t integer() {
    std::int64_t value = 0;
    const auto [past, fault] = std::from_chars(at_, end_, value);
    if (fault != std::errc()) refuse();
    at_ = past;
    return value;
  }

  double number() {
    if (takes(kNull)) return std::numeric_limits<double>::quiet_NaN();
    const bool negative = at_ != end_ && *at_ == '-';
    double value = 0;
    const auto [past, fault] = std::from_chars(at_, end_, value);
    if (fault == std::errc::result_out_of_range)
      value = (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
    else if (fault != std::errc())
      refuse();
    at_ = past;
    return value;
  }

  [[noreturn]] static void refuse() { damaged("index.sqlite: the points of a curve are damaged"); }

 private:
  const char* at_;
  const char* end_;
};

CurvePoint point_in(Reader& read) {
  CurvePoint point;
  read.must_take("[");
  point.step = read.integer();
  for (double* const value :
       {&point.text_tokens, &point.loss, &point.learning_rate, &point.gradient_norm}) {
    read.must_take(",");
    *value = read.number();
  }
  read.must_take(",");
  point.spike = read.integer() != 0;
  read.must_take("]");
  return point;
}

}  // namespace

std::string curve_text(std::span<const CurvePoint> points) {
  std::string text = "[";
  for (const CurvePoint& point : points) {
    text += text.size() == 1 ? "[" : ",[";
    append(text, point.step);
    for (const double value :
         {point.text_tokens, point.loss, point.learning_rate, point.gradient_norm})
      append_number(text += ',', value);
    text += point.spike ? ",1]" : ",0]";
  }
  return text += ']';
}

std::vector<CurvePoint> curve_in(std::string_view text) {
  std::vector<CurvePoint> points;
  const auto brackets = static_cast<std::size_t>(std::count(text.begin(), text.end(), '['));
  points.reserve(std::max<std::size_t>(brackets, 1) - 1);
  Reader read(text);
  read.must_take("[");
  while (!read.takes("]")) {
    if (!points.empty()) read.must_take(",");
    points.push_back(point_in(read));
  }
  if (!read.done()) read.refuse();
  return points;
}

}  // namespace ablate::store
