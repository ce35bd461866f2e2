// The numbers of charts within a page: inert, short, and what the drawing shows.

#include "reports/web/chart_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/json/json.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

Figure figure_of(const std::string& name, const std::vector<double>& mean) {
  return {.name = "curves",
          .plots = {{.y = {.title = "loss"},
                     .lines = {{.name = name,
                                .x = {0, 1},
                                .y = mean,
                                .low = mean,
                                .high = mean,
                                .crosses = {{1, mean[1]}},
                                .positions = {{0, 1}, {}}}},
                     .levels = {{.at = 2.123456789,
                                 .name = "optimum",
                                 .where = PlotLevel::Name::at_start}}}},
          .axes = {{"steps"}, {"FLOPs", "spread"}}};
}

TEST(ChartData, IsInertWhateverNamesSay) {
  const std::string text = chart_data(figure_of(kHostile + "\xe2\x80\xa8<!--\xff", {1, 2}));
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c >= ' ' && c <= '~') << static_cast<int>(c);
  const std::string name = Json::parse(text)["charts"][0]["lines"][0]["name"];
  EXPECT_THAT(name, testing::HasSubstr("</script><img src=x onerror=alert(1)>"));
  EXPECT_THAT(name, testing::Not(testing::HasSubstr("\x1b")));
}

TEST(ChartData, HasAxesLinesAndLevels) {
  const Json data = Json::parse(chart_data(figure_of("mlm", {3.14159265, 10})));
  EXPECT_EQ(data["axes"],
            (Json{{{"title", "steps"}, {"note", ""}}, {{"title", "FLOPs"}, {"note", "spread"}}}));
  const Json& chart = data["charts"][0];
  EXPECT_EQ(chart["quantity"], "loss");
  EXPECT_EQ(chart["lines"][0]["positions"], Json::parse("[[0, 1], []]"));
  EXPECT_EQ(chart["lines"][0]["mean"], Json::parse("[3.1416, 10]"));
  EXPECT_EQ(chart["lines"][0]["style"], "c0 d0");
  EXPECT_EQ(chart["lines"][0]["spikes"], Json::parse("[1]"));
  EXPECT_EQ(chart["levels"],
            Json::parse(R"([{"name": "optimum", "value": 2.1235, "start": true}])"));
}

TEST(ChartData, WritesNoNumberThatIsNotFinite) {
  const Json data = Json::parse(chart_data(figure_of("mlm", {std::nan(""), HUGE_VAL, 1e300})));
  EXPECT_EQ(data["charts"][0]["lines"][0]["mean"], Json::parse("[null, null, 1e300]"));
}

}  // namespace
}  // namespace ablate::reports
