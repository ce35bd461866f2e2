// What the representation probe measures: how the vectors of documents lie, without training
// anything on them.

#include <fmt/core.h>

#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"
#include "harness/probes/representation/scored_pairs_spec.h"

namespace ablate::probes {
namespace {

std::string belong_together(const Params& params, const ProbedArm& arm) {
  if (arm.language)
    return by_name(params) ? "documents of the same name" : "documents of the same topic";
  return params.has("test") ? "documents of the same label" : "the two halves of a document";
}

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  const std::string together = belong_together(params, arm);
  std::vector<Metric> list;
  const auto add = [&](std::string_view name, std::string label, std::string_view unit,
                       Better better, std::string description) -> Metric& {
    return added(list, {fmt::format("representation.{}", name), std::move(label), unit, better,
                        Comparable::all_arms, std::move(description)});
  };
  const std::string untrained =
      "the same for the model with its initial weights, with a layer of "
      "its own choice: the floor";
  constexpr auto kFraction = "fraction", kCosine = "cosine", kCka = "CKA";
  add("ndcg_at_10", "nDCG at 10 of documents", kFraction, Better::higher,
      fmt::format("nDCG of the ten texts that are the most similar to a text by cosine, where {} "
                  "are relevant; layer and pooling are chosen by it on development documents",
                  together))
      .read_against({only_if(arm.language, Bound::ceiling("optimum_ndcg_at_10")),
                     Bound::untrained("untrained_ndcg_at_10")});
  add("untrained_ndcg_at_10", "nDCG at 10 of documents, untrained model", kFraction,
      Better::neither, untrained);
  if (arm.language)
    add("optimum_ndcg_at_10", "nDCG at 10 of documents, optimum", kFraction, Better::neither,
        fmt::format(
            "the same for texts ranked by the exact probability that they have the same {0}, given "
            "what the model reads of both: the ceiling if each {0} has more than ten texts",
            by_name(params) ? "name" : "topic"));
  for (const int k : {1, 5, 10})
    add(fmt::format("recall_at_{}", k), fmt::format("recall at {} of documents", k), kFraction,
        Better::higher,
        fmt::format("fraction of texts that find a relevant one among the {} most similar", k))
        .read_against({Bound::untrained(fmt::format("untrained_recall_at_{}", k))})
        .indexed_by(k);
  for (const int k : {1, 5, 10})
    add(fmt::format("untrained_recall_at_{}", k),
        fmt::format("recall at {} of documents, untrained model", k), kFraction, Better::neither,
        untrained)
        .indexed_by(k);
  if (params.has("pairs")) {
    add("spearman", "correlation with similarity scores", "correlation", Better::higher,
        "Spearman's rank correlation of the cosine of two texts with the score that they were "
        "given, at the same layer and pooling")
        .read_against({Bound::untrained("untrained_spearman")});
    add("untrained_spearman", "correlation with similarity scores, untrained model", "correlation",
        Better::neither, untrained);
  }
  add("alignment", "alignment of document vectors", "squared distance", Better::neither,
      fmt::format("mean squared distance of the unit vectors of {}; read it with uniformity, "
                  "because vectors that are all alike have the lowest",
                  together));
  add("untrained_alignment", "alignment of document vectors, untrained model", "squared distance",
      Better::neither, untrained);
  add("uniformity", "uniformity of document vectors", "nats", Better::neither,
      "log of the mean of exp(-2 squared distance) over all pairs of unit vectors: 0 if all are "
      "alike, lower if they are spread; noise also has a low one");
  add("untrained_uniformity", "uniformity of document vectors, untrained model", "nats",
      Better::neither, untrained);
  add("anisotropy", "anisotropy of document vectors", kCosine, Better::neither,
      "mean cosine of all pairs: 0 if directions are spread, 1 if all are the same");
  add("anisotropy_centred", "anisotropy of document vectors, centred", kCosine, Better::neither,
      "the same after the mean vector is taken from each: about 0 unless few documents are far "
      "from the others");
  add("untrained_anisotropy", "anisotropy of document vectors, untrained model", kCosine,
      Better::neither, untrained);
  add("cka_first_last", "CKA of first and last layer", kCka, Better::neither,
      "unbiased linear CKA between the embeddings and the last layer, mean pooling: 1 where the "
      "layers between change nothing but direction and scale");
  add("cka_untrained", "CKA of last layer before and after training", kCka, Better::neither,
      "unbiased linear CKA between the last layer and that of the model with its initial weights, "
      "mean pooling: how little training changed");
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  const bool train = params.has("train"), test = params.has("test");
  if (arm.language && (train || test || params.has("pairs")))
    return "'train', 'test' and 'pairs' name text, but the built-in language labels documents by "
           "topic; leave them out";
  if (!arm.language && params.has("label"))
    return "'label' says what documents of the built-in language have in common, but the corpus is "
           "text; leave it out";
  if (train != test)
    return fmt::format(
        "'{}' is given without '{}'; give both, JSON Lines files with a text and a label per line, "
        "or neither: then the two halves of held-out documents belong together",
        train ? "train" : "test", train ? "test" : "train");
  return {};
}

/// All documents under the model and its initial weights.
double tokens(const Params& params, const ProbedArm& arm) {
  const std::int64_t documents =
      params.integer("development_documents") + params.integer("test_documents");
  return 2 * static_cast<double>(documents * arm.context);
}

/// Labelled documents and scored texts that are cut.
Misfits misfits(const Json& prepared, const Params& params, const ProbedArm& arm,
                const std::filesystem::path& cache) {
  Misfits found = labelled_misfits(prepared, params, arm, cache);
  if (const auto scored = prepared_corpus(prepared, "pairs", cache)) {
    const Misfits cut =
        cut_documents("texts of pairs", prepared_documents(scored->training()), arm.context);
    found.sentences.insert(found.sentences.end(), cut.sentences.begin(), cut.sentences.end());
  }
  return found;
}

}  // namespace

ProbeSpec representation_spec() {
  constexpr double kFewest = 10, kMost = 10000;  // every pair of documents is looked at
  return {
      .name = "representation",
      .summary =
          "geometry of frozen document vectors: retrieval, alignment, uniformity, anisotropy, CKA",
      .subject = "Vectors of documents",
      .params =
          {integer(
               "development_documents", 200, kFewest, kMost,
               "documents used to choose the layer and the pooling; the trial's seed draws them"),
           integer("test_documents", 400, kFewest, kMost,
                   "documents that the metrics are measured on"),
           choice("pooling", "best", {"best", "mean", "last"},
                  "how a layer's hidden states are pooled over a document; best: chosen like the "
                  "layer; arms that compare states may also take the state at its own place"),
           optional(text("train", nullptr,
                         "JSON Lines file of labelled text to draw development documents from; "
                         "absent: held-out documents are halved")),
           optional(text("test", nullptr, "JSON Lines file of labelled test documents")),
           optional(choice("label", nullptr, {"topic", "name"},
                           "what documents of the built-in language must share to belong together; "
                           "absent: topic"),
                    "topic"),
           text("text_field", "text", "key of a line's text"),
           text("label_field", "label", "key of a line's label: a string or an integer"),
           optional(text("pairs", nullptr,
                         "JSON Lines file with two texts per line and how similar people find "
                         "them: \"text_a\", \"text_b\", \"score\""))},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare_representation,
      .misfits = misfits,
      .version = 6};
}

}  // namespace ablate::probes
