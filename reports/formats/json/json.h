// The report for programs.

#pragma once

#include "reports/analysis/answer/statement.h"
#include "reports/formats/format.h"

namespace ablate::reports {

/// The document of `report --json`:
///   {"experiment", "question",
///    "headline": the answer of floors and primary differences in one text,
///    "findings": every sentence of the answer (reports/formats/json/json_answer.h), "commit": [of ablate, of each program that trained],
///    "date": of the last event of any trial, UTC,
///    "analysis": {"primary", "alpha", "correction", "comparisons", "smallest_effect"},
///    "arms": [{"name", "label", "baseline", "objective", "trials", "failed", "diverged",
///              "unfinished", "seeds",
///              "metrics": {NAME: {"mean", "ci", "n", "values", "unit", "better",
///                                 "comparable_across", "label", "meaning", "caveat" where there is one}}}],
///    "differences": [{"arm", "metric", "mean", "ci", "n", "values", "p", "p_adjusted",
///                     "p_equivalent", "p_non_inferior", "non_inferior", "q" of an exploratory
///                     one, "primary", "verdict", "note", "ci_level" of a primary one}],
///    "sensitivity" to "dynamics" (reports/formats/json/json_findings.h),
///    "ledger": {ARM: ...}, "speed": {ARM: ...}, "budgets" (reports/formats/json/json_costs.h)}
/// An experiment that is run until it is decided also has "looks" in "analysis": {"seeds", "weights",
/// "complete"}; one that was tuned has "tuning" (Plan::tuning of its plan, and the arms that
/// "depends_on_tuning"), and "arms" and "differences" at the "common_rate". `common`: null `answer`: from whole_answer(). "failed" includes includes the diverged trials; a value that does not exist is null.
Json report_json(const Analysis& analysis, const Findings& findings,
                 const std::vector<Statement>& answer, const Analysis* common);

/// "json": report.json, the same document.
Format json_format();

}  // namespace ablate::reports
