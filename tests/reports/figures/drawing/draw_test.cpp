// Whatever a plot holds, all of it is drawn, and within the drawing.

#include "reports/figures/drawing/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <regex>

#include "harness/base/utf8.h"
#include "reports/paper/figures/pgfplots.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What a drawing may fill: its viewBox.
struct Box {
  double left = 0, top = 0, width = 0, height = 0;
};

Box box_of(const std::string& svg) {
  std::smatch found;
  const std::regex pattern(R"re(viewBox="([-0-9.]+) ([-0-9.]+) ([-0-9.]+) ([-0-9.]+)")re");
  if (!std::regex_search(svg, found, pattern)) return {};
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3]), std::stod(found[4])};
}

/// Every number that an attribute has.
std::vector<double> numbers_in(const std::string& svg, const std::string& attribute) {
  const std::regex pattern(" " + attribute + "=\"(-?[0-9.]+)\"");
  std::vector<double> numbers;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), pattern);
       at != std::sregex_iterator(); ++at)
    numbers.push_back(std::stod((*at)[1]));
  return numbers;
}

std::vector<PlotPoint> points_in(const std::string& svg) {
  std::vector<PlotPoint> points;
  const std::regex lists("points=\"([^\"]*)\""), point("(-?[0-9.]+),(-?[0-9.]+)");
  for (auto list = std::sregex_iterator(svg.begin(), svg.end(), lists);
       list != std::sregex_iterator(); ++list) {
    const std::string text = (*list)[1];
    for (auto at = std::sregex_iterator(text.begin(), text.end(), point);
         at != std::sregex_iterator(); ++at)
      points.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
  }
  return points;
}

void expect_within(const std::string& svg) {
  const Box box = box_of(svg);
  ASSERT_GT(box.width, 0);
  for (const char* attribute : {"x1", "x2", "cx", "x"})
    for (const double x : numbers_in(svg, attribute)) {
      EXPECT_GE(x, box.left) << attribute;
      EXPECT_LE(x, box.left + box.width) << attribute;
    }
  for (const char* attribute : {"y1", "y2", "cy", "y"})
    for (const double y : numbers_in(svg, attribute)) {
      EXPECT_GE(y, box.top) << attribute;
      EXPECT_LE(y, box.top + box.height) << attribute;
    }
  for (const PlotPoint& point : points_in(svg)) {
    EXPECT_TRUE(box.left <= point.x && point.x <= box.left + box.width) << point.x;
    EXPECT_TRUE(box.top <= point.y && point.y <= box.top + box.height) << point.y;
  }
}

/// The text that each text element has, with its attributes.
void expect_texts_within(const std::string& svg) {
  constexpr double kNarrow = 5.5;  // pixels: a character of a narrow font
  const double right = box_of(svg).left + box_of(svg).width;
  const std::regex texts(
      "<text ([^>]*) x=\"([-0-9.]+)\"[^>]*anchor=\"(\\w+)\"(.*?)>([^<]*)</text>");
  int seen = 0;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), texts); at != std::sregex_iterator();
       ++at) {
    ++seen;
    const std::smatch& text = *at;
    if (text[4].length() > 0) continue;  // squeezed into its room
    const double wide = kNarrow * static_cast<double>(characters(text[5].str()));
    const double x = std::stod(text[2]);
    if (text[3] == "start") EXPECT_LE(x + wide, right) << text[5];
    if (text[3] == "end") EXPECT_GE(x - wide, box_of(svg).left) << text[5];
  }
  EXPECT_GT(seen, 0);
}

using Random = std::mt19937;

double number(Random& random) {
  return std::uniform_real_distribution<double>(-1, 1)(random) *
         std::pow(10, std::uniform_int_distribution<int>(-3, 4)(random));
}

std::string name(Random& random) {
  return std::string(std::uniform_int_distribution<std::size_t>(1, 60)(random), 'm');
}

std::size_t count(Random& random, std::size_t most) {
  return std::uniform_int_distribution<std::size_t>(1, most)(random);
}

Plot random_rows(Random& random) {
  Plot plot{.title = "rows", .heading = "a metric ↓", .x = {.title = "a difference"}};
  const bool verdicts = count(random, 2) == 1;
  for (std::size_t i = count(random, 30); i > 0; --i) {
    const double mean = number(random), half = std::abs(number(random));
    plot.rows.push_back({.name = name(random),
                         .remark = verdicts ? "inconclusive" : "",
                         .mean = mean,
                         .interval = statistics::Interval{mean - half, mean + half},
                         .wider = statistics::Interval{mean - 2 * half, mean + 2 * half},
                         .dots = {number(random), number(random)},
                         .references = {number(random)}});
    if (verdicts) plot.rows.back().verdict = static_cast<statistics::Verdict>(i % 5);
  }
  plot.references = {"an optimum"};
  plot.levels = {{.at = 0, .kind = PlotLevel::Kind::zero, .upright = true}};
  plot.zone = statistics::Interval{-.1, .1};
  plot.towards_low = "← better";
  plot.towards_high = "worse →";
  return plot;
}

Plot random_lines(Random& random) {
  Plot plot{
      .title = "lines", .heading = "a metric ↓", .x = {.title = "steps"}, .y = {.title = "loss"}};
  for (std::size_t i = count(random, 12); i > 0; --i) {
    PlotLine line{.name = name(random), .series = i};
    for (std::size_t j = count(random, 40); j > 0; --j) {
      const double y = number(random);
      line.x.push_back(number(random));
      line.y.push_back(y);
      line.low.push_back(y - 1);
      line.high.push_back(y + 1);
    }
    line.dots = {{line.x[0], number(random)}};
    line.diamonds = {{line.x[0], line.y[0]}};
    line.crosses = {{line.x[0], std::numeric_limits<double>::quiet_NaN()}};
    plot.lines.push_back(std::move(line));
  }
  plot.levels = {{.at = number(random), .name = "floor", .where = PlotLevel::Name::at_end},
                 {.at = number(random),
                  .name = "pin",
                  .kind = PlotLevel::Kind::change,
                  .where = PlotLevel::Name::at_end,
                  .upright = true}};
  if (count(random, 2) == 1) plot.heading.clear();
  return plot;
}

TEST(Draw, KeepsEverythingWithinTheDrawing) {
  Random random(7);
  for (int i = 0; i < 12; ++i)
    for (const Sheet& sheet : {kPage, kSlide})
      for (const Plot& plot : {random_rows(random), random_lines(random)}) {
        const std::string svg = draw(plot, "plot", sheet);
        expect_within(svg);
        expect_texts_within(svg);
      }
}

TEST(Draw, MakesEverySlide16By9) {
  Random random(8);
  for (int i = 0; i < 50; ++i)
    for (const Plot& plot : {random_rows(random), random_lines(random)}) {
      const Box box = box_of(draw(plot, "slide", kSlide));
      EXPECT_NEAR(box.height / box.width, 9. / 16, 1e-3);
      EXPECT_GE(box.width, kSlide.width);
    }
}

/// The pixels that the first whisker is long.
double whisker_of(const std::string& svg) {
  std::smatch found;
  const std::regex whisker(
      "class=\"whisker [^\"]*\" x1=\"([-0-9.]+)\" y1=\"[^\"]*\" x2=\"([-0-9.]+)\"");
  return std::regex_search(svg, found, whisker) ? std::stod(found[2]) - std::stod(found[1]) : 0;
}

TEST(Draw, LeavesRowsRoomBetweenLongNamesAndWordsOnASlide) {
  Plot plot{.title = "rows"};
  plot.rows = {{.name = std::string(40, 'm'),
                .remark = "not testable with 4 seeds, but not worse by more than 0.02",
                .mean = 1,
                .interval = statistics::Interval{0, 2},
                .verdict = statistics::Verdict::inconclusive}};
  const std::string svg = draw(plot, "rows", kSlide);
  EXPECT_GT(whisker_of(svg), box_of(svg).width / 3);
}

TEST(Draw, DoesNotLetAWideIntervalOfAllComparisonsHideTheOther) {
  Plot plot{.title = "rows"};
  plot.rows = {{.name = "mlm",
                .remark = "told",
                .mean = 0,
                .interval = statistics::Interval{-1, 1},
                .wider = statistics::Interval{-100, 100},
                .verdict = statistics::Verdict::inconclusive}};
  const std::string svg = draw(plot, "rows");
  EXPECT_GT(whisker_of(svg), box_of(svg).width / 4);
}

TEST(Draw, GivesLinesOfOnePaperFigureDifferentStyles) {
  Plot plot{.title = "curves"};
  for (const std::size_t series : {0u, 6u})
    plot.lines.push_back({.name = "arm", .series = series, .x = {1, 2}, .y = {1, 2}});
  EXPECT_THAT(pgfplots(plot, {}), HasSubstr("ablate series 2"));
}

TEST(Draw, GivesEachVerdictAShape) {
  Plot plot{.title = "a forest"};
  const auto drawn = [&](statistics::Verdict verdict) {
    plot.rows = {{.name = "mlm", .remark = "told", .mean = 1, .verdict = verdict}};
    return std::pair(draw(plot, "forest"), pgfplots(plot, {}));
  };
  using enum statistics::Verdict;
  EXPECT_THAT(drawn(better).first, HasSubstr("<circle class=\"centre better\""));
  EXPECT_THAT(drawn(worse).first, HasSubstr("<rect class=\"centre worse\""));
  EXPECT_THAT(drawn(equivalent).first, HasSubstr("<polygon class=\"centre equivalent\""));
  EXPECT_THAT(drawn(inconclusive).first, HasSubstr("<circle class=\"reference\""));
  EXPECT_THAT(drawn(incomparable).first, HasSubstr("<circle class=\"reference\""));
  EXPECT_THAT(drawn(better).second, HasSubstr("ablate better"));
  EXPECT_THAT(drawn(incomparable).second, HasSubstr("ablate open"));
}

Plot with_places(const std::vector<std::string>& names) {
  Plot plot{.title = "places", .x = {.kind = AxisKind::places}};
  PlotLine line{.kind = LineKind::pair};
  for (const std::string& each : names) {
    const auto at = static_cast<double>(plot.x.marks.size() + 1);
    plot.x.marks.push_back({at, each});
    line.x.push_back(at);
    line.y.push_back(at);
  }
  plot.lines = {line};
  return plot;
}

TEST(Draw, TurnsNamesOfPlacesThatWouldTouch) {
  EXPECT_THAT(draw(with_places({"clm", "mlm"}), "few"), Not(HasSubstr("rotate(")));
  EXPECT_THAT(draw(with_places({"clm", "a name that is longer than its place", "mlm"}), "long"),
              HasSubstr("rotate(-35)"));
  const std::string many = draw(with_places(std::vector<std::string>(25, "masked")), "many");
  EXPECT_THAT(many, HasSubstr("rotate(-")) << "steeper, or they would lie on each other";
  EXPECT_THAT(many, Not(HasSubstr("rotate(-35)")));
}

TEST(Draw, LeavesOutMarksThatWouldTouchTheOneBefore) {
  Plot plot{.title = "marks", .lines = {{.x = {1, 2, 100}, .y = {1, 2, 3}}}};
  plot.x.marks = {{1, "1000001"}, {2, "1000002"}, {100, "1000100"}};
  const std::string svg = draw(plot, "marks");
  EXPECT_THAT(svg, HasSubstr(">1000001<"));
  EXPECT_THAT(svg, Not(HasSubstr(">1000002<")));
  EXPECT_THAT(svg, HasSubstr(">1000100<"));
}

TEST(Draw, PutsACrossWithoutAHeightAtTheTop) {
  const Plot plot{.title = "rates",
                  .lines = {{.x = {1}, .y = {2}, .dots = {{1, 2}}, .crosses = {{3, HUGE_VAL}}}}};
  EXPECT_THAT(draw(plot, "rates"), HasSubstr(">×</text>"));
  EXPECT_THAT(pgfplots(plot, {}), HasSubstr("at ({axis cs:3,2}|-{rel axis cs:0,1}) {$\\times$}"))
      << "at a height that is drawn: TeX cannot hold one far outside the axes";
  EXPECT_THAT(pgfplots(plot, {}), HasSubstr("\\addplot[draw=none, mark=none, forget plot] "
                                            "coordinates {(1,2)(3,2)};"))
      << "the axis reaches it";
}

TEST(Draw, EscapesEveryText) {
  const std::string bad = "<script>\"&'";
  Plot lines{.title = bad, .description = bad, .heading = bad, .x = {.title = bad}};
  lines.lines = {{.name = bad, .x = {1, 2}, .y = {1, 2}, .before = {bad}, .after = {bad}}};
  lines.levels = {{.at = 1, .name = bad, .where = PlotLevel::Name::at_end}};
  Plot rows{.title = bad, .description = bad, .heading = bad};
  rows.rows = {{.name = bad, .remark = bad, .mean = 1, .references = {1.}}};
  rows.references = {bad};
  rows.towards_low = rows.towards_high = bad;
  for (const Plot& plot : {lines, rows}) EXPECT_THAT(draw(plot, bad), Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace ablate::reports
