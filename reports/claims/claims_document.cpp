#include "reports/claims/claims_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "reports/formats/markdown.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::array kVerdicts = {ClaimVerdict::reproduced, ClaimVerdict::contradicted,
                                  ClaimVerdict::not_resolved, ClaimVerdict::not_run};

std::int64_t count_of(const std::vector<JudgedClaim>& judged, ClaimVerdict verdict) {
  return std::count_if(judged.begin(), judged.end(),
                       [&](const JudgedClaim& each) { return each.verdict == verdict; });
}

Tone tone_of(ClaimVerdict verdict) {
  if (verdict == ClaimVerdict::reproduced) return Tone::good;
  return verdict == ClaimVerdict::contradicted ? Tone::bad : Tone::neutral;
}

std::string seen_text(const JudgedClaim& judged) {
  const Estimate& seen = judged.evidence.seen;
  return seen.interval ? rounded(*seen.mean, seen.interval).text() : "–";
}

/// p where something was tested.
std::string p_cell(const JudgedClaim& judged) {
  return judged.evidence.seen.interval && judged.p_adjusted ? p_text(*judged.p_adjusted) : "–";
}

Row row_of(const JudgedClaim& judged, bool several_stores) {
  Row row{.cells = {text_cell(judged.claim->id), text_cell(comparison_text(*judged.claim)),
                    text_cell(seen_text(judged)), text_cell(p_cell(judged)),
                    text_cell(std::string(text_of(judged.verdict)), tone_of(judged.verdict))}};
  if (several_stores) row.cells.push_back(text_cell(judged.folder));
  return row;
}

std::vector<std::string> notes_of(const std::vector<JudgedClaim>& judged) {
  std::vector<std::string> notes = {
      "Seen: the mean difference and half of its 95 % interval, paired by seed; along a sweep, the "
      "mean change from one value to the next. p is adjusted over all claims about the "
      "experiment."};
  for (const JudgedClaim& each : judged)
    if (!each.evidence.note.empty())
      notes.push_back(fmt::format("{}: {}.", each.claim->id, each.evidence.note));
  return notes;
}

bool in_several_stores(const std::vector<JudgedClaim>& judged) {
  std::set<std::string> folders;
  for (const JudgedClaim& each : judged)
    if (!each.folder.empty()) folders.insert(each.folder);
  return folders.size() > 1;
}

Table claims_table(const std::vector<JudgedClaim>& judged) {
  Table table{.name = "claims",
              .caption = claims_summary(judged),
              .columns = {{.title = "claim"},
                          {.title = "comparison"},
                          {.title = "seen", .numbers = true},
                          {.title = "p", .numbers = true},
                          {.title = "verdict"}},
              .notes = notes_of(judged)};
  const bool several = in_several_stores(judged);
  if (several) table.columns.push_back({.title = "results"});
  for (const JudgedClaim& each : judged) table.rows.push_back(row_of(each, several));
  return table;
}

Table untestable_table(const ClaimSet& set) {
  Table table{.name = "untestable",
              .caption = "Published directions that no shipped experiment tests",
              .columns = {{.title = "claim"}, {.title = "verdict"}},
              .notes = {}};
  for (const UntestableClaim& each : set.untestable)
    table.rows.push_back({{text_cell(each.id), text_cell("not run: " + each.reason)}, false});
  return table;
}

/// The commands that would run what was not run, each once, in order.
std::vector<std::string> commands_of(const std::vector<JudgedClaim>& judged) {
  std::vector<std::string> commands;
  for (const JudgedClaim& each : judged)
    if (!each.command.empty() &&
        std::find(commands.begin(), commands.end(), each.command) == commands.end())
      commands.push_back(each.command);
  return commands;
}

std::string commands_text(const std::vector<JudgedClaim>& judged) {
  std::string text;
  for (const std::string& command : commands_of(judged)) text += "    " + readable(command) + "\n";
  return text.empty() ? "" : "To run what was not run:\n\n" + text;
}

/// The verdict of a claim in one sentence, with what was seen and at what scale.
std::string verdict_sentence(const JudgedClaim& judged) {
  std::string text = fmt::format("**{}.**", text_of(judged.verdict));
  if (judged.evidence.seen.interval)
    text += fmt::format(" {}{}{}, {} over {}.", markdown_text(seen_text(judged)),
                        judged.unit.empty() ? "" : " ", markdown_text(judged.unit),
                        markdown_text(p_phrase(judged.p_adjusted)),
                        counted(judged.evidence.seen.n, "seed"));
  if (!judged.evidence.note.empty()) text += " Note: " + markdown_text(judged.evidence.note) + ".";
  if (judged.verdict != ClaimVerdict::not_run)
    text += fmt::format(" Run: {}{}{}.", markdown_text(judged.folder),
                        judged.scale.empty() ? "" : ", ", markdown_text(judged.scale));
  if (!judged.command.empty()) text += "\n\n    " + readable(judged.command);
  return text;
}

std::string claim_section(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  return fmt::format("### {}\n\n{}\n\nSource: {}. Tested as: {}, in experiment {}. {}\n\n{}\n\n",
                     markdown_text(claim.id), markdown_text(claim.sentence),
                     markdown_text(claim.source), markdown_text(comparison_text(claim)),
                     markdown_text(claim.experiment), markdown_text(claim.scale),
                     verdict_sentence(judged));
}

template <class Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_of_claim(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  const Estimate& seen = judged.evidence.seen;
  Json ci;
  if (seen.interval) ci = {seen.interval->low, seen.interval->high};
  const bool tested = seen.interval.has_value();
  return {{"id", claim.id},
          {"claim", claim.sentence},
          {"source", claim.source},
          {"scale", claim.scale},
          {"experiment", claim.experiment},
          {"metric", claim.metric},
          {"unit", text_or_null(judged.unit)},
          {"comparison", comparison_text(claim)},
          {"verdict", text_of(judged.verdict)},
          {"results", text_or_null(judged.folder)},
          {"run_at", text_or_null(judged.scale)},
          {"mean", tested ? value_or_null(seen.mean) : Json()},
          {"ci", ci},
          {"n", seen.n},
          {"p", tested ? Json(judged.evidence.p) : Json()},
          {"p_adjusted", tested ? value_or_null(judged.p_adjusted) : Json()},
          {"note", text_or_null(judged.evidence.note)},
          {"command", text_or_null(judged.command)}};
}

}  // namespace

std::string claims_summary(const std::vector<JudgedClaim>& judged) {
  std::string text;
  for (const ClaimVerdict verdict : kVerdicts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_of(judged, verdict),
                        text_of(verdict));
  return text + ".";
}

std::string claims_text(const ClaimSet& set, const std::vector<JudgedClaim>& judged) {
  const std::string commands = commands_text(judged);
  return to_markdown(claims_table(judged)) +
         (set.untestable.empty() ? "" : "\n" + to_markdown(untestable_table(set))) +
         (commands.empty() ? "" : "\n" + commands);
}

std::string claims_page(const ClaimSet& set, const std::vector<JudgedClaim>& judged) {
  std::string page =
      "# Published claims\n\nEvery verdict is about the scale at which the experiment was run, and "
      "not about that of the paper.\n\n" +
      to_markdown(claims_table(judged)) + "\n## The claims\n\n";
  for (const JudgedClaim& each : judged) page += claim_section(each);
  if (!set.untestable.empty()) page += "## What no shipped experiment can test\n\n";
  for (const UntestableClaim& each : set.untestable)
    page += fmt::format("- {} ({}): {}\n", markdown_text(each.sentence), markdown_text(each.source),
                        markdown_text(each.reason));
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

Json claims_json(const ClaimSet& set, const std::vector<JudgedClaim>& judged) {
  Json counts = Json::object();
  for (const ClaimVerdict verdict : kVerdicts)
    counts[std::string(text_of(verdict))] = count_of(judged, verdict);
  Json claims = Json::array(), untestable = Json::array();
  for (const JudgedClaim& each : judged) claims.push_back(json_of_claim(each));
  for (const UntestableClaim& each : set.untestable)
    untestable.push_back({{"id", each.id},
                          {"claim", each.sentence},
                          {"source", each.source},
                          {"reason", each.reason}});
  return {{"counts", counts}, {"claims", claims}, {"untestable", untestable}};
}

}  // namespace ablate::reports
