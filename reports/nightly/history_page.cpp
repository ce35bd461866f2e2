#include "reports/nightly/history_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/nightly/series_page.h"
#include "reports/nightly/series_text.h"
#include "reports/text/number.h"
#include "reports/web/html.h"

namespace ablate::reports {
namespace {

using nightly::ExactHistory;
using nightly::History;
using nightly::Kind;
using nightly::NightLine;
using nightly::SeriesHistory;
using nightly::Step;

Tone tone_of(const std::string& verdict) {
  if (verdict == "regression") return Tone::bad;
  return verdict == "pass" ? Tone::quiet : Tone::neutral;
}

template <class Series>
Cell series_cell(const Series& series) {
  return link_cell(series.series, series_file(series.series, series.fingerprint));
}

Table nights_table(const History& history) {
  Table table{
      .name = "nights",
      .caption = "Every night, the latest first.",
      .columns = {{"night"}, {"verdict"}, {"series"}, {"commits"}, {"against"}, {"machine"}}};
  for (auto night = history.nights.rbegin(); night != history.nights.rend(); ++night) {
    const bool first = night + 1 == history.nights.rend();
    std::string counts;
    for (const auto& [verdict, count] : night->counts)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
    table.rows.push_back(
        {{night_cell(*night, ""), text_cell(night->verdict, tone_of(night->verdict)),
          text_cell(counts), text_cell(first ? night->commit : commits_text(*(night + 1), *night)),
          text_cell(night->pin), text_cell(night->fingerprint)}});
  }
  return table;
}

Row step_row(const History& history, const SeriesHistory& series, const Step& step) {
  const NightLine &before = history.nights[step.last_before],
                  &after = history.nights[step.first_after];
  return {{series_cell(series), text_cell(change_text(series, step), step_tone(series, step)),
           text_cell(before.name), text_cell(after.name), text_cell(commits_text(before, after)),
           text_cell(series.fingerprint)}};
}

Table steps_table(const History& history) {
  Table table{
      .name = "steps",
      .caption =
          "Lasting changes of a benchmark's time or a metric between nights. Between nights, times "
          "also depend on the state of the machine; the gate compares within a night.",
      .columns = {
          {"series"}, {"change"}, {"last before"}, {"first after"}, {"commits"}, {"machine"}}};
  for (const SeriesHistory& series : history.series)
    for (const Step& step : series.steps) table.rows.push_back(step_row(history, series, step));
  if (table.rows.empty())
    table.notes.emplace_back(
        "No lasting step (needs two nights): of times by 5 % and more, of metrics by their "
        "margin.");
  return table;
}

Table changes_table(const History& history) {
  Table table{.name = "changes",
              .caption = "Nights that had other plans or other bits than the night before.",
              .columns = {{"series"}, {"last before"}, {"first after"}, {"commits"}, {"machine"}}};
  for (const ExactHistory& series : history.exact)
    for (const std::size_t place : series.changes) {
      const NightLine &before = history.nights[series.nights[place - 1].night],
                      &after = history.nights[series.nights[place].night];
      table.rows.push_back(
          {{series_cell(series), text_cell(before.name), text_cell(after.name),
            text_cell(commits_text(before, after)), text_cell(series.fingerprint)}});
    }
  return table;
}

/// The series' latest value, and its course over the latest nights.
Cell latest_cell(const SeriesHistory& series) {
  constexpr std::size_t kNights = 30;
  Cell cell = text_cell(value_text(series, series.values.back().centre) + " ");
  const std::size_t first = series.values.size() - std::min(series.values.size(), kNights);
  for (std::size_t i = first; i < series.values.size(); ++i)
    cell.course.push_back(series.values[i].centre);
  return cell;
}

Table series_table(const History& history, Kind kind, const char* name, const char* what) {
  Table table{.name = name,
              .caption = fmt::format("{} of the latest night, with the course of up to 30 nights "
                                     "on a scale of its own, and of the first.",
                                     what),
              .columns = {{kind == Kind::speed ? "benchmark" : "metric"},
                          {"latest"},
                          {"first"},
                          {"nights"},
                          {"machine"}}};
  for (const SeriesHistory& series : history.series)
    if (series.kind == kind)
      table.rows.push_back(
          {{series_cell(series), latest_cell(series),
            text_cell(value_text(series, series.values.front().centre)),
            text_cell(fmt::format("{}", series.values.size())), text_cell(series.fingerprint)}});
  return table;
}

Table exact_table(const History& history) {
  Table table{.name = "exact",
              .caption = "Facts that only a change of the code changes.",
              .columns = {{"series"}, {"latest"}, {"changes"}, {"nights"}, {"machine"}}};
  for (const ExactHistory& series : history.exact)
    table.rows.push_back(
        {{series_cell(series), text_cell(series.nights.back().verdict),
          text_cell(fmt::format("{}", series.changes.size())),
          text_cell(fmt::format("{}", series.nights.size())), text_cell(series.fingerprint)}});
  return table;
}

// Those that never had a value have none.
bool has_page(const History& history, const nightly::Flakiness& flaky) {
  const auto same = [&](const auto& each) {
    return each.series == flaky.series && each.fingerprint == flaky.fingerprint;
  };
  return std::any_of(history.series.begin(), history.series.end(), same) ||
         std::any_of(history.exact.begin(), history.exact.end(), same);
}

Table flaky_table(const History& history) {
  Table table{.name = "flaky",
              .caption =
                  "Series whose alarms came and went against the same pin, the worst first: noise, "
                  "or a test that depends on luck.",
              .columns = {{"series"}, {"what came and went"}, {"machine"}}};
  for (const nightly::Flakiness& each : history.flaky)
    table.rows.push_back({{has_page(history, each) ? series_cell(each) : text_cell(each.series),
                           text_cell(flakiness_text(each)), text_cell(each.fingerprint)}});
  return table;
}

// "3 nights, 1 benchmark, 2 metrics, 4 exact series."
std::string facts_of(const History& history) {
  std::int64_t benchmarks = 0, metrics = 0;
  for (const SeriesHistory& series : history.series)
    ++(series.kind == Kind::speed ? benchmarks : metrics);
  return fmt::format("{}, {}, {}, {} exact series.", counted(std::ssize(history.nights), "night"),
                     counted(benchmarks, "benchmark"), counted(metrics, "metric"),
                     history.exact.size());
}

/// Of a page, on which a pass is green; in a table it is the quiet one among others.
Tone banner_of(const std::string& verdict) {
  if (verdict == "pass") return Tone::good;
  return verdict == "none" || verdict == "not judged" ? Tone::plain : tone_of(verdict);
}

Document first_page(const History& history) {
  const std::string latest = history.nights.empty() ? "none" : history.nights.back().verdict;
  Document page{.title = "Nightly gate",
                .answer = {{"The latest night: " + latest + "."}},
                .facts = facts_of(history),
                .sections = {{"steps", "Steps", {steps_table(history)}}},
                .tone = banner_of(latest)};
  const auto add = [&](const char* title, Table table) {
    if (!table.rows.empty()) page.sections.push_back({table.name, title, {table}});
  };
  add("Flaky series", flaky_table(history));
  add("Changes of exact series", changes_table(history));
  add("Nights", nights_table(history));
  add("Benchmarks", series_table(history, Kind::speed, "benchmarks", "Median time"));
  add("Metrics", series_table(history, Kind::quality, "metrics", "Mean over seeds"));
  add("Exact series", exact_table(history));
  return page;
}

}  // namespace

std::vector<ReportFile> history_files(const History& history) {
  std::vector<ReportFile> files = {{"index.html", html_page(first_page(history))}};
  for (const SeriesHistory& series : history.series)
    files.push_back(
        {series_file(series.series, series.fingerprint), html_page(series_page(history, series))});
  for (const ExactHistory& series : history.exact)
    files.push_back(
        {series_file(series.series, series.fingerprint), html_page(exact_page(history, series))});
  return files;
}

}  // namespace ablate::reports
