// Answers questions to harness/statistics, one JSON object a line, so that another implementation
// can be compared with it: {"call": "wilcoxon", "x": [...]} -> the numbers, as a JSON array.

#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/statistics/families/corrections.h"
#include "harness/statistics/families/dunnett.h"
#include "harness/statistics/items/mcnemar.h"
#include "harness/statistics/items/proportion.h"
#include "harness/statistics/one_sample/bootstrap.h"
#include "harness/statistics/one_sample/t_test.h"
#include "harness/statistics/paired/equivalence.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/paired/t_power.h"
#include "harness/statistics/paired/wilcoxon.h"
#include "harness/statistics/sweeps/trend.h"
#include "harness/statistics/tasks/aggregates.h"
#include "harness/statistics/tasks/friedman.h"
#include "harness/statistics/unpaired/effect_size.h"
#include "harness/statistics/unpaired/rank_test.h"
#include "harness/statistics/unpaired/welch.h"

namespace ablate::statistics {
namespace {

using Json = nlohmann::json;
using Values = std::vector<double>;

Values values(const Json& question, const char* key) { return question.at(key).get<Values>(); }

std::int64_t whole(const Json& question, const char* key) { return question.at(key); }

Json pair(const Interval& interval) { return {interval.low, interval.high}; }

Json numbers(const TTest& test) { return {test.t, test.degrees, test.p}; }

Json signed_rank(const Json& question) {
  const SignedRank result = wilcoxon(values(question, "x"));
  return {result.w, result.p};
}

Json friedman_numbers(const Json& question) {
  const Friedman result = friedman(question.at("scores").get<Scores>());
  return {result.statistic, result.p};
}

Json dunnett_p_of(const Json& question) {
  return dunnett_p(question.at("t"), values(question, "loadings"), question.at("degrees"));
}

using Call = std::function<Json(const Json&)>;

const std::map<std::string, Call> kCalls = {
    {"holm", [](const Json& q) { return holm(values(q, "p")); }},
    {"fdr_bh", [](const Json& q) { return benjamini_hochberg(values(q, "p")); }},
    {"dunnett", dunnett_p_of},
    {"mcnemar", [](const Json& q) { return mcnemar_p(whole(q, "b"), whole(q, "c")); }},
    {"wilson", [](const Json& q) { return pair(wilson_interval(whole(q, "k"), whole(q, "n"))); }},
    {"beta",
     [](const Json& q) { return pair(clopper_pearson_interval(whole(q, "k"), whole(q, "n"))); }},
    {"bca", [](const Json& q) { return pair(bootstrap_mean(values(q, "x"), Rng(0))->bca); }},
    {"t_test", [](const Json& q) { return numbers(*one_sample_t_test(values(q, "x"))); }},
    {"t_interval", [](const Json& q) { return pair(*t_interval(values(q, "x"))); }},
    {"welch", [](const Json& q) { return numbers(*welch_t_test(values(q, "x"), values(q, "y"))); }},
    {"equivalence", [](const Json& q) { return equivalence_p(values(q, "x"), q.at("margin")); }},
    {"sign_flip", [](const Json& q) { return sign_flip_p(values(q, "x")); }},
    {"power",
     [](const Json& q) { return paired_t_power(whole(q, "n"), q.at("alpha"), q.at("effect")); }},
    {"wilcoxon", signed_rank},
    {"mann_whitney", [](const Json& q) { return mann_whitney_p(values(q, "x"), values(q, "y")); }},
    {"a12",
     [](const Json& q) { return probability_of_superiority(values(q, "x"), values(q, "y")); }},
    {"trend", [](const Json& q) { return polynomial_contrast(values(q, "x"), q.at("degree")); }},
    {"iqm", [](const Json& q) { return interquartile_mean(q.at("scores").get<Scores>()); }},
    {"friedman", friedman_numbers},
};

int answer() {
  for (std::string line; std::getline(std::cin, line);) {
    const Json question = Json::parse(line);
    const Json found = kCalls.at(question.at("call").get<std::string>())(question);
    std::cout << (found.is_array() ? found : Json{found}) << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace ablate::statistics

int main() { return ablate::statistics::answer(); }
