// Asks a model what every arm is asked, and keeps its answers for the report.

#include <algorithm>

#include "harness/probes/cloze/orders.h"
#include "harness/probes/documents.h"
#include "harness/probes/measuring.h"
#include "harness/probes/prompts/answers.h"
#include "harness/probes/prompts/asking_spec.h"

namespace ablate::probes {
namespace {

/// The texts of the settings, then held-out documents.
std::vector<Passage> questions_of(const Subject& subject, const plan::ResolvedProbe& probe) {
  std::vector<Passage> questions;
  for (const Json& parts : probe.settings.value("parts", Json::array()))
    questions.push_back({parts, {}});
  auto wanted = static_cast<std::size_t>(probe.params.integer("documents"));
  if (wanted == 0) return questions;
  for (const auto document : documents_of(subject.corpus.held_out(), SIZE_MAX)) {
    auto passage = passage_of(document, probe.params.integer("tokens"), subject.phase.context);
    if (!passage) continue;
    questions.push_back(std::move(*passage));
    if (--wanted == 0) break;
  }
  return questions;
}

/// The parts with something in the blanks between them.
std::string joined(const data::Corpus& corpus, const std::vector<std::vector<Token>>& parts,
                   const std::function<std::string(std::size_t blank)>& blank) {
  const char* const between = corpus.has_words() ? " " : "";
  std::string text = corpus.spelled(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (const std::string& piece : {blank(i - 1), corpus.spelled(parts[i])})
      if (!piece.empty()) text += (text.empty() ? "" : between) + piece;
  return text;
}

Json spelled_top(const data::Corpus& corpus, const std::vector<std::pair<Token, double>>& top) {
  Json list = Json::array();
  for (const auto& [token, probability] : top)
    list.push_back({token < 0 ? "(special)" : corpus.spelled(token), probability});
  return list;
}

Json spelled_fillings(const data::Corpus& corpus, const Fillings& fillings) {
  Json list = Json::array();
  for (const std::vector<Token>& filling : fillings) list.push_back(corpus.spelled(filling));
  return list;
}

/// An answer as a sample: the text as it was filled, and about it what the report puts side by side.
Json sample_of(const data::Corpus& corpus, const Passage& question, const Answer& answer) {
  Json samples = Json::array();
  for (const Fillings& one : answer.samples) samples.push_back(spelled_fillings(corpus, one));
  Json about = {{"reads", reading_of(answer.format)},
                {"greedy", spelled_fillings(corpus, answer.greedy)},
                {"drawn", std::move(samples)},
                {"first", spelled_top(corpus, answer.top)}};
  if (!answer.exact.empty()) about["exact"] = spelled_top(corpus, answer.exact);
  return {{"text", joined(corpus, question.parts,
                          [&](std::size_t i) { return corpus.spelled(answer.greedy[i]); })},
          {"about", std::move(about)}};
}

}  // namespace

Measurement measure_prompts(const Subject& given, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress) {
  const plan::ResolvedPhase phase = asked_in(given.phase, part_orders(given));
  const Subject subject = given.with(phase);
  const std::vector<Passage> questions = questions_of(subject, probe);
  Measurement measurement{.details = {{"questions", questions.size()}}};
  run::Prompt prompt{.tokens = probe.params.integer("tokens"),
                     .samples = probe.params.integer("samples"),
                     .temperature = probe.params.number("temperature"),
                     .top = probe.params.integer("top")};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    prompt.parts = questions[i].parts;
    Json sample;
    try {
      sample = sample_of(subject.corpus, questions[i], answer_of(subject, prompt));
    } catch (const std::invalid_argument& error) {  // what this arm cannot be asked
      sample = {{"text", ""}, {"about", {{"note", error.what()}}}};
    }
    Json& about = sample.at("about");
    about["question"] =
        joined(subject.corpus, prompt.parts, [](std::size_t) { return std::string(kBlankMark); });
    if (!questions[i].truth.empty()) about["truth"] = subject.corpus.spelled(questions[i].truth);
    measurement.samples.push_back(std::move(sample));
    progress(static_cast<double>(i + 1) / static_cast<double>(questions.size()));
  }
  return measurement;
}

}  // namespace ablate::probes
