#include "harness/probes/minimal_pairs/choices.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/base/error.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/documents.h"
#include "harness/probes/minimal_pairs/choice_files_spec.h"

namespace ablate::probes {
namespace {

std::vector<Completion> completions_of(const data::Corpus& corpus) {
  const Json& about = corpus.about();
  const Json ratios = about.value("ratios", Json::array());
  const data::Part& part = corpus.training();
  std::vector<Completion> completions;
  std::size_t at = 0;
  for (const std::span<const Token> document : documents_of(part, SIZE_MAX)) {
    const std::size_t number = completions.size();
    completions.push_back({document, part.marks.subspan(at, document.size()),
                           1 + about.at("prefix_tokens").at(number).get<std::size_t>(),
                           about.at("characters").at(number).get<double>(),
                           ratios.empty() ? 0 : ratios.at(number).get<double>()});
    at += document.size();
  }
  return completions;
}

}  // namespace

data::Corpus choice_corpus(const Subject& subject, const plan::ResolvedProbe& probe) {
  if (!probe.settings.contains("choices"))
    reject("{}: the settings name no prepared file; plan the experiment again", probe.spec->name);
  return data::Corpus::open(subject.cache /
                            (probe.settings.at("choices").get<std::string>() + ".corpus"));
}

Choices choices_of(const data::Corpus& corpus, std::int64_t context) {
  const std::size_t room = room_for_choices(context);
  const std::vector<Completion> all = completions_of(corpus);
  Choices choices{.groups = corpus.about().at("groups"), .fields = corpus.about().at("fields")};
  std::size_t first = 0;
  for (const Json& row : corpus.about().at("items")) {
    ChoiceItem item{.group = row.at(0), .field = row.at(1), .count = row.at(3), .right = row.at(2)};
    if (item.count > all.size() - first) damaged("a corpus of choices lacks completions");
    const auto own = std::span(all).subspan(first, item.count);
    first += item.count;
    if (std::any_of(own.begin(), own.end(),
                    [&](const Completion& one) { return one.document.size() > room; })) {
      ++choices.too_long;
      continue;
    }
    item.first = choices.completions.size();
    choices.items.push_back(item);
    choices.completions.insert(choices.completions.end(), own.begin(), own.end());
  }
  if (choices.items.empty())
    reject("no completion fits into a context of {} tokens; use a longer context", context);
  return choices;
}

std::vector<double> DifferentCompletions::spread(std::span<const double> costs) const {
  std::vector<double> all;
  all.reserve(kind.size());
  for (const std::size_t each : kind) all.push_back(costs[each]);
  return all;
}

DifferentCompletions different_completions(const Choices& choices) {
  DifferentCompletions different;
  std::map<std::pair<std::size_t, std::vector<Token>>, std::size_t> known;
  for (std::size_t i = 0; i < choices.completions.size(); ++i) {
    const Completion& one = choices.completions[i];
    const auto [found, is_new] =
        known.try_emplace({one.first, {one.document.begin(), one.document.end()}}, known.size());
    if (is_new) different.completions.push_back(i);
    different.kind.push_back(found->second);
  }
  return different;
}

std::vector<double> chain_costs(const Subject& subject, const Choices& choices) {
  const DifferentCompletions different = different_completions(choices);
  std::vector<Cloze> questions;
  questions.reserve(different.completions.size());
  for (const std::size_t i : different.completions) {
    const Completion& one = choices.completions[i];
    questions.push_back({one.document.first(one.first), one.tokens(), {}});
  }
  return different.spread(cloze_costs(subject, questions));
}

}  // namespace ablate::probes
