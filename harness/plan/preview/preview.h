// Shows what an arm's objective makes of texts, for learning, debugging and conformance tests.

#pragma once

#include <map>
#include <optional>

#include "harness/contract/realised.h"
#include "harness/data/batches/layout.h"
#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

/// What `ablate preview` is asked for.
struct PreviewRequest {
  std::filesystem::path file;  // the experiment
  std::string arm;  // its name, or "NAME:path=value,..." for an arm that the file does not have
  std::optional<std::int64_t> count;    // of examples; empty: one, or all texts of `documents`
  std::optional<std::int64_t> seed;     // of the random numbers; empty: the file's first
  std::vector<std::string> set;         // "path=value", overrides the arm's own settings
  std::vector<std::int64_t> documents;  // of the training part, in place of held-out text
  std::optional<std::filesystem::path> text;    // plain text, tokenised like the corpus
  std::optional<std::filesystem::path> tokens;  // JSON array of arrays of ids
};

/// The examples of a preview, and what the objective did in them.
struct Preview {
  std::string arm;
  std::string label;  // what reports call it
  const ObjectiveSpec* objective = nullptr;
  std::int64_t seed = 0;
  Alignment alignment = Alignment::in_place;
  struct Shown {
    std::vector<Token> text;
    Example example;     // with its final weights
    data::Batch batch;   // only this example, laid out as in a trial
    std::size_t source;  // the number of its text; after the last text the first is read again
  };
  std::vector<Shown> examples;
  Realised realised;
  std::vector<Intended> intended;
  data::Corpus corpus;  // for the spelling of ids
  Vocabulary vocabulary;
  std::vector<std::string> warnings;  // about the text that was given
};

/// Makes the examples of the request. Example i is made from text i, modulo the number of texts,
/// with the random numbers of row i of an arm's first step; a text that is read again has those of a
/// further epoch. See preview_texts() for the texts. For texts that are longer than the trial's, a
/// new objective is built. Throws ExperimentRefused or std::invalid_argument for an invalid request.
Preview preview(const Catalog& catalog, const PreviewRequest& request);

/// What an experiment has for previews, with the flags of a request that are not of an arm.
struct PreviewedFile {
  std::string name, question;
  std::vector<std::string> arms;
};

/// That of the request's file. Throws as preview().
PreviewedFile previewed_file(const Catalog& catalog, const PreviewRequest& request);

/// The value that the objective realised in these examples for an intended one; nothing if they do
/// not show it.
std::optional<double> realised(const Preview& preview, const Intended& intended);

/// The document that `preview --json` prints. "hidden" is ascending. "attention" states for each
/// position of the example which positions [from, until) it sees.
Json to_json(const Preview& preview);

}  // namespace ablate::plan
