// The row of "at", and what it is read into.

#include "harness/plan/rows/on_the_way.h"

#include <algorithm>
#include <functional>

#include "harness/base/error.h"

namespace ablate::plan {
namespace {

constexpr double kMaxPoints = 64;
constexpr double kMaxDoublings = 20;
constexpr double kSmallestFraction = 1e-6;

}  // namespace

const Param& at_param() {
  static const Param row = optional(
      section("at",
              {optional(list("fractions", nullptr,
                             {number("", nullptr, kSmallestFraction, 1 - kSmallestFraction,
                                     "of the trial's steps, between 0 and 1")},
                             kMaxPoints, "fractions of the trial's steps, ascending")),
               optional(list("tokens", nullptr,
                             {number("", nullptr, 1, 1e15, "raw tokens of text read so far")},
                             kMaxPoints, "raw tokens of text read so far, ascending")),
               optional(integer("doublings", nullptr, 1, kMaxDoublings,
                                "number n of points, each at twice the steps of the one before, "
                                "from 1/2^n of the trial's steps to 1/2"))},
              "when to measure during training as well as at its end; give exactly one of these"));
  return row;
}

void to_json(Json& json, const OnTheWay& points) {
  if (points.unit == "doublings")
    json = {{points.unit, static_cast<std::int64_t>(points.amounts.front())}};
  else
    json = {{points.unit, points.amounts}};
}

OnTheWay on_the_way_of(const Json& section) {
  if (section.size() != 1)
    reject("at = {} has {} settings; give exactly one of fractions, tokens and doublings",
           canonical(section).substr(0, 60), section.size());
  OnTheWay points{section.begin().key(), {}};
  const Json& given = section.begin().value();
  if (given.is_array())
    given.get_to(points.amounts);
  else
    points.amounts = {given.get<double>()};
  if (points.amounts.empty())
    reject("at.{} names no point; name at least one, or leave out \"at\"", points.unit);
  const auto& amounts = points.amounts;
  if (std::adjacent_find(amounts.begin(), amounts.end(), std::greater_equal<>()) != amounts.end())
    reject("at.{} = {} do not ascend; name each point once, the earliest first", points.unit,
           canonical(given).substr(0, 60));
  return points;
}

}  // namespace ablate::plan
