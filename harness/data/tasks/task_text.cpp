// Draws the documents of a task's corpus.

#include "harness/data/tasks/task_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate::data {
namespace {

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskSpec& spec : task_specs()) names.emplace_back(spec.name);
  return names;
}

/// The rows of a task's own section.
std::vector<Param> rows_of(const TaskSpec& spec) {
  const Difficulty& difficulty = spec.difficulty;
  const auto values = [&](std::string_view name, const Json& usual, std::string_view description) {
    const auto least = static_cast<double>(difficulty.least),
               most = static_cast<double>(difficulty.most);
    return list(name, usual, {integer("", nullptr, least, most, "")}, 16, description);
  };
  std::vector<Param> rows = {
      values(difficulty.name, difficulty.usual, difficulty.description),
      optional(
          values(difficulty.test_name, difficulty.usual_test,
                 "pairs of the documents that models are asked about; absent: as in training"))};
  rows.insert(rows.end(), spec.dials.begin(), spec.dials.end());
  return rows;
}

const TaskSpec& task_of(const Params& params) {
  const TaskSpec* chosen = nullptr;
  for (const TaskSpec& spec : task_specs()) {
    if (!params.has(spec.name)) continue;
    if (chosen != nullptr)
      reject("corpus: it names the tasks '{}' and '{}', and a corpus has one; keep one of them",
             chosen->name, spec.name);
    chosen = &spec;
  }
  if (chosen == nullptr)
    reject("corpus: it names no task; give the section of one, such as \"{}\": {{}}; tasks: {}",
           task_specs().front().name, fmt::join(task_names(), ", "));
  return *chosen;
}

/// A list of difficulties, ascending. Throws std::invalid_argument where one is twice in it, or none is.
std::vector<std::int64_t> ascending(const Json& list, const std::string& name) {
  auto values = list.get<std::vector<std::int64_t>>();
  if (values.empty()) reject("corpus.{}: it is empty; give one value at least", name);
  std::sort(values.begin(), values.end());
  if (const auto twice = std::adjacent_find(values.begin(), values.end()); twice != values.end())
    reject("corpus.{}: {} is twice in it; give it once", name, *twice);
  return values;
}

Params without_kind(Json section) {
  for (const char* key : {"kind", "hash"}) section.erase(key);
  return {task_params(), section};
}

}  // namespace

std::span<const Param> task_params() {
  static const std::vector<Param> rows = [] {
    std::vector<Param> made = {
        integer("seed", 1, 0, 0x1p53, "seed of the text, and of what its documents have in common"),
        integer("tokens", 1000000, 1000, 200000000,
                "tokens drawn to train on, and a few more to complete the last document"),
        integer("held_out_tokens", 65536, 1000, 20000000,
                "tokens drawn that no trial trains on; the last document is completed")};
    for (const TaskSpec& spec : task_specs())
      made.push_back(optional(section(spec.name, rows_of(spec), spec.summary)));
    return made;
  }();
  return rows;
}

TaskText::TaskText(const Params& params)
    : spec_(task_of(params)), seed_(static_cast<std::uint64_t>(params.integer("seed"))) {
  const std::string name(spec_.name);
  dials_ = Params(rows_of(spec_), params.section(spec_.name));
  const Difficulty& own = spec_.difficulty;
  difficulties_ = ascending(dials_.list(own.name), fmt::format("{}.{}", name, own.name));
  test_difficulties_ =
      dials_.has(own.test_name)
          ? ascending(dials_.list(own.test_name), fmt::format("{}.{}", name, own.test_name))
          : difficulties_;
  if (spec_.refusal == nullptr) return;
  for (const auto* values : {&difficulties_, &test_difficulties_})
    for (const std::int64_t difficulty : *values)
      if (const std::string why = spec_.refusal(dials_, difficulty); !why.empty())
        reject("corpus.{}: {}", name, why);
}

TaskText::TaskText(Json section) : TaskText(without_kind(std::move(section))) {}

std::int64_t TaskText::longest_of(const std::vector<std::int64_t>& difficulties) const {
  std::int64_t longest = 0;
  for (const std::int64_t difficulty : difficulties)
    longest = std::max(longest, spec_.length(dials_, difficulty));
  return longest;
}

TaskDocument TaskText::document(TaskPart part, std::uint64_t number,
                                std::int64_t difficulty) const {
  Rng rng = Rng(seed_, Stream::corpus, static_cast<std::uint64_t>(part), number)
                .fork(static_cast<std::uint64_t>(difficulty));
  TaskDocument document{.tokens = {begin_token}, .marks = {special_mark}};
  spec_.draw({dials_, difficulty, seed_}, rng, document);
  document.tokens.push_back(end_token);
  document.marks.push_back(special_mark);
  return document;
}

TaskDocument TaskText::document(TaskPart part, std::uint64_t number) const {
  const auto count = std::ssize(difficulties_);
  Rng rng(seed_, Stream::corpus, static_cast<std::uint64_t>(part), number);
  TaskDocument drawn =
      document(part, number, difficulties_[static_cast<std::size_t>(rng.below(count))]);
  drawn.nats += std::log(static_cast<double>(count));  // each document tells how difficult it is
  return drawn;
}

CorpusContent::PartContent TaskText::drawn(TaskPart part, std::int64_t tokens) const {
  CorpusContent::PartContent content;
  std::uint64_t number = 0;
  for (std::int64_t done = 0; done < tokens;) {
    const TaskDocument next = document(part, number++);
    content.tokens.insert(content.tokens.end(), next.tokens.begin(), next.tokens.end());
    content.marks.insert(content.marks.end(), next.marks.begin(), next.marks.end());
    ++content.documents;
    done += std::ssize(next.tokens);
  }
  return content;
}

void check_task(const Params& params, const std::filesystem::path&) { TaskText{params}; }

std::filesystem::path prepare_task(const CorpusRequest& request) {
  const Params& params = request.params;
  const TaskText text(params);
  const Json identity = {{"kind", "task"}, {"semantics", kTaskVersion}, {"params", params.json()}};
  return made_or_found(identity, request.cache, [&] {
    CorpusContent content;
    content.pieces = text.spec().words(text.dials());
    content.ordinary = static_cast<Token>(content.pieces.size());
    content.training = text.drawn(TaskPart::training, params.integer("tokens"));
    content.held_out = text.drawn(TaskPart::held_out, params.integer("held_out_tokens"));
    content.about = identity;
    return content;
  });
}

}  // namespace ablate::data
