// Measures how well a model fills blanks in the texts of a file, in the arm's own format.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/filling.h"
#include "harness/probes/cloze/orders.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/documents.h"
#include "harness/probes/infilling/infill_files_spec.h"
#include "harness/probes/infilling/text_match.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kFillingsStored = 8;
constexpr std::size_t kProblemsUntrained = 20;  // problems

/// A problem, cut to the model's context around its blank.
struct Problem {
  std::vector<Token> left;  // from a begin token on
  std::span<const Token> middle, right;
};

/// Cuts a document so that it fits into `room` tokens: what is left and right of the middle shares
/// what the middle leaves. Requires: middle_fits().
Problem cut_around(std::span<const Token> document, std::size_t before, std::size_t middle,
                   std::size_t room) {
  const auto all = document.subspan(1, document.size() - 2);  // without begin and end
  const std::size_t after = all.size() - before - middle, spare = room - middle - 1;
  const std::size_t right = std::min(after, std::max(spare / 2, spare - std::min(spare, before)));
  const std::size_t left = std::min(before, spare - right);
  Problem problem{.left = {begin_token},
                  .middle = all.subspan(before, middle),
                  .right = all.subspan(before + middle, right)};
  const auto kept = all.subspan(before - left, left);
  problem.left.insert(problem.left.end(), kept.begin(), kept.end());
  return problem;
}

data::Corpus problem_corpus(const Subject& subject, const plan::ResolvedProbe& probe) {
  if (!probe.settings.contains("problems_hash"))
    reject("{}: the settings name no prepared file; plan the experiment again", probe.spec->name);
  return data::Corpus::open(subject.cache /
                            (probe.settings.at("problems_hash").get<std::string>() + ".corpus"));
}

/// Problems of a file.
struct Problems {
  std::vector<Problem> all;
  std::int64_t too_long = 0;  // those that do not fit, and are left out
};

/// The problems that fit, in an order that the trial's seed draws, at most `maximum`.
Problems problems_of(const data::Corpus& corpus, const Subject& subject, std::size_t maximum) {
  const auto room =
      static_cast<std::size_t>(std::max<std::int64_t>(0, subject.phase.context - kRoomForMarks));
  const std::vector<std::span<const Token>> documents = documents_of(corpus.training(), SIZE_MAX);
  const Json& items = corpus.about().at("items");
  const Rng rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("infilling");
  Problems problems;
  for (const std::size_t i : random_order(documents.size(), rng)) {
    const std::size_t middle = items.at(i).at(1);
    if (!middle_fits(middle, subject.phase.context))
      ++problems.too_long;
    else if (problems.all.size() < maximum)
      problems.all.push_back(cut_around(documents[i], items.at(i).at(0), middle, room));
  }
  return problems;
}

/// The questions of problems; `right`: whether what is right of the middles is shown.
std::vector<Cloze> questions_of(std::span<const Problem> problems, bool right) {
  std::vector<Cloze> questions;
  questions.reserve(problems.size());
  for (const Problem& one : problems)
    questions.push_back({one.left, one.middle, right ? one.right : std::span<const Token>()});
  return questions;
}

/// Costs of problems, in nats, as bits over the bytes of their middles.
double bits_per_byte(std::span<const double> costs, const data::Corpus& corpus,
                     std::span<const Problem> problems) {
  double bytes = 0;
  for (const Problem& one : problems)
    bytes += static_cast<double>(corpus.text_of(one.middle).size());
  return std::accumulate(costs.begin(), costs.end(), 0.0) / std::log(2.0) / bytes;
}

/// The costs with those of the tokens that end the middles.
std::vector<double> with_stops(const Subject& subject, std::span<const Cloze> asked,
                               std::vector<double> costs) {
  const std::vector<double> stops = stop_costs(subject, asked);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += stops[i];
  return costs;
}

/// Adds what the middles cost, in the ways in which the arm can be asked for them.
void add_costs(const Subject& subject, const PartOrders& orders, const data::Corpus& corpus,
               std::span<const Problem> problems, const std::string& of,
               std::map<std::string, double>& metrics) {
  const std::vector<Cloze> asked = questions_of(problems, true);
  const auto add = [&](std::string_view name, std::span<const double> costs) {
    return metrics[fmt::format("{}{}", of, name)] = bits_per_byte(costs, corpus, problems);
  };
  const std::vector<double> costs = cloze_costs(subject, asked);
  const double both = add("bits_per_byte", costs);
  const double left =
      add("bits_per_byte_from_left", cloze_costs(subject, questions_of(problems, false)));
  metrics[of + "gain_of_right"] = left - both;
  for (std::size_t order = 0; order < orders.names.size(); ++order)
    add(fmt::format("{}_bits_per_byte", orders.names[order]),
        order == orders.chosen ? costs : order_costs(subject, order, asked));
  if (says_where_middles_end(subject.objective(), subject.phase.params))
    add("with_stop_bits_per_byte", with_stops(subject, asked, costs));
}

/// Adds what the middles cost the model with its initial weights.
void add_untrained_costs(const Subject& untrained, const data::Corpus& corpus,
                         std::span<const Problem> problems, const std::string& of,
                         std::map<std::string, double>& metrics) {
  const std::vector<Cloze> asked = questions_of(problems, true);
  const std::vector<double> costs = cloze_costs(untrained, asked);
  metrics[of + "untrained_bits_per_byte"] = bits_per_byte(costs, corpus, problems);
  if (says_where_middles_end(untrained.objective(), untrained.phase.params))
    metrics[of + "untrained_with_stop_bits_per_byte"] =
        bits_per_byte(with_stops(untrained, asked, costs), corpus, problems);
}

/// How close the fillings of problems are to what stood there.
struct Matches {
  std::vector<double> exact, similarity, first_line;  // by problem
  std::vector<std::string> fillings;                  // the first of them, as text
};

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Fills every problem with the most probable tokens.
Matches matches_of(const Subject& subject, const data::Corpus& corpus,
                   std::span<const Problem> problems, const ProgressSink& progress) {
  Matches matches;
  for (const Problem& one : problems) {
    const Blank blank{one.left, one.right, one.middle.size()};
    const std::string filling = corpus.text_of(filled(subject, blank, 0, Rng(0)));
    const std::string reference = corpus.text_of(one.middle);
    matches.exact.push_back(exact_match(filling, reference) ? 1 : 0);
    matches.similarity.push_back(edit_similarity(filling, reference));
    matches.first_line.push_back(first_line_match(filling, reference) ? 1 : 0);
    if (matches.fillings.size() < kFillingsStored) matches.fillings.push_back(filling);
    progress(static_cast<double>(matches.exact.size()) / static_cast<double>(problems.size()));
  }
  return matches;
}

/// The first fillings beside what stood there.
Json stored_fillings(const data::Corpus& corpus, std::span<const Problem> problems,
                     const Matches& matches) {
  Json samples = Json::array();
  for (std::size_t i = 0; i < matches.fillings.size(); ++i)
    samples.push_back({{"text", matches.fillings[i]},
                       {"about",
                        {{"prompt", corpus.text_of(std::span(problems[i].left).subspan(1))},
                         {"reference", corpus.text_of(problems[i].middle)}}}});
  return samples;
}

}  // namespace

Measurement measure_infilling(const Subject& given, const plan::ResolvedProbe& probe,
                              const ProgressSink& progress) {
  if (cloze_format_of(given.objective(), given.phase.params) == ClozeFormat::none)
    return no_measurement(subject_of(probe.params, "infilling"), kNoFormat);
  const data::Corpus corpus = problem_corpus(given, probe);
  const Problems found =
      problems_of(corpus, given, static_cast<std::size_t>(probe.params.integer("problems")));
  const std::vector<Problem>& problems = found.all;
  if (problems.empty())
    reject("{}: no middle takes at most half of a context of {} tokens; use a longer context",
           probe.spec->name, given.phase.context);

  const PartOrders orders = part_orders(given);
  const plan::ResolvedPhase phase = asked_in(given.phase, orders);
  const Subject subject = given.with(phase);
  Measurement measurement{.details = {{"problems", problems.size()},
                                      {"empty", corpus.about().at("empty")},
                                      {"too_long", found.too_long}}};
  if (!orders.names.empty()) measurement.details["order"] = orders.json();
  const std::string of = subject_of(probe.params, "infilling") + ".";
  const Matches matches =
      matches_of(subject, corpus, problems, [&](double part) { progress(0.6 * part); });
  measurement.samples = stored_fillings(corpus, problems, matches);
  measurement.items = {{of + "exact_match", matches.exact},
                       {of + "edit_similarity", matches.similarity}};
  add_costs(subject, orders, corpus, problems, of, measurement.metrics);
  progress(0.8);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const auto some = std::span(problems).first(std::min(kProblemsUntrained, problems.size()));
  const Subject untrained = subject.with(*initial);
  const Matches floor =
      matches_of(untrained, corpus, some, [&](double part) { progress(0.8 + 0.2 * part); });
  add_untrained_costs(untrained, corpus, some, of, measurement.metrics);
  measurement.metrics.insert({{of + "exact_match", mean(matches.exact)},
                              {of + "edit_similarity", mean(matches.similarity)},
                              {of + "first_line", mean(matches.first_line)},
                              {of + "untrained_exact_match", mean(floor.exact)},
                              {of + "untrained_edit_similarity", mean(floor.similarity)},
                              {of + "untrained_first_line", mean(floor.first_line)}});
  return measurement;
}

}  // namespace ablate::probes
