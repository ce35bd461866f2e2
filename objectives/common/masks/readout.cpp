// Wraps what an in-place objective makes, and shows its optimum the examples as they were in place.

#include "objectives/common/masks/readout.h"

#include <utility>

namespace ablate::objectives {
namespace {

/// What each place sees: the document that it belongs to, its begin and end tokens included.
std::vector<Sight> whole_documents(std::span<const Token> tokens) {
  std::vector<Sight> sees;
  sees.reserve(tokens.size());
  for (std::size_t from = 0; from < tokens.size();) {
    const std::size_t until = document_end(tokens, from);
    sees.resize(until, {static_cast<std::int32_t>(from), static_cast<std::int32_t>(until)});
    from = until;
  }
  return sees;
}

Example moved_before(Example example) {
  example.sees = whole_documents(example.inputs);
  example.shown = std::exchange(example.inputs, {});
  return example;
}

std::vector<Example> moved_before(std::vector<Example> examples) {
  for (Example& example : examples) example = moved_before(std::move(example));
  return examples;
}

Example moved_back(Example example) {
  example.inputs = std::exchange(example.shown, {});
  example.sees.clear();
  return example;
}

}  // namespace

Objective read_before(const Objective& in_place) {
  Objective made = in_place;
  made.needs.alignment = Alignment::continuation;
  made.needs.attention_least = Attention::bidirectional;
  made.needs.reads = false;
  made.transform = [own = in_place.transform](const Text& text, Rng rng) {
    return moved_before(own(text, rng));
  };
  made.optimum = [own = in_place.optimum](const Chain& language, const Text& text,
                                          const Example& example) {
    return own(language, text, moved_back(example));
  };
  made.context_free = [own = in_place.context_free](std::span<const double> unigram,
                                                    const Text& text, const Example& example) {
    return own(unigram, text, moved_back(example));
  };
  made.cloze = [own = in_place.cloze](const Cloze& cloze) { return moved_before(own(cloze)); };
  made.cloze_hidden = [own = in_place.cloze_hidden](const Cloze& cloze,
                                                    std::span<const std::size_t> hidden) {
    return moved_before(own(cloze, hidden));
  };
  return made;
}

}  // namespace ablate::objectives
