#include "reports/paper/tables/text_width.h"

#include "reports/text/code_point.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kOther = 0.75;

/// Thousandths of a quad, from "a" to "z" and from "A" to "Z". Source: the metrics of cmr10.
constexpr int kSmallLetters[] = {500, 556, 444, 556, 444, 306, 500, 556, 278, 306, 528, 278, 833,
                                 556, 500, 556, 528, 392, 394, 389, 556, 528, 722, 528, 528, 444};
constexpr int kCapitalLetters[] = {750, 708, 722, 764, 681,  653, 785, 750, 361,
                                   514, 778, 625, 917, 750,  778, 681, 778, 736,
                                   556, 722, 750, 750, 1028, 750, 750, 611};

double width_of(char c) {
  if (c >= 'a' && c <= 'z') return kSmallLetters[c - 'a'] / 1000.;
  if (c >= 'A' && c <= 'Z') return kCapitalLetters[c - 'A'] / 1000.;
  if (c >= '0' && c <= '9') return 0.5;
  switch (c) {
    case '.':
    case ',':
    case ':':
    case ';':
    case '\'':
    case '!':
    case '[':
    case ']':
      return 0.278;
    case ' ':
    case '-':
      return 0.333;
    case '(':
    case ')':
      return 0.389;
    case '_':
    case '/':
    case '*':
    case '"':
      return 0.5;
    default:
      return 0.8;
  }
}

}  // namespace

double text_width(std::string_view raw) {
  const std::string text = readable(raw);
  double sum = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    sum += length > 1 ? kOther : width_of(text[at]);
    at += length;
  }
  return sum;
}

}  // namespace ablate::reports
