#include "reports/claims/verdicts.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/text/shell.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/looks.h"
#include "reports/claims/claim_power.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string command_of(const Claim& claim, const std::string& experiments) {
  std::string command =
      fmt::format("ablate run {}/{}.json --results results/{}{}", experiments, claim.experiment,
                  claim.experiment, claim.on_text_of.empty() ? "" : "_on_text");
  for (const std::string& flag : claim.flags) command += " " + shell_word(flag);
  return command;
}

/// Whether the arms of a store read text, and not the built-in language.
bool is_on_text(const Analysis& analysis) {
  return std::ranges::any_of(analysis.arms, [](const ArmResult& arm) {
    const Json& corpus = arm.config.is_object() ? arm.config.value("corpus", Json()) : Json();
    return corpus.is_object() && corpus.value("kind", Json()) == "text";
  });
}

/// Whether a store of the analysis can speak of the claim.
bool is_about(const ClaimSet& set, const Claim& claim, const Analysis& analysis) {
  if (claim.experiment != analysis.experiment) return false;
  if (!claim.on_text_of.empty()) return is_on_text(analysis);
  const bool has_claims_on_text = std::ranges::any_of(set.claims, [&](const Claim& other) {
    return !other.on_text_of.empty() && other.experiment == claim.experiment;
  });
  return !has_claims_on_text || !is_on_text(analysis);
}

/// The range of a ledger's number over all completed trials: "1 M", "0.1 M to 2 M"; empty where
/// there is none.
std::string range_of(const Analysis& analysis, const std::string& path) {
  std::optional<double> low, high;
  for (const ArmResult& arm : analysis.arms)
    for (const Json& ledger : completed_ledgers(arm)) {
      const Facts facts = facts_of(ledger);
      const auto found = facts.find(path);
      if (found == facts.end() || !found->second.is_number()) continue;
      const double value = found->second.get<double>();
      low = std::min(low.value_or(value), value);
      high = std::max(high.value_or(value), value);
    }
  if (!low) return "";
  const std::string from = amount(*low), to = amount(*high);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

std::string scale_of(const Analysis& analysis) {
  std::string text;
  for (const auto& [path, noun] :
       {std::pair("text_tokens", "tokens of text"), std::pair("parameters", "parameters")}) {
    const std::string range = range_of(analysis, path);
    if (!range.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", range, noun);
  }
  return text;
}

ClaimVerdict verdict_on(const Evidence& evidence, double p_adjusted, double alpha) {
  if (p_adjusted >= alpha) return ClaimVerdict::not_resolved;
  return evidence.agrees ? ClaimVerdict::reproduced : ClaimVerdict::contradicted;
}

/// Judges all claims about the store's experiment together, since they are one family.
std::vector<JudgedClaim> judge_store(const ClaimSet& set, const ClaimStore& store) {
  const Analysis& analysis = *store.analysis;
  const std::string scale = scale_of(analysis);
  std::vector<JudgedClaim> judged;
  std::vector<double> p;
  for (const Claim& claim : set.claims) {
    if (!is_about(set, claim, analysis)) continue;
    const MetricRow* metric = analysis.metric(claim.metric);
    judged.push_back({.claim = &claim,
                      .folder = store.folder,
                      .unit = metric == nullptr ? "" : metric->unit,
                      .scale = scale,
                      .evidence = evidence_on(claim, analysis)});
    p.push_back(p_at_look(analysis, judged.back().evidence.p));
  }
  const std::vector<double> adjusted = statistics::holm(p);
  const auto tests = static_cast<std::int64_t>(judged.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (!judged[i].evidence.measured) continue;
    judged[i].p_adjusted = adjusted[i];
    judged[i].verdict = verdict_on(judged[i].evidence, adjusted[i], analysis.alpha);
    if (judged[i].verdict == ClaimVerdict::not_resolved)
      judged[i].power = power_note(*judged[i].claim, judged[i].evidence, analysis.alpha, tests);
  }
  return judged;
}

}  // namespace

std::string_view text_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::reproduced:
      return "reproduced";
    case ClaimVerdict::contradicted:
      return "contradicted at this scale";
    case ClaimVerdict::not_resolved:
      return "not resolved";
    case ClaimVerdict::not_run:
      break;
  }
  return "not run";
}

std::vector<JudgedClaim> claims_on_text(const std::vector<JudgedClaim>& judged, bool on_text) {
  std::vector<JudgedClaim> some;
  std::ranges::copy_if(judged, std::back_inserter(some), [&](const JudgedClaim& each) {
    return each.claim->on_text_of.empty() != on_text;
  });
  return some;
}

std::vector<JudgedClaim> judge_claims(const ClaimSet& set, std::span<const ClaimStore> stores,
                                      const std::string& experiments) {
  std::vector<JudgedClaim> by_store;
  for (const ClaimStore& store : stores)
    for (JudgedClaim& judged : judge_store(set, store)) by_store.push_back(std::move(judged));
  std::vector<JudgedClaim> result;
  for (const Claim& claim : set.claims) {
    const auto run = [&](const JudgedClaim& judged) {
      return judged.claim == &claim && judged.evidence.measured;
    };
    const auto of_claim = [&](const JudgedClaim& judged) { return judged.claim == &claim; };
    if (std::any_of(by_store.begin(), by_store.end(), run)) {
      std::copy_if(by_store.begin(), by_store.end(), std::back_inserter(result), run);
      continue;
    }
    const auto partly = std::find_if(by_store.begin(), by_store.end(), of_claim);
    result.push_back(partly == by_store.end() ? JudgedClaim{.claim = &claim} : *partly);
    result.back().command = command_of(claim, experiments);
  }
  return result;
}

}  // namespace ablate::reports
