#include "harness/probes/generation/infills.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "harness/probes/cloze/filling.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/samplers/registry.h"

namespace ablate::probes {
namespace {

using Tokens = std::vector<Token>;

constexpr float kNever = -1e30f;  // the logit of what cannot be drawn

/// A passage from its begin token on, up to the blank.
Tokens left_of(const Passage& passage) {
  Tokens left = {begin_token};
  left.insert(left.end(), passage.parts.front().begin(), passage.parts.front().end());
  return left;
}

/// The logits of a blank's next token given the tokens that a text has after the first `given`, as
/// the objective's format asks for it. All special ids count as the end of the blank.
Predict blank_predictor(const Subject& subject, const Blank& blank, std::size_t given) {
  return [&subject, reader = std::make_shared<RowReader>(subject.network, subject.device), blank,
          given](std::span<const std::span<const Token>> texts, std::span<const Place> places) {
    const Vocabulary vocabulary = subject.vocabulary();
    const auto size = static_cast<std::size_t>(vocabulary.size());
    std::vector<float> logits(places.size() * size, kNever);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto read = texts[places[i].document].first(places[i].position + 1);
      const std::vector<double> next =
          blank_distribution(subject, *reader, blank, read.subspan(given));
      const std::span<float> row = std::span(logits).subspan(i * size, size);
      for (std::size_t entry = 0; entry < next.size(); ++entry)
        if (next[entry] > 0)
          row[static_cast<std::size_t>(token_of(entry, vocabulary))] =
              static_cast<float>(std::log(next[entry]));
    }
    return logits;
  };
}

/// The positions that a passage takes at most, in whatever format.
std::int64_t with_marks(const Passage& passage) {
  return 1 + std::ssize(passage.parts.front()) + std::ssize(passage.truth) +
         std::ssize(passage.parts.back()) + kRoomForMarks;
}

/// What the sampler puts into the blank.
Tokens filled_by(const Subject& subject, const Sampler& with, const SamplerSpec& sampler,
                 DrawTask task, const Passage& passage) {
  const Tokens left = left_of(passage);
  const std::span<const Token> right = passage.parts.back();
  const std::size_t blank = passage.truth.size();
  UnfinishedText text{left, left.size()};
  TokenSource source = source_for(subject, with, left.size(), left.size() + blank);
  if (sampler.generation == Generation::ancestral) {
    source.predict = blank_predictor(subject, {left, right, blank}, left.size());
  } else {
    text.tokens.resize(left.size() + blank, mask_token);
    text.tokens.insert(text.tokens.end(), right.begin(), right.end());
  }
  task.texts = {&text, 1};
  task.length = left.size() + blank;
  const Tokens made = drawn_by(sampler, source, task).front().tokens;
  const auto from = made.begin() + static_cast<std::ptrdiff_t>(left.size());
  Tokens filling(from,
                 from + static_cast<std::ptrdiff_t>(std::min(blank, made.size() - left.size())));
  if (!filling.empty() && filling.back() == end_token) filling.pop_back();
  return filling;
}

/// Joins what is not empty, with spaces between words of the language.
std::string spelled_together(const data::Corpus& corpus, const std::string& left,
                             const std::string& middle, const std::string& right) {
  std::string text;
  for (const std::string& part : {left, middle, right})
    if (!part.empty()) text += (text.empty() || !corpus.has_words() ? "" : " ") + part;
  return text;
}

Json infilled(const Subject& subject, const SamplerSpec& sampler, const Passage& passage,
              const Tokens& filling) {
  const data::Corpus& corpus = subject.corpus;
  const std::string left = corpus.spelled(passage.parts.front()),
                    right = corpus.spelled(passage.parts.back()), drawn = corpus.spelled(filling);
  Json about = {{"sampler", sampler.name},
                {"shown", spelled_together(corpus, left, std::string(kBlankMark), right)},
                {"drawn", drawn},
                {"truth", corpus.spelled(passage.truth)}};
  if (subject.language != nullptr && !filling.empty()) {
    const Tokens before = left_of(passage);
    const double cost =
        exact_cost(subject.language->chain(), {before, filling, passage.parts.back()},
                   ClozeFormat::told_length) /
        static_cast<double>(filling.size());
    if (std::isfinite(cost)) about["log_probability"] = -cost;
  }
  return {{"text", spelled_together(corpus, left, drawn, right)}, {"about", std::move(about)}};
}

}  // namespace

bool can_infill(const Subject& subject) {
  return can_draw(subject) &&
         reads_right(cloze_format_of(subject.objective(), subject.phase.params));
}

std::vector<Passage> passages_of(const Subject& subject, std::size_t count, std::int64_t tokens) {
  std::vector<Passage> passages;
  for (const auto document : documents_of(subject.corpus.held_out(), SIZE_MAX)) {
    if (passages.size() == count) break;
    auto passage = passage_of(document, tokens, subject.phase.context);
    if (passage && with_marks(*passage) <= subject.phase.context)
      passages.push_back(std::move(*passage));
  }
  return passages;
}

Json infill_samples(const Subject& subject, const Sampler& with, const SamplerSpec& sampler,
                    const DrawTask& settings, std::span<const Passage> passages) {
  Json samples = Json::array();
  for (std::size_t i = 0; i < passages.size(); ++i) {
    DrawTask task = settings;
    task.first = i;
    samples.push_back(infilled(subject, sampler, passages[i],
                               filled_by(subject, with, sampler, task, passages[i])));
  }
  return samples;
}

}  // namespace ablate::probes
