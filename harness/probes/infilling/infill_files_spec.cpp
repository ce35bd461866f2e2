#include "harness/probes/infilling/infill_files_spec.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/json_lines_spec.h"

namespace ablate::probes {
namespace {

/// Appends the tokens of a text; returns their number.
std::size_t append(const std::string& text, const data::Tokenizer& tokenizer,
                   data::CorpusContent::PartContent& part) {
  const std::size_t before = part.tokens.size();
  tokenizer.encode(text, part.tokens);
  part.bytes += static_cast<std::int64_t>(text.size());
  return part.tokens.size() - before;
}

}  // namespace

std::vector<InfillProblem> read_problems(const std::filesystem::path& file) {
  std::vector<InfillProblem> problems;
  read_json_lines(file, [&](const Json& record, const std::string& where) {
    problems.push_back({text_at(record, "prompt", where),
                        text_at(record, "canonical_solution", where),
                        text_at(record, "suffix", where)});
  });
  if (problems.empty()) fail("{}: contains no problems", file.string());
  return problems;
}

data::CorpusContent infill_content(const std::vector<InfillProblem>& problems,
                                   const data::Tokenizer& tokenizer) {
  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  data::CorpusContent::PartContent& part = content.training;
  Json items = Json::array();
  std::int64_t empty = 0;
  for (const InfillProblem& problem : problems) {
    if (problem.middle.empty()) {
      ++empty;
      continue;
    }
    part.tokens.push_back(begin_token);
    const std::size_t before = append(problem.before, tokenizer, part);
    const std::size_t middle = append(problem.middle, tokenizer, part);
    append(problem.after, tokenizer, part);
    part.tokens.push_back(end_token);
    ++part.documents;
    items.push_back({before, middle});
  }
  content.about = {{"kind", "infilling"}, {"items", std::move(items)}, {"empty", empty}};
  return content;
}

bool middle_fits(std::size_t middle, std::int64_t context) {
  const auto room = static_cast<std::size_t>(std::max<std::int64_t>(0, context - kRoomForMarks));
  return 2 * middle <= room;
}

Json prepare_problems(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  if (!settings.has("path")) return prepared;
  const data::CorpusContent content =
      infill_content(read_problems(preparation.folder_of("path") / settings.text("path")),
                     *preparation.tokenizer());
  prepared["problems_hash"] = data::write_corpus(preparation.cache, content).stem().string();
  prepared.erase("path");  // where the file lies does not affect the measurement
  return prepared;
}

}  // namespace ablate::probes
