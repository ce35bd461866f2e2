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

using Judged = std::vector<JudgedClaim>;

/// Those that repeat the claim on text: one for each store that has its trials, or one that was not run;
/// none where the file has no such claim.
Judged repeats_of(const Judged& judged, const Claim& claim) {
  Judged some;
  std::ranges::copy_if(judged, std::back_inserter(some),
                       [&](const JudgedClaim& each) { return each.claim->on_text_of == claim.id; });
  return some;
}

std::string verdict_counts(const Judged& judged) {
  std::string text;
  for (const ClaimVerdict verdict : kClaimVerdicts)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ",
                    std::ranges::count(judged, verdict, &JudgedClaim::verdict), text_of(verdict));
  return text;
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

/// The verdicts on text with what was seen there; a dash where no claim repeats this one.
Cell on_text_cell(const Judged& repeats) {
  std::string text;
  for (const JudgedClaim& each : repeats)
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", text_of(each.verdict),
                        each.evidence.seen.interval
                            ? fmt::format(" ({}, {})", seen_text(each), p_phrase(each.p_adjusted))
                            : "");
  if (text.empty()) return text_cell("–");
  return text_cell(text, repeats.size() == 1 ? tone_of(repeats[0].verdict) : Tone::neutral);
}

/// What a table of claims has beside its first five columns.
struct FurtherColumns {
  bool on_text = false, results = false;
};

Row row_of(const JudgedClaim& judged, const Judged& all, FurtherColumns further) {
  Row row{.cells = {text_cell(judged.claim->id), text_cell(comparison_text(*judged.claim)),
                    text_cell(seen_text(judged)), text_cell(p_cell(judged)),
                    text_cell(std::string(text_of(judged.verdict)), tone_of(judged.verdict))}};
  if (further.on_text) row.cells.push_back(on_text_cell(repeats_of(all, *judged.claim)));
  if (further.results) row.cells.push_back(text_cell(judged.folder));
  return row;
}

std::vector<std::string> notes_of(const Judged& judged) {
  std::vector<std::string> notes = {
      "Seen: the mean difference and half of its 95 % interval, paired by seed; along a sweep, the "
      "mean change from one value to the next. p is adjusted over all claims about the "
      "experiment."};
  if (!claims_on_text(judged, true).empty())
    notes.emplace_back(
        "On text: the same claim where the experiment reads text in place of the built-in "
        "language, with the mean difference and its p; a dash where no claim repeats it there.");
  for (const JudgedClaim& each : judged)
    for (const std::string& note : {each.evidence.note, each.power})
      if (!note.empty()) notes.push_back(fmt::format("{}: {}.", each.claim->id, note));
  return notes;
}

bool in_several_stores(const Judged& judged) {
  std::set<std::string> folders;
  for (const JudgedClaim& each : judged)
    if (!each.folder.empty()) folders.insert(each.folder);
  return folders.size() > 1;
}

Table claims_table(const Judged& judged) {
  Table table{.name = "claims",
              .caption = claims_summary(judged),
              .columns = {{.title = "claim"},
                          {.title = "comparison"},
                          {.title = "seen", .numbers = true},
                          {.title = "p", .numbers = true},
                          {.title = "verdict"}},
              .notes = notes_of(judged)};
  const Judged claims = claims_on_text(judged, false);
  const FurtherColumns further{.on_text = claims.size() < judged.size(),
                               .results = in_several_stores(claims)};
  if (further.on_text) table.columns.push_back({.title = "on text"});
  if (further.results) table.columns.push_back({.title = "results"});
  for (const JudgedClaim& each : claims) table.rows.push_back(row_of(each, judged, further));
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
std::vector<std::string> commands_of(const Judged& judged) {
  std::vector<std::string> commands;
  for (const JudgedClaim& each : judged)
    if (!each.command.empty() &&
        std::find(commands.begin(), commands.end(), each.command) == commands.end())
      commands.push_back(each.command);
  return commands;
}

std::string commands_text(const Judged& judged) {
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
  for (const std::string& note : {judged.evidence.note, judged.power})
    if (!note.empty()) text += " Note: " + markdown_text(note) + ".";
  if (judged.verdict != ClaimVerdict::not_run)
    text += fmt::format(" Run: {}{}{}.", markdown_text(judged.folder),
                        judged.scale.empty() ? "" : ", ", markdown_text(judged.scale));
  if (!judged.command.empty()) text += "\n\n    " + readable(judged.command);
  return text;
}

/// How a claim is tested, and what came of it.
std::string tested_as(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  return fmt::format("Tested as: {}, in experiment {}. {}\n\n{}\n\n",
                     markdown_text(comparison_text(claim)), markdown_text(claim.experiment),
                     markdown_text(claim.scale), verdict_sentence(judged));
}

std::string claim_section(const JudgedClaim& judged, const Judged& all) {
  const Claim& claim = *judged.claim;
  std::string section =
      fmt::format("### {}\n\n{}\n\nSource: {}. {}", markdown_text(claim.id),
                  markdown_text(claim.sentence), markdown_text(claim.source), tested_as(judged));
  for (const JudgedClaim& each : repeats_of(all, claim)) section += "On text. " + tested_as(each);
  return section;
}

}  // namespace

std::string claims_summary(const Judged& judged) {
  const Judged on_text = claims_on_text(judged, true);
  std::string text = verdict_counts(claims_on_text(judged, false)) + ".";
  if (!on_text.empty()) text += " On text: " + verdict_counts(on_text) + ".";
  return text;
}

std::string claims_text(const ClaimSet& set, const Judged& judged) {
  const std::string commands = commands_text(judged);
  return to_markdown(claims_table(judged)) +
         (set.untestable.empty() ? "" : "\n" + to_markdown(untestable_table(set))) +
         (commands.empty() ? "" : "\n" + commands);
}

std::string claims_page(const ClaimSet& set, const Judged& judged) {
  std::string page =
      "# Published claims\n\nEvery verdict is about the scale at which the experiment was run, and "
      "not about that of the paper.\n\n" +
      to_markdown(claims_table(judged)) + "\n## The claims\n\n";
  for (const JudgedClaim& each : claims_on_text(judged, false)) page += claim_section(each, judged);
  if (!set.untestable.empty()) page += "## What no shipped experiment can test\n\n";
  for (const UntestableClaim& each : set.untestable)
    page += fmt::format("- {} ({}): {}\n", markdown_text(each.sentence), markdown_text(each.source),
                        markdown_text(each.reason));
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace ablate::reports
