#include "reports/findings/fields.h"

#include <fmt/ranges.h>

#include <sstream>

#include "reports/findings/json_parts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using statistics::Interval;
using OptionalInterval = std::optional<Interval>;

/// A visitor made of lambdas, one for each type of value.
template <class... Lambdas>
struct ByType : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
ByType(Lambdas...) -> ByType<Lambdas...>;

/// "-0.021 to -0.013", with the decimals of the mean beside it.
std::string range_text(const OptionalInterval& interval) {
  if (!interval) return "";
  return fmt::format("{} to {}", rounded(interval->low, interval).mean,
                     rounded(interval->high, interval).mean);
}

Json json_of(const Value& value) {
  return std::visit(ByType{[](const std::optional<std::int64_t>& count) { return or_null(count); },
                           [](const std::optional<double>& number) { return or_null(number); },
                           [](const PValue& p) { return or_null(p.p); },
                           [](const ArmName& arm) { return Json(arm.name); },
                           [](const OptionalInterval& interval) { return interval_json(interval); },
                           [](const Estimate& seen) { return estimate_json(seen); },
                           [](const Numbers& numbers) { return Json(numbers.all); },
                           [](const Ends& ends) {
                             return Json{or_null(ends.low), or_null(ends.high)};
                           },
                           [](const auto& plain) { return Json(plain); }},
                    value);
}

void put_ends(Csv& csv, const OptionalInterval& interval) {
  csv.number(interval ? std::optional(interval->low) : std::nullopt);
  csv.number(interval ? std::optional(interval->high) : std::nullopt);
}

}  // namespace

Cell cell_of(const Value& value) {
  return std::visit(
      ByType{[](const std::string& text) { return text_cell(text); },
             [](bool yes) { return text_cell(yes ? "yes" : "no"); },
             [](std::int64_t count) { return text_cell(std::to_string(count)); },
             [](const std::optional<std::int64_t>& count) {
               return text_cell(count ? std::to_string(*count) : "");
             },
             [](const std::optional<double>& number) { return number_cell(number); },
             [](const PValue& p) { return p_cell(p.p); },
             [](const ArmName& arm) { return text_cell(arm.label); },
             [](const Ends&) { return text_cell(""); },
             [](const Numbers& numbers) {
               return text_cell(fmt::format("{}", fmt::join(numbers.all, ", ")));
             },
             [](const std::vector<double>&) { return text_cell(""); },
             [](const OptionalInterval& interval) { return text_cell(range_text(interval)); },
             [](const Estimate& seen) { return estimate_cell(seen); }},
      value);
}

void put(Json& row, const std::string& key, const Value& value) {
  if (key == kInRow)
    row.update(json_of(value));
  else
    row[key] = json_of(value);
}

Csv begin_csv(const std::vector<std::string>& columns) {
  std::vector<std::string> names = {"experiment"};
  for (const std::string& column : columns) {
    std::istringstream each(column);
    for (std::string name; std::getline(each, name, ',');) names.push_back(name);
  }
  return Csv(names);
}

void put(Csv& csv, const Value& value) {
  std::visit(ByType{[&](const std::string& text) { csv.text(text); },
                    [&](bool yes) { csv.text(yes ? "true" : "false"); },
                    [&](std::int64_t count) { csv.number(count); },
                    [&](const std::optional<std::int64_t>& count) {
                      csv.text(count ? std::to_string(*count) : "");
                    },
                    [&](const std::optional<double>& number) { csv.number(number); },
                    [&](const PValue& p) { csv.number(p.p); },
                    [&](const ArmName& arm) { csv.text(arm.name); }, [](const Ends&) {},
                    [&](const Numbers& numbers) {
                      csv.text(fmt::format("{}", fmt::join(numbers.all, " ")));
                    },
                    [](const std::vector<double>&) {},
                    [&](const OptionalInterval& interval) { put_ends(csv, interval); },
                    [&](const Estimate& seen) {
                      csv.number(seen.mean);
                      put_ends(csv, seen.interval);
                    }},
             value);
}

}  // namespace ablate::reports
