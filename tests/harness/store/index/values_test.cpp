// Values of metrics and curves, as records keep them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "harness/base/rng.h"
#include "harness/store/index/values/curve.h"
#include "harness/store/index/values/metric_values.h"

namespace ablate::store {
namespace {

TEST(MetricValues, AreWhatAMapWouldBe) {
  std::map<std::string, double> map;
  MetricValues values;
  Rng rng(7);
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "metric." + std::to_string(rng.below(40));
    if (rng.below(4) == 0) {
      map.erase(name);
      values.erase(name);
    } else {
      values[name] = map[name] = i;
    }
    ASSERT_EQ(values.size(), map.size());
    ASSERT_EQ(values.contains(name), map.contains(name));
  }
  ASSERT_FALSE(map.empty());
  std::map<std::string, double> same;
  for (const auto& [name, value] : values) same[name] = value;
  EXPECT_EQ(same, map);
  std::string last;
  for (const auto& [name, value] : values) {
    EXPECT_LT(last, name.text());
    last = name;
    EXPECT_EQ(values.at(last), value);
    EXPECT_EQ(values.find(last)->second, value);
  }
  EXPECT_THROW(values.at("none"), std::out_of_range);
}

TEST(MetricValues, KeepANameOnce) {
  const MetricName one("held_out.loss"), other(std::string("held_out.") + "loss");
  EXPECT_EQ(&one.text(), &other.text());
  EXPECT_EQ(one, other);
  EXPECT_FALSE(one == MetricName("held_out.los"));
}

bool same(const CurvePoint& a, const CurvePoint& b) {
  const auto alike = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.step == b.step && a.spike == b.spike && alike(a.text_tokens, b.text_tokens) &&
         alike(a.loss, b.loss) && alike(a.learning_rate, b.learning_rate) &&
         alike(a.gradient_norm, b.gradient_norm);
}

/// A curve of `points`, some of which spike or have no loss.
std::vector<CurvePoint> drawn(Rng& rng, std::int64_t points) {
  std::vector<CurvePoint> curve;
  for (std::int64_t i = 0; i < points; ++i)
    curve.push_back({.step = 5 * i + 5,
                     .text_tokens = 64.0 * static_cast<double>(i + 1),
                     .loss = rng.below(9) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                               : 2 + static_cast<double>(rng.below(100)),
                     .learning_rate = .003,
                     .gradient_norm = static_cast<double>(rng.below(100)),
                     .spike = rng.below(5) == 0});
  return curve;
}

TEST(Curve, IsItsPoints) {
  Rng rng(3);
  for (const int points : {0, 1, 7}) {
    const std::vector<CurvePoint> drawn_points = drawn(rng, points);
    Curve curve = drawn_points;
    ColumnPool pool;
    pool.share(curve);
    EXPECT_EQ(curve.size(), drawn_points.size());
    EXPECT_EQ(curve.empty(), points == 0);
    EXPECT_TRUE(std::ranges::equal(curve.points(), drawn_points, same));
    for (const CurvePoint& point : drawn_points) {
      EXPECT_TRUE(same(curve.at_step(point.step).value(), point));
      EXPECT_FALSE(curve.at_step(point.step + 1));
    }
    EXPECT_FALSE(curve.at_step(0));
    if (points > 0) {
      EXPECT_TRUE(same(curve.back(), drawn_points.back()));
    }
  }
}

// Sharing changes no curve: not where columns differ, either, nor where they are beginnings of others.
TEST(Curve, KeepsItsPointsWhenItSharesColumns) {
  Rng rng(5);
  ColumnPool pool;
  std::vector<std::vector<CurvePoint>> all;
  std::vector<Curve> curves;
  for (int i = 0; i < 60; ++i) {
    all.push_back(drawn(rng, 1 + rng.below(4)));
    if (rng.below(3) == 0) all.back().back().learning_rate = .001;
    curves.emplace_back(all.back());
    pool.share(curves.back());
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(curves[i].points(), all[i], same));
}

}  // namespace
}  // namespace ablate::store
