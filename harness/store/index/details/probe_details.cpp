#include "harness/store/index/details/probe_details.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/base/error.h"

namespace ablate::store {
namespace {

/// Reads a stored value by `read`. Throws DamagedFile where it has another form.
template <class Read>
auto read_stored(std::string_view what, const Read& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    damaged("index.sqlite: the {} of a measurement cannot be read: {}", what, error.what());
  }
}

ProbeCurve probe_curve_in(const Json& stored) {
  ProbeCurve curve{stored.at("metric"), stored.at("along"), {}, {}};
  if (stored.contains("chosen")) curve.chosen = stored.at("chosen").get<double>();
  for (const Json& point : stored.at("points")) {
    const Json& value = point.at(1);
    if (value.is_number()) curve.points.push_back({point.at(0), value});
  }
  std::ranges::sort(curve.points, {}, &ProbeCurve::Point::at);
  return curve;
}

ScorePart part_in(const Json& stored) {
  return {stored.at("name"), stored.at("accuracy"), stored.at("item_error"), stored.at("items")};
}

}  // namespace

std::vector<ProbeCurve> probe_curves_in(const Json& curves) {
  return read_stored("curves", [&] {
    std::vector<ProbeCurve> all;
    for (const Json& stored : curves)
      if (ProbeCurve curve = probe_curve_in(stored); !curve.points.empty())
        all.push_back(std::move(curve));
    return all;
  });
}

std::vector<ScoreParts> score_parts_in(const Json& parts) {
  return read_stored("parts", [&] {
    std::vector<ScoreParts> all;
    for (const auto& [metric, ways] : parts.get_ref<const Json::object_t&>())
      for (const auto& [by, list] : ways.get_ref<const Json::object_t&>()) {
        ScoreParts& made = all.emplace_back(ScoreParts{metric, by, {}});
        for (const Json& part : list) made.parts.push_back(part_in(part));
      }
    return all;
  });
}

std::optional<SplitSizes> split_sizes_in(const Json& details) {
  return read_stored("sizes of splits", [&]() -> std::optional<SplitSizes> {
    for (const char* unit : {"documents", "pairs", "sentences"}) {
      const Json counts = details.value(unit, Json());
      if (!counts.is_object() || !counts.contains("test"))
        continue;  // a number: of what is not split
      SplitSizes sizes{.unit = unit, .test = counts.at("test")};
      sizes.left_out = counts.value("too_long", std::int64_t{0});
      sizes.cut = counts.value("cut", std::int64_t{0});
      if (counts.contains("training")) sizes.training = counts.at("training").get<std::int64_t>();
      if (counts.contains("development"))
        sizes.development = counts.at("development").get<std::int64_t>();
      const Json schemes = details.value("schemes", Json());
      if (!schemes.is_null()) schemes.get_to(sizes.schemes);
      return sizes;
    }
    const Json left_out = details.value("too_long", Json());
    if (!left_out.is_number_integer() || left_out == 0) return std::nullopt;
    for (const char* items : {"choices", "words", "problems"})
      if (const Json count = details.value(items, Json()); count.is_number_integer())
        return SplitSizes{.unit = "items",
                          .test = count.get<std::int64_t>(),
                          .left_out = left_out.get<std::int64_t>()};
    return std::nullopt;
  });
}

std::map<std::string, std::string> reasons_in(const Json& absent) {
  return read_stored("reasons", [&] { return absent.get<std::map<std::string, std::string>>(); });
}

}  // namespace ablate::store
