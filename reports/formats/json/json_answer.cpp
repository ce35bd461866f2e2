#include "reports/formats/json/json_answer.h"

#include <algorithm>

namespace ablate::reports {
namespace {

Json given_text(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json query_json(const Query& query) {
  Json values = Json::array();
  for (const Origin& origin : query.origins)
    if (std::ranges::find(values, Json(origin.path)) == values.end()) values.push_back(origin.path);
  return {{"metric", given_text(query.metric)},
          {"arms", query.arms},
          {"seeds", query.seeds},
          {"test", given_text(query.test)},
          {"values", std::move(values)},
          {"sql", given_text(query.sql)}};
}

}  // namespace

Json answer_json(const std::vector<Statement>& answer) {
  Json json = Json::array();
  for (const Statement& statement : answer)
    json.push_back({{"text", statement.text},
                    {"basis", given_text(statement.basis)},
                    {"forecast", statement.forecast},
                    {"query", query_json(statement.query)}});
  return json;
}

}  // namespace ablate::reports
