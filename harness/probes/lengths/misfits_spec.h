// What the prepared files of a probe have that is too long for an arm's context: what its spec tells
// the plan. Without LibTorch.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// The corpus whose hash the prepared settings have under `key`; nothing where they have none.
std::optional<data::Corpus> prepared_corpus(const Json& prepared, const std::string& key,
                                            const std::filesystem::path& cache);

/// The documents of a part, from the begin token to the end token of each.
std::vector<std::span<const Token>> prepared_documents(const data::Part& part);

/// Items that there is no room for; `unit`: their plural, such as "items".
struct LeftOut {
  std::string_view unit;
  std::int64_t count = 0, all = 0;
};

/// The sentence of items that are left out, if any. Throws std::invalid_argument where all are.
Misfits misfits_of(const LeftOut& items, std::int64_t context);

/// The sentence of documents that are longer than the context and read up to its end, if any. `unit`:
/// the plural of what they are.
Misfits cut_documents(std::string_view unit, const std::vector<std::span<const Token>>& documents,
                      std::int64_t context);

/// The documents of the settings' "labelled" corpus that are cut: of probes of labelled text.
Misfits labelled_misfits(const Json& prepared, const Params& params, const ProbedArm& arm,
                         const std::filesystem::path& cache);

}  // namespace ablate::probes
