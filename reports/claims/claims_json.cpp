#include "reports/claims/claims_json.h"

#include <algorithm>

namespace ablate::reports {
namespace {

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
          {"on_text_of", text_or_null(claim.on_text_of)},
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
          {"power", text_or_null(judged.power)},
          {"command", text_or_null(judged.command)}};
}

Json counts_json(const std::vector<JudgedClaim>& judged) {
  Json counts = Json::object();
  for (const ClaimVerdict verdict : kClaimVerdicts)
    counts[std::string(text_of(verdict))] =
        std::ranges::count(judged, verdict, &JudgedClaim::verdict);
  return counts;
}

}  // namespace

Json claims_json(const ClaimSet& set, const std::vector<JudgedClaim>& judged) {
  Json claims = Json::array(), untestable = Json::array();
  for (const JudgedClaim& each : judged) claims.push_back(json_of_claim(each));
  for (const UntestableClaim& each : set.untestable)
    untestable.push_back({{"id", each.id},
                          {"claim", each.sentence},
                          {"source", each.source},
                          {"reason", each.reason}});
  return {{"counts", counts_json(claims_on_text(judged, false))},
          {"counts_on_text", counts_json(claims_on_text(judged, true))},
          {"claims", claims},
          {"untestable", untestable}};
}

}  // namespace ablate::reports
