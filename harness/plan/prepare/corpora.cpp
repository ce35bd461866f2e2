#include "harness/plan/prepare/corpora.h"

#include <set>

#include "harness/data/corpus_counts.h"

namespace ablate::plan {

Json describe_corpora(const Prepared& prepared, std::vector<std::string>& warnings) {
  Json corpora = Json::array();
  std::set<std::string> known;  // hashes
  const auto add = [&](const data::Corpus& corpus, const std::string& name) {
    if (!known.insert(corpus.hash()).second) return;
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
  for (const std::string& warning : prepared.warnings) warnings.push_back(warning);
  return corpora;
}

}  // namespace ablate::plan
