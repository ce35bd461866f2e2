#include "harness/store/index/curve_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/json/json_scanner.h"

namespace ablate::store {
namespace {

constexpr char kInfinity[] = "9e999", kMinusInfinity[] = "-9e999", kNull[] = "null";
constexpr char kSpike[] = ",1]", kNoSpike[] = ",0]";

template <class Number>
void append(std::string& text, Number number) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_number(std::string& text, double number) {
  if (std::isnan(number))
    text += kNull;
  else if (std::isinf(number))
    text += number < 0 ? kMinusInfinity : kInfinity;
  else
    append(text, number);
}

void must(bool taken) {
  if (!taken) damaged("index.sqlite: the points of a curve are damaged");
}

double take_number(JsonScanner& scan) {
  double number = 0;
  if (scan.takes(kNull)) return std::numeric_limits<double>::quiet_NaN();
  if (scan.takes(kInfinity)) return std::numeric_limits<double>::infinity();
  if (scan.takes(kMinusInfinity)) return -std::numeric_limits<double>::infinity();
  must(scan.takes_number(number));
  return number;
}

CurvePoint take_point(JsonScanner& scan) {
  CurvePoint point;
  must(scan.takes("[") && scan.takes_number(point.step));
  for (double* const value :
       {&point.text_tokens, &point.loss, &point.learning_rate, &point.gradient_norm}) {
    must(scan.takes(","));
    *value = take_number(scan);
  }
  point.spike = scan.takes(kSpike);
  must(point.spike || scan.takes(kNoSpike));
  return point;
}

}  // namespace

void CurveText::begin(std::int64_t step) {
  while (!begins_.empty() && begins_.back().first >= step) {
    text_.resize(begins_.back().second);
    begins_.pop_back();
  }
  begins_.emplace_back(step, text_.size());
  text_ += begins_.size() == 1 ? "[" : ",[";
  append(text_, step);
}

void CurveText::add(const CurvePoint& point) {
  begin(point.step);
  for (const double value :
       {point.text_tokens, point.loss, point.learning_rate, point.gradient_norm})
    append_number(text_ += ',', value);
  text_ += point.spike ? kSpike : kNoSpike;
}

void CurveText::add(const CurveEvent& event) {
  begin(event.step);
  for (const std::string_view number :
       {event.text_tokens, event.loss, event.learning_rate, event.gradient_norm})
    (text_ += ',') += number;
  text_ += event.spike ? kSpike : kNoSpike;
}

std::vector<CurvePoint> CurveText::points() const { return curve_in(text()); }

std::vector<CurvePoint> curve_in(std::string_view text) {
  std::vector<CurvePoint> points;
  const auto brackets = static_cast<std::size_t>(std::count(text.begin(), text.end(), '['));
  points.reserve(std::max<std::size_t>(brackets, 1) - 1);
  JsonScanner scan(text);
  must(scan.takes("["));
  while (!scan.takes("]")) {
    must(points.empty() || scan.takes(","));
    points.push_back(take_point(scan));
  }
  must(scan.done());
  return points;
}

std::optional<CurvePoint> last_point_in(std::string_view text) {
  const std::size_t begin = text.rfind('[');
  must(begin != text.npos);
  if (begin == 0) {
    must(text == "[]");
    return std::nullopt;
  }
  JsonScanner scan(text.substr(begin));
  const CurvePoint point = take_point(scan);
  must(scan.takes("]") && scan.done());
  return point;
}

}  // namespace ablate::store
