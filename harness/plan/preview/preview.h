// What an arm's objective makes of texts: teaching aid, debugging aid and conformance test in one.

#pragma once

#include <map>
#include <optional>

#include "harness/contract/realised.h"
#include "harness/data/batches/layout.h"
#include "harness/plan/resolve/prepared.h"

namespace ablate::plan {

struct PreviewRequest {
  std::filesystem::path file;  // the experiment
  std::string arm;
  std::int64_t count = 1;
  std::vector<std::string> set;                 // "path=value", over the arm's own settings
  std::optional<std::filesystem::path> text;    // plain text, tokenised as the corpus is
  std::optional<std::filesystem::path> tokens;  // JSON array of arrays of ids
};

struct Preview {
  std::string arm;
  Alignment alignment = Alignment::in_place;
  struct Shown {
    std::vector<Token> text;
    Example example;    // its weights settled
    data::Batch batch;  // of this example alone, as a trial lays it out
  };
  std::vector<Shown> examples;
  Realised realised;
  std::vector<Intended> intended;
  data::Corpus corpus;  // spells the ids
};

/// Example i is made of text i modulo their number with random index i: the numbers that row i of
/// an arm's first step uses. Texts are those of the request, else of the corpus' held-out part, cut
/// as a trial would; those of a request are each other's other documents. An objective is rebuilt
/// for texts of another length than the trial's. Throws ExperimentRefused or std::invalid_argument
/// for what was asked wrongly.
Preview preview(const Catalog& catalog, const PreviewRequest& request);

/// What the objective did of what it was to do on average; nothing where these examples do not
/// tell.
std::optional<double> realised(const Preview& preview, const Intended& intended);

/// By the contract of `preview --json`; "hidden" is ascending. "attention" tells of each position
/// of the laid-out example which positions [from, until) it sees.
Json to_json(const Preview& preview);

}  // namespace ablate::plan
