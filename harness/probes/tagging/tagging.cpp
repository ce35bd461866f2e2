// Measures how well a linear model tags words from frozen hidden states.

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/classification/control_task.h"
#include "harness/probes/documents.h"
#include "harness/probes/linear/token_probe.h"
#include "harness/probes/measuring.h"
#include "harness/probes/tagging/entities.h"

namespace ablate::probes {
namespace {

/// Few penalties: there are many more words than features.
constexpr double kTagPenalties[] = {0.01, 0.001, 1e-4};

data::Corpus tagged_corpus(const Subject& subject, const plan::ResolvedProbe& probe) {
  if (!probe.settings.contains("tagged"))
    reject("{}: the settings name no prepared files; plan the experiment again", probe.spec->name);
  return data::Corpus::open(subject.cache /
                            (probe.settings.at("tagged").get<std::string>() + ".corpus"));
}

/// The sentences of a split.
struct Tagged {
  TokenItems tokens;                            // the words within the context, by their tokens
  std::vector<std::vector<std::int32_t>> tags;  // of all words, by sentence
  std::int64_t cut = 0;                         // sentences that are longer than the context
};

struct TaggedSplits {
  Tagged training, development, test;

  TokenSplits tokens() const { return {training.tokens, development.tokens, test.tokens}; }
};

/// Appends a document and its tags. Words beyond the context have tags alone.
void append(std::span<const Token> document, const Json& tags, std::int64_t context,
            Tagged& split) {
  TokenItems& tokens = split.tokens;
  const std::size_t number = tokens.documents.size();
  const std::size_t length = std::min(document.size(), static_cast<std::size_t>(context));
  split.cut += length < document.size() ? 1 : 0;
  tokens.documents.emplace_back(document.begin(),
                                document.begin() + static_cast<std::ptrdiff_t>(length));
  std::vector<std::int32_t>& all = split.tags.emplace_back();
  for (std::size_t i = 0; i + 1 < tags.size(); i += 2) {
    const auto position = tags[i].get<std::size_t>();
    const auto tag = tags[i + 1].get<std::int32_t>();
    if (tag < 0 || tag >= tokens.classes) damaged("a tagged corpus has tag {}", tag);
    all.push_back(tag);
    if (position < length) tokens.items.push_back({number, position, tag});
  }
}

/// The sentences of a part that `order` names, from `first` on, at most `maximum`.
Tagged sentences_of(const data::Part& part, const Json& tags, const std::vector<std::size_t>& order,
                    std::size_t first, std::size_t maximum, std::int64_t context,
                    std::int32_t classes) {
  const std::vector<std::span<const Token>> documents = documents_of(part, SIZE_MAX);
  Tagged split{.tokens = {.classes = classes}};
  for (std::size_t i = first; i < std::min(order.size(), first + maximum); ++i)
    append(documents.at(order[i]), tags.at(order[i]), context, split);
  return split;
}

Rng rng_of(const Subject& subject) {
  return Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("tagging");
}

/// The splits: the trial's seed draws the sentences, whatever the arm.
TaggedSplits splits_of(const data::Corpus& corpus, const Subject& subject, const Params& params) {
  const Json& about = corpus.about();
  const auto classes = static_cast<std::int32_t>(about.at("names").size());
  const Rng rng = rng_of(subject);
  const auto count = [&](const char* name) {
    return static_cast<std::size_t>(params.integer(name));
  };
  const std::vector<std::size_t> fitted =
      random_order(about.at("training").size(), rng.fork("fitted"));
  const std::vector<std::size_t> tested =
      random_order(about.at("held_out").size(), rng.fork("test"));
  const std::size_t asked = count("training_sentences") + count("development_sentences");
  const std::size_t training =  // in proportion, where there are fewer
      std::min(asked, fitted.size()) * count("training_sentences") / asked;
  const auto of_training = [&](std::size_t first, std::size_t maximum) {
    return sentences_of(corpus.training(), about.at("training"), fitted, first, maximum,
                        subject.phase.context, classes);
  };
  return {of_training(0, training),
          of_training(training, std::min(asked, fitted.size()) - training),
          sentences_of(corpus.held_out(), about.at("held_out"), tested, 0, count("test_sentences"),
                       subject.phase.context, classes)};
}

/// The entities found in all sentences of a split. `named`: the tag of each word within the context.
EntityCounts entities_found(const Tagged& split, std::span<const std::int32_t> named,
                            const std::vector<std::string>& names) {
  EntityCounts counts;
  const std::vector<TokenItems::Item>& items = split.tokens.items;
  const auto name_of = [&](std::int32_t tag) { return names[static_cast<std::size_t>(tag)]; };
  std::size_t item = 0;
  for (std::size_t sentence = 0; sentence < split.tags.size(); ++sentence) {
    std::vector<std::string> model, truth;
    for (const std::int32_t tag : split.tags[sentence]) truth.push_back(name_of(tag));
    for (; item < items.size() && items[item].document == sentence; ++item)
      model.push_back(name_of(named[item]));
    add_entities(model, truth, counts);
  }
  return counts;
}

/// The fraction of labelled entities that do not lie within the context, so that no model can find
/// them; 0 where there are no entities.
double beyond_context(const Tagged& split, const std::vector<std::string>& names) {
  std::vector<std::int32_t> right;
  for (const TokenItems::Item& item : split.tokens.items) right.push_back(item.label);
  const EntityCounts counts = entities_found(split, right, names);
  return counts.labelled > 0 ? 1 - counts.right / counts.labelled : 0;
}

/// Accuracy of the same probe for tags that say nothing, at the layer that was chosen.
double control_accuracy(const Subject& subject, const TokenSplits& splits,
                        const LinearProbe& trained) {
  const Rng rng = rng_of(subject).fork("control");
  const auto control = [&](const TokenItems& tokens) {
    return with_control_labels(tokens, splits.training, rng);
  };
  return probe_tokens_at(
             subject.network, subject,
             {control(splits.training), control(splits.development), control(splits.test)},
             trained.layer, kTagPenalties)
      .accuracy;
}

double majority(const TokenSplits& splits) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(splits.training.classes));
  for (const TokenItems::Item& item : splits.training.items)
    ++counts[static_cast<std::size_t>(item.label)];
  const auto commonest = std::max_element(counts.begin(), counts.end()) - counts.begin();
  const auto& items = splits.test.items;
  const auto right = std::count_if(items.begin(), items.end(),
                                   [&](const auto& item) { return item.label == commonest; });
  return static_cast<double>(right) / static_cast<double>(items.size());
}

}  // namespace

Measurement measure_tagging(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress) {
  const data::Corpus corpus = tagged_corpus(subject, probe);
  const TaggedSplits tagged = splits_of(corpus, subject, probe.params);
  const TokenSplits splits = tagged.tokens();
  for (const TokenItems* split : {&splits.training, &splits.development, &splits.test})
    if (split->items.empty())
      reject("{}: a split has no words; give more tagged sentences", probe.spec->name);
  const auto names = corpus.about().at("names").get<std::vector<std::string>>();
  const auto probed = [&](train::Network& network, double done) {
    return probe_tokens(
        network, subject, splits, kTagPenalties,
        [&](double fraction) { progress(done + 0.45 * fraction); },
        [&](auto named) { return entities_found(tagged.development, named, names).f1(); });
  };
  const LinearProbe trained = probed(subject.network, 0);
  const LinearProbe untrained = probed(*subject.untrained(), 0.45);

  Measurement measurement;
  const std::string of = subject_of(probe.params, "tagging") + ".";
  const EntityCounts found = entities_found(tagged.test, trained.named, names);
  measurement.metrics = {
      {of + "f1", found.f1()},
      {of + "untrained_f1", entities_found(tagged.test, untrained.named, names).f1()},
      {of + "accuracy", trained.accuracy},
      {of + "untrained", untrained.accuracy},
      {of + "majority", majority(splits)},
      {of + "selectivity", trained.accuracy - control_accuracy(subject, splits, trained)},
      {of + "beyond_context", beyond_context(tagged.test, names)}};
  measurement.items[of + "accuracy"] = right_by_document(splits.test, trained.named);
  measurement.details = {
      {"trained", chosen_by(trained)},
      {"untrained", chosen_by(untrained)},
      {"tags", names},
      {"sentences",
       {{"training", tagged.training.tags.size()},
        {"development", tagged.development.tags.size()},
        {"test", tagged.test.tags.size()}}},
      {"entities", {{"right", found.right}, {"named", found.named}, {"labelled", found.labelled}}}};
  if (const std::int64_t cut = tagged.training.cut + tagged.development.cut + tagged.test.cut;
      cut > 0)
    measurement.details["sentences"]["cut"] = cut;
  if (corpus.about().contains("schemes"))
    measurement.details["schemes"] = corpus.about().at("schemes");
  return measurement;
}

}  // namespace ablate::probes
