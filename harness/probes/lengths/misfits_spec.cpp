#include "harness/probes/lengths/misfits_spec.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/data/batches/packing.h"

namespace ablate::probes {

std::optional<data::Corpus> prepared_corpus(const Json& prepared, const std::string& key,
                                            const std::filesystem::path& cache) {
  if (!prepared.contains(key) || !prepared.at(key).is_string()) return std::nullopt;
  return data::Corpus::open(cache / (prepared.at(key).get<std::string>() + ".corpus"));
}

std::vector<std::span<const Token>> prepared_documents(const data::Part& part) {
  std::vector<std::span<const Token>> documents;
  for (std::size_t first = 0; first < part.tokens.size();) {
    const std::size_t end = document_end(part.tokens, first);
    documents.push_back(part.tokens.subspan(first, end - first));
    first = end;
  }
  return documents;
}

Misfits misfits_of(const LeftOut& items, std::int64_t context) {
  if (items.count == 0) return {};
  if (items.count == items.all)
    reject(
        "none of its {} {} fits into a context of {} tokens; use a longer context, or leave the "
        "probe out",
        items.all, items.unit, context);
  return {.sentences = {
              fmt::format("{} of {} {} do not fit into a context of {} tokens, and are left out",
                          items.count, items.all, items.unit, context)}};
}

Misfits cut_documents(std::string_view unit, const std::vector<std::span<const Token>>& documents,
                      std::int64_t context) {
  const auto cut = std::count_if(documents.begin(), documents.end(), [&](const auto& document) {
    return std::ssize(document) > context;
  });
  if (cut == 0) return {};
  return {.sentences = {fmt::format(
              "{} of {} {} are longer than the context of {} tokens, and read up to its end", cut,
              documents.size(), unit, context)}};
}

Misfits labelled_misfits(const Json& prepared, const Params&, const ProbedArm& arm,
                         const std::filesystem::path& cache) {
  const auto corpus = prepared_corpus(prepared, "labelled", cache);
  if (!corpus) return {};
  auto documents = prepared_documents(corpus->training());
  const auto tested = prepared_documents(corpus->held_out());
  documents.insert(documents.end(), tested.begin(), tested.end());
  return cut_documents("labelled documents", documents, arm.context);
}

}  // namespace ablate::probes
