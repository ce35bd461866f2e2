// How values, steps and nights of a series are written on the pages over all nights.

#pragma once

#include <string>

#include "harness/nightly/history.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A value of a series with its unit: "1.2 ms", "2.31 nats/token".
std::string value_text(const nightly::SeriesHistory& series, double value);

/// "1 s to 1.2 s, +20.0 %"; of a metric its two levels.
std::string change_text(const nightly::SeriesHistory& series, const nightly::Step& step);

/// Whether a step is for the worse, and so the tone of its text.
Tone step_tone(const nightly::SeriesHistory& series, const nightly::Step& step);

/// The commits between two nights, as git names them: "abc..def"; "abc" where it is the same commit.
std::string commits_text(const nightly::NightLine& before, const nightly::NightLine& after);

/// "3 alarms in 12 nights; 2 were gone the next night, 1 of them by the same programs".
std::string flakiness_text(const nightly::Flakiness& flakiness);

/// A link to a night's page, from a page whose folder is `up` below it. What was imported or never
/// judged has none.
Cell night_cell(const nightly::NightLine& night, const std::string& up);

/// The page of a series on a machine, relative to the first page. No two series share one, however
/// alike their names are.
std::string series_file(const std::string& series, const std::string& fingerprint);

}  // namespace ablate::reports
