#include "harness/probes/seq2seq/written.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/seq2seq/scores/written_scores.h"

namespace ablate::probes {
namespace {

data::Corpus pair_corpus(const Subject& subject, const plan::ResolvedProbe& probe) {
  if (!probe.settings.contains("pairs"))
    reject("{}: the settings name no prepared files; plan the experiment again", probe.spec->name);
  return data::Corpus::open(subject.cache /
                            (probe.settings.at("pairs").get<std::string>() + ".corpus"));
}

}  // namespace

std::vector<std::string> AskedPairs::texts_of(
    const std::vector<std::vector<Token>>& outputs) const {
  std::vector<std::string> texts;
  texts.reserve(outputs.size());
  for (const std::vector<Token>& output : outputs) texts.push_back(corpus.text_of(output));
  return texts;
}

PairPrompt prompt_form(const Subject& subject, const plan::ResolvedProbe& probe) {
  return subject.language ? PairPrompt() : pair_prompt_of(probe.settings.at("prompt"));
}

AskedPairs asked_pairs(const Subject& subject, const plan::ResolvedProbe& probe) {
  const std::int64_t longest = probe.params.integer("longest");
  AskedPairs asked{.corpus = subject.language ? subject.corpus : pair_corpus(subject, probe)};
  const std::int64_t room = longest > 0 ? longest : subject.phase.context;
  asked.pairs = subject.language ? language_pairs(*subject.language, probe.params, subject.seed)
                                 : corpus_pairs(asked.corpus, probe.params, room, subject.seed);
  for (const TokenPair& pair : asked.pairs.test)
    asked.accepted.push_back(asked.texts_of(pair.outputs));
  for (const auto* split : {&asked.pairs.training, &asked.pairs.test})
    for (const TokenPair& pair : *split)
      asked.longest = std::max(asked.longest, pair.outputs.front().size());
  return asked;
}

double add_seed(const AskedPairs& asked, const std::vector<std::vector<Token>>& outputs,
                double seeds, Written& result) {
  const std::vector<std::string> texts = asked.texts_of(outputs);
  const WrittenScores scores = written_scores(texts, asked.accepted);
  result.exact.resize(texts.size());
  result.f1.resize(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    result.exact[i] += scores.exact[i] / seeds;
    result.f1[i] += scores.f1[i] / seeds;
  }
  result.chrf += scores.chrf / seeds;
  if (result.texts.empty()) result.texts = texts;
  return mean_of(scores.exact);
}

void add_quality(const Written& result, const std::string& before, const std::string& after,
                 bool language, Measurement& measurement) {
  const auto add = [&](const char* name, double value) {
    measurement.metrics[before + name + after] = value;
  };
  add("exact_match", mean_of(result.exact));
  add("f1", mean_of(result.f1));
  if (!language) add("chrf", result.chrf);
  add("loss", result.loss);
}

}  // namespace ablate::probes
