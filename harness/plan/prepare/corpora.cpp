#include "harness/plan/prepare/corpora.h"

#include <fmt/core.h>

#include <set>

#include "harness/data/corpus_counts.h"

namespace ablate::plan {
namespace {

struct NamedCorpus {
  std::string name;
  data::Corpus corpus;
};

/// Warns where one corpus is trained on what another holds out.
void warn_of_held_out(const std::vector<NamedCorpus>& all, std::vector<std::string>& warnings) {
  for (const NamedCorpus& read : all)
    for (const NamedCorpus& measured : all) {
      if (&read == &measured) continue;
      const std::int64_t shared =
          data::held_out_documents(read.corpus.training(), measured.corpus.held_out());
      if (shared == 0) continue;
      warnings.push_back(fmt::format(
          "corpus {}: {} of its {} training documents are held out of corpus {}: phases train on "
          "text that others are measured on; name the files to hold out of each "
          "(corpus.held_out.paths), or give corpora without common documents",
          read.name, shared, read.corpus.training().documents, measured.name));
    }
}

}  // namespace

Json describe_corpora(const Prepared& prepared, std::vector<std::string>& warnings) {
  Json corpora = Json::array();
  std::vector<NamedCorpus> all;
  std::set<std::string> known;  // hashes
  const auto add = [&](const data::Corpus& corpus, const std::string& name) {
    if (!known.insert(corpus.hash()).second) return;
    all.push_back({name, corpus});
    Json& row = corpora.emplace_back(data::counts_of(corpus));
    row["name"] = name;
    for (std::string& warning : data::warnings_about(corpus, "corpus " + name))
      warnings.push_back(std::move(warning));
  };
  add(prepared.corpus, "main");
  for (const std::vector<PreparedPhase>& phases : prepared.phases)
    for (const PreparedPhase& phase : phases)
      for (const PreparedMember& member : phase.members)
        add(member.corpus, member.corpus.hash().substr(0, 8));
  warn_of_held_out(all, warnings);
  for (const std::string& warning : prepared.warnings) warnings.push_back(warning);
  return corpora;
}

}  // namespace ablate::plan
