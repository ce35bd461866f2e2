#include "harness/store/index/curve_text.h"

#include <SQLiteCpp/Statement.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "harness/base/error.h"
#include "harness/store/index/index.h"
#include "harness/store/index/trial_state.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing_support::fake_plan;
using testing_support::journal_of;

std::vector<std::uint64_t> bits_of(const std::vector<CurvePoint>& points) {
  std::vector<std::uint64_t> bits;
  for (const CurvePoint& point : points) {
    bits.insert(bits.end(), {static_cast<std::uint64_t>(point.step), point.spike});
    for (const double value :
         {point.text_tokens, point.loss, point.learning_rate, point.gradient_norm})
      bits.push_back(std::bit_cast<std::uint64_t>(value));
  }
  return bits;
}

CurveText text_of(const std::vector<CurvePoint>& points) {
  CurveText curve;
  for (const CurvePoint& point : points) curve.add(point);
  return curve;
}

std::vector<CurvePoint> odd_points() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {{0, 0, -0.0, 1e-300, 5e-324, false},
          {1, 64, nan, INFINITY, -INFINITY, true},
          {std::int64_t{1} << 62, 1e308, 0.1 + 0.2, -1.5, 123456789, false}};
}

TEST(CurveText, KeepsEveryBit) {
  EXPECT_EQ(bits_of(text_of(odd_points()).points()), bits_of(odd_points()));
  EXPECT_TRUE(CurveText().points().empty());
}

TEST(CurveText, DropsPointsThatWereComputedAgain) {
  std::vector<CurvePoint> points;
  CurveText curve;
  for (const std::int64_t step : {1, 2, 3, 5, 8, 3, 4, 1, 6}) {
    std::erase_if(points, [&](const CurvePoint& point) { return point.step >= step; });
    points.push_back({.step = step, .loss = static_cast<double>(points.size())});
    curve.add(points.back());
    EXPECT_EQ(bits_of(curve.points()), bits_of(points)) << step;
  }
}

TEST(CurveText, TellsItsLastPoint) {
  EXPECT_FALSE(last_point_in(CurveText().text()));
  for (std::size_t count = 1; count <= odd_points().size(); ++count) {
    std::vector<CurvePoint> points = odd_points();
    points.resize(count);
    const auto last = last_point_in(text_of(points).text());
    ASSERT_TRUE(last);
    EXPECT_EQ(bits_of({*last}), bits_of({points.back()}));
  }
  const std::string text = text_of(odd_points()).text();
  for (std::size_t less = 1; less < 20; ++less)
    EXPECT_THROW(last_point_in(text.substr(0, text.size() - less)), DamagedFile) << less;
  for (const char* const other : {"", "]", "[", "1,2", "[[1,2,3,4,5,0]] ", "[[1,2,3,4,5]]"})
    EXPECT_THROW(last_point_in(other), DamagedFile) << other;
}

TEST(CurveText, RefusesEverythingElse) {
  const std::string text = text_of(odd_points()).text();
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_THROW(curve_in(text.substr(0, size)), DamagedFile) << text.substr(0, size);
  for (const char* const other :
       {"[[1,2,3,4,5,0],]", "[[1,2,3,4,5,0]]]", "[[1,2,3,4,5]]", "[[1.5,2,3,4,5,0]]", "{}",
        "[[1,2,3,4,5,0][2,2,3,4,5,0]]", "[[1,\"nan\",3,4,5,0]]", "[[1,2,3,4,5,0]] "})
    EXPECT_THROW(curve_in(other), DamagedFile) << other;
}

/// Points as a worker writes them, and some that are read in another way: without numbers, or with
/// what a later version may add.
void write_curve(Journal& journal) {
  journal.write("attempt", Json::object());
  journal.write("curve", {{"step", 1},
                          {"text_tokens", 64},
                          {"loss", 2.5},
                          {"learning_rate", 1e-3},
                          {"gradient_norm", 0.5},
                          {"spike", true},
                          {"seconds", 0.1}});
  journal.write("curve", {{"step", 2},
                          {"text_tokens", 128},
                          {"loss", std::nan("")},
                          {"learning_rate", 1e-3},
                          {"gradient_norm", INFINITY},
                          {"spike", false}});
  journal.write("curve", {{"step", 3},
                          {"text_tokens", 192},
                          {"loss", 1},
                          {"learning_rate", 0},
                          {"gradient_norm", 2},
                          {"spike", false},
                          {"phase", 1},
                          {"seconds", 3}});
  journal.write("curve", {{"step", 4},
                          {"text_tokens", 256},
                          {"loss", 1.5},
                          {"learning_rate", 0},
                          {"gradient_norm", 2},
                          {"spike", false},
                          {"new", {{"sum", "x"}}}});
  journal.write("curve", {{"step", 5}, {"loss", 1.25}});
}

TEST(CurveText, IsWhatTheEventsSay) {
  const TemporaryFolder folder;
  freeze_plan(folder.path(), fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
  {
    Journal journal = journal_of(folder.path(), "t0");
    write_curve(journal);
  }
  const auto file = journal_file(folder.path(), "t0");
  const std::vector<CurvePoint> points = read_trial_state(file).curve.points();
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(bits_of(points), bits_of(trial_state(read_journal(file), file).curve.points()));
  EXPECT_EQ(read_trial_state(file).attempts.back().ended,
            trial_state(read_journal(file), file).attempts.back().ended);
}

// SQL sees the numbers that the program sees, as the types that their columns always had.
TEST(CurveText, IsUnrolledByTheView) {
  const TemporaryFolder folder;
  freeze_plan(folder.path(), fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
  {
    Journal journal = journal_of(folder.path(), "t0");
    write_curve(journal);
  }
  const auto points = read_trial_state(journal_file(folder.path(), "t0")).curve.points();
  read_index(folder.path(), [&](SQLite::Database& index) {
    SQLite::Statement row(index,
                          "SELECT step, text_tokens, loss, gradient_norm, spike, trial FROM curve");
    for (const CurvePoint& point : points) {
      ASSERT_TRUE(row.executeStep());
      EXPECT_EQ(row.getColumn(0).getInt64(), point.step);
      EXPECT_TRUE(row.getColumn(1).isNull() || row.getColumn(1).isFloat());
      EXPECT_EQ(row.getColumn(2).isNull(), std::isnan(point.loss));
      if (!std::isnan(point.loss)) {
        EXPECT_EQ(row.getColumn(2).getDouble(), point.loss);
      }
      if (!std::isnan(point.gradient_norm)) {
        EXPECT_EQ(row.getColumn(3).getDouble(), point.gradient_norm);
      }
      EXPECT_EQ(row.getColumn(4).getInt() != 0, point.spike);
      EXPECT_EQ(row.getColumn(5).getString(), "t0");
    }
    EXPECT_FALSE(row.executeStep());
  });
}

}  // namespace
}  // namespace ablate::store
