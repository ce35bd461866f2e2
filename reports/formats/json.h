// The report for programs.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// The document of `report --json`:
///   {"experiment", "question",
///    "headline": the answer in a sentence, "commit": [of ablate, of each program that trained],
///    "date": of the last event of any trial, UTC,
///    "analysis": {"primary", "alpha", "correction", "comparisons", "smallest_effect"},
///    "arms": [{"name", "label", "baseline", "objective", "trials", "failed", "diverged",
///              "unfinished", "seeds",
///              "metrics": {NAME: {"mean", "ci", "n", "values", "unit", "better",
///                                 "comparable_across", "meaning", "caveat" where there is one}}}],
///    "differences": [{"arm", "metric", "mean", "ci", "n", "values", "p", "p_adjusted",
///                     "p_equivalent", "q" of an exploratory one, "primary", "verdict", "note",
///                     "ci_level" of a primary one}],
///    "sensitivity", "unpaired", "items", "similarity", "trends",
///    "tasks": null, or {"metrics", "arms", "not_told_apart"}, "dynamics",
///    "ledger": {ARM: ...}, "speed": {ARM: ...}, "budgets" (reports/formats/json_costs.h)}
/// An experiment that is run until it is decided also has "looks" in "analysis": {"seeds", "weights",
/// "complete"}.
/// "failed" includes the diverged trials; a value that does not exist is null.
Json to_json(const Analysis& analysis, const Findings& findings);

/// The same for an experiment that was tuned, with "tuning" (Plan::tuning of its plan, and the arms
/// that "depends_on_tuning") and with "arms" and "differences" at the "common_rate". `common`: null
/// without tuning, and then there is nothing more.
Json report_json(const Analysis& analysis, const Findings& findings, const Analysis* common,
                 const Json& plan);

/// "json": report.json, the same document.
Format json_format();

}  // namespace ablate::reports
