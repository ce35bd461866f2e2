#include "reports/nightly/history_page.h"

#include <fmt/core.h>

#include <cmath>

#include "harness/base/number_text.h"
#include "reports/figures/svg.h"
#include "reports/web/html.h"

namespace ablate::reports {
namespace {

using nightly::History;
using nightly::NightLine;
using nightly::SeriesHistory;
using nightly::Step;

constexpr double kWidth = 720, kHeight = 260, kLeft = 70, kRight = 16, kTop = 16, kBottom = 30;

// A name that is safe as that of a file; the machine keeps equal ones apart.
std::string file_of(const SeriesHistory& series) {
  std::string name;
  for (const char c : series.series) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    name += plain ? c : '-';
  }
  return "series/" + name + '.' + series.fingerprint + ".html";
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return significant(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return significant(seconds * 1e6) + " µs";
  if (seconds < 1) return significant(seconds * 1e3) + " ms";
  return significant(seconds) + " s";
}

std::string change_text(const Step& step) {
  return fmt::format("{} to {}, {:+.1f} %", seconds_text(step.before), seconds_text(step.after),
                     100 * (step.ratio() - 1));
}

Tone tone_of(const std::string& verdict) {
  if (verdict == "regression") return Tone::bad;
  return verdict == "pass" ? Tone::quiet : Tone::neutral;
}

// A link to a night's page, from a page that is `up` below it. What was imported or never judged has
// none.
Cell night_cell(const NightLine& night, const std::string& up) {
  if (night.verdict == "not judged") return text_cell(night.name);
  return link_cell(night.name, up + "nights/" + night.name + "/index.html");
}

Table nights_table(const History& history) {
  Table table{.name = "nights",
              .caption = "Every night, the latest first.",
              .columns = {{"night"}, {"verdict"}, {"series"}, {"against"}, {"machine"}}};
  for (auto night = history.nights.rbegin(); night != history.nights.rend(); ++night) {
    std::string counts;
    for (const auto& [verdict, count] : night->counts)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
    table.rows.push_back(
        {{night_cell(*night, ""), text_cell(night->verdict, tone_of(night->verdict)),
          text_cell(counts), text_cell(night->pin), text_cell(night->fingerprint)}});
  }
  return table;
}

Row step_row(const History& history, const SeriesHistory& series, const Step& step) {
  const NightLine &before = history.nights[step.last_before],
                  &after = history.nights[step.first_after];
  return {{link_cell(series.series, file_of(series)),
           text_cell(change_text(step), step.ratio() > 1 ? Tone::bad : Tone::good),
           text_cell(before.name), text_cell(after.name), text_cell(series.fingerprint)}};
}

Table steps_table(const History& history) {
  Table table{.name = "steps",
              .caption =
                  "Lasting changes of a benchmark's time between nights. They also tell of "
                  "the machine's mood; the gate compares within a night.",
              .columns = {{"benchmark"}, {"time"}, {"last before"}, {"first after"}, {"machine"}}};
  for (const SeriesHistory& series : history.series)
    for (const Step& step : series.steps) table.rows.push_back(step_row(history, series, step));
  if (table.rows.empty()) table.notes.emplace_back("None of 5 % and more that two nights show.");
  return table;
}

Table series_table(const History& history) {
  Table table{.name = "benchmarks",
              .caption = "Median time of the latest night, and of the first.",
              .columns = {{"benchmark"}, {"latest"}, {"first"}, {"nights"}, {"machine"}}};
  for (const SeriesHistory& series : history.series)
    table.rows.push_back(
        {{link_cell(series.series, file_of(series)),
          text_cell(seconds_text(series.times.back().median)),
          text_cell(seconds_text(series.times.front().median)),
          text_cell(fmt::format("{}", series.times.size())), text_cell(series.fingerprint)}});
  return table;
}

Figure figure_of(const SeriesHistory& series) {
  std::vector<double> values;
  for (const auto& time : series.times) values.insert(values.end(), {time.low, time.high});
  const Scale y = scale_over(values, kHeight - kBottom, kTop, 0.1);
  const Scale x{static_cast<double>(series.times.front().night) - 0.5,
                static_cast<double>(series.times.back().night) + 0.5, kLeft, kWidth - kRight};
  Svg svg("history", kWidth, kHeight, series.series,
          "The median of each night, with quartiles, and lines where the time took a step.");
  const std::vector<double> marks = ticks(y, 5);
  for (const double mark : marks) {
    svg.line({kLeft, y(mark)}, {kWidth - kRight, y(mark)}, "grid");
    svg.text({kLeft - 8, y(mark) + 4}, Anchor::end, "tick", seconds_text(mark));
  }
  for (const Step& step : series.steps) {
    const double at =
        (x(static_cast<double>(step.last_before)) + x(static_cast<double>(step.first_after))) / 2;
    svg.line({at, kTop}, {at, kHeight - kBottom}, "level");
  }
  std::vector<Point> medians;
  for (const auto& time : series.times) {
    const double at = x(static_cast<double>(time.night));
    svg.line({at, y(time.low)}, {at, y(time.high)}, "c1 whisker");
    svg.dot({at, y(time.median)}, 3, "c1 seed");
    medians.push_back({at, y(time.median)});
  }
  svg.path(medians, "c1 curve");
  return {"history", "Time a night: median and quartiles of its repetitions.", {svg.str()}};
}

Document series_page(const History& history, const SeriesHistory& series) {
  Table times{.name = "times",
              .caption = "Every night, the latest first.",
              .columns = {{"night"}, {"median"}, {"quartiles"}}};
  for (auto time = series.times.rbegin(); time != series.times.rend(); ++time) {
    const NightLine& night = history.nights[time->night];
    times.rows.push_back(
        {{night_cell(night, "../"), text_cell(seconds_text(time->median)),
          text_cell(seconds_text(time->low) + " to " + seconds_text(time->high))}});
  }
  std::string answer = "No step of 5 % and more that two nights show.";
  if (!series.steps.empty())
    answer = "The latest step: " + change_text(series.steps.back()) + ", first seen in " +
             history.nights[series.steps.back().first_after].name + ".";
  return {.title = series.series,
          .answer = {{answer}},
          .facts = fmt::format("{} nights on machine {}.", series.times.size(), series.fingerprint),
          .sections = {{"time", "Time", {figure_of(series)}}, {"nights", "Nights", {times}}}};
}

}  // namespace

std::vector<ReportFile> history_files(const History& history) {
  const std::string latest = history.nights.empty() ? "none" : history.nights.back().verdict;
  Document index{.title = "Nightly gate",
                 .answer = {{"The latest night: " + latest + "."}},
                 .facts = fmt::format("{} nights, {} benchmarks.", history.nights.size(),
                                      history.series.size()),
                 .sections = {{"nights", "Nights", {nights_table(history)}},
                              {"steps", "Steps", {steps_table(history)}},
                              {"benchmarks", "Benchmarks", {series_table(history)}}}};
  std::vector<ReportFile> files = {{"index.html", html_page(index)}};
  for (const SeriesHistory& series : history.series)
    files.push_back({file_of(series), html_page(series_page(history, series))});
  return files;
}

}  // namespace ablate::reports
