#include "reports/nightly/series_page.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/nightly/series_figure.h"
#include "reports/nightly/series_text.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using nightly::ExactHistory;
using nightly::ExactNight;
using nightly::History;
using nightly::Kind;
using nightly::NightLine;
using nightly::NightValue;
using nightly::Quarantine;
using nightly::SeriesHistory;
using nightly::Step;

constexpr const char* kUp = "../";

std::string answer_of(const History& history, const SeriesHistory& series) {
  if (!series.steps.empty()) {
    const Step& step = series.steps.back();
    return "The latest step: " + change_text(series, step) + ", first seen in " +
           history.nights[step.first_after].name + ".";
  }
  if (series.kind == Kind::speed) return "No step of 5 % and more that two nights show.";
  if (series.margin > 0)
    return "No step of " + value_text(series, series.margin) + " and more that two nights show.";
  return "No step that two nights show.";
}

Table values_table(const History& history, const SeriesHistory& series) {
  const bool speed = series.kind == Kind::speed;
  Table table{.name = "values",
              .caption = "Every night, the latest first.",
              .columns = {{"night"},
                          {speed ? "median" : "mean"},
                          {speed ? "quartiles" : "baseline"},
                          {"commit"},
                          {"against"}}};
  for (auto value = series.values.rbegin(); value != series.values.rend(); ++value) {
    const NightLine& night = history.nights[value->night];
    const std::string other =
        speed ? value_text(series, value->low) + " to " + value_text(series, value->high)
        : value->baseline ? value_text(series, *value->baseline)
                          : "";
    table.rows.push_back({{night_cell(night, kUp), text_cell(value_text(series, value->centre)),
                           text_cell(other), text_cell(night.commit), text_cell(night.pin)}});
  }
  return table;
}

Table steps_table(const History& history, const SeriesHistory& series) {
  Table table{
      .name = "steps",
      .caption = "Lasting changes, the earliest first, and the commits between their sides.",
      .columns = {{"first after"}, {"last before"}, {"change"}, {"commits"}}};
  for (const Step& step : series.steps) {
    const NightLine &before = history.nights[step.last_before],
                    &after = history.nights[step.first_after];
    table.rows.push_back({{night_cell(after, kUp), night_cell(before, kUp),
                           text_cell(change_text(series, step), step_tone(series, step)),
                           text_cell(commits_text(before, after))}});
  }
  return table;
}

// The pins that these nights were compared with, each with its first night.
Table pins_table(const History& history, const std::vector<std::size_t>& nights) {
  Table table{.name = "pins",
              .caption = "What the nights were compared with, the earliest first.",
              .columns = {{"pin"}, {"first night"}, {"commit"}, {"reason"}}};
  std::string last;
  for (const std::size_t place : nights) {
    const NightLine& night = history.nights[place];
    if (night.pin.empty() || night.pin == last) continue;
    last = night.pin;
    const auto pin = history.pins.find({night.baseline, night.pin});
    const bool known = pin != history.pins.end();
    table.rows.push_back(
        {{text_cell(night.pin), night_cell(night, kUp), text_cell(known ? pin->second.commit : ""),
          text_cell(known ? pin->second.reason : "")}});
  }
  return table;
}

Table changes_table(const History& history, const ExactHistory& series) {
  Table table{.name = "changes",
              .caption = "Nights that had other bits than the last one before, the earliest first.",
              .columns = {{"first after"}, {"last before"}, {"commits"}}};
  for (const std::size_t place : series.changes) {
    const NightLine &before = history.nights[series.nights[place - 1].night],
                    &after = history.nights[series.nights[place].night];
    table.rows.push_back({{night_cell(after, kUp), night_cell(before, kUp),
                           text_cell(commits_text(before, after))}});
  }
  if (table.rows.empty()) table.notes.emplace_back("None.");
  return table;
}

Table verdicts_table(const History& history, const ExactHistory& series) {
  Table table{.name = "values",
              .caption = "Every night, the latest first. Equal digests are equal bits.",
              .columns = {{"night"}, {"verdict"}, {"digest"}, {"commit"}, {"against"}}};
  for (auto each = series.nights.rbegin(); each != series.nights.rend(); ++each) {
    const NightLine& night = history.nights[each->night];
    table.rows.push_back({{night_cell(night, kUp), text_cell(each->verdict),
                           text_cell(each->digest.empty() ? "none" : each->digest),
                           text_cell(night.commit), text_cell(night.pin)}});
  }
  return table;
}

/// What a night says of the series' quarantine: of several, the one that ends last; null: nothing.
const Quarantine* quarantine_of(const NightLine& night, const std::string& series) {
  const Quarantine* last = nullptr;
  for (const Quarantine& each : night.quarantine)
    if (each.series == series && (last == nullptr || last->until < each.until)) last = &each;
  return last;
}

/// Since when its regressions did not count, and why.
Table quarantine_table(const History& history, const std::string& series,
                       const std::vector<std::size_t>& nights) {
  Table table{.name = "quarantine",
              .caption = "Until when a regression is a change, by the suite of the nights.",
              .columns = {{"first night"}, {"until"}, {"owner"}, {"reason"}}};
  const Quarantine* last = nullptr;
  for (const std::size_t place : nights) {
    const NightLine& night = history.nights[place];
    const Quarantine* const own = quarantine_of(night, series);
    const bool same = own != nullptr && last != nullptr && own->until == last->until &&
                      own->owner == last->owner && own->reason == last->reason;
    last = own;
    if (own == nullptr || same) continue;
    table.rows.push_back({{night_cell(night, kUp), text_cell(own->until), text_cell(own->owner),
                           text_cell(own->reason)}});
  }
  return table;
}

/// The answer, and that the series is in quarantine in its last night.
std::string with_quarantine(std::string answer, const History& history, const std::string& series,
                            const std::vector<std::size_t>& nights) {
  const NightLine& night = history.nights[nights.back()];
  const Quarantine* const own = quarantine_of(night, series);
  if (own != nullptr)
    answer += fmt::format(
        " {} {}.", night.date <= own->until ? "In quarantine until" : "Its quarantine ended on",
        own->until);
  return answer;
}

template <class Nights>
std::vector<std::size_t> places_of(const Nights& nights) {
  std::vector<std::size_t> places;
  places.reserve(nights.size());
  for (const auto& each : nights) places.push_back(each.night);
  return places;
}

std::string facts_text(std::size_t nights, const std::string& machine) {
  return fmt::format("{} on machine {}.", counted(static_cast<std::int64_t>(nights), "night"),
                     machine);
}

void add(Document& document, const char* name, const char* title, Table table) {
  Section section{name, title, {}};
  section.add(std::move(table));
  if (!section.blocks.empty()) document.sections.push_back(std::move(section));
}

}  // namespace

Document series_page(const History& history, const SeriesHistory& series) {
  const std::vector<std::size_t> nights = places_of(series.values);
  Document document{
      .title = series.series,
      .answer = {{with_quarantine(answer_of(history, series), history, series.series, nights)}},
      .facts = facts_text(series.values.size(), series.fingerprint),
      .sections = {{"value",
                    series.kind == Kind::speed ? "Time" : "Metric",
                    {series_figure(history, series)}}}};
  add(document, "steps", "Steps", steps_table(history, series));
  add(document, "quarantine", "Quarantine", quarantine_table(history, series.series, nights));
  add(document, "nights", "Nights", values_table(history, series));
  add(document, "pins", "Pins", pins_table(history, nights));
  return document;
}

Document exact_page(const History& history, const ExactHistory& series) {
  std::string answer = "The bits are the same in all nights.";
  if (!series.changes.empty())
    answer = "Its bits last changed in " +
             history.nights[series.nights[series.changes.back()].night].name + ".";
  const std::vector<std::size_t> nights = places_of(series.nights);
  Document document{
      .title = series.series,
      .answer = {{with_quarantine(std::move(answer), history, series.series, nights)}},
      .facts = facts_text(series.nights.size(), series.fingerprint)};
  add(document, "changes", "Changes", changes_table(history, series));
  add(document, "quarantine", "Quarantine", quarantine_table(history, series.series, nights));
  add(document, "nights", "Nights", verdicts_table(history, series));
  add(document, "pins", "Pins", pins_table(history, nights));
  return document;
}

}  // namespace ablate::reports
