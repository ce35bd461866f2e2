#include "harness/plan/preview.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/data/layout.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer.h"
#include "harness/plan/arms.h"
#include "harness/plan/price.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostExamples = 100'000;

/// Texts, and the tokens that they are stretches of where these are not the corpus'.
struct Texts {
  std::vector<std::vector<Token>> owned;
  std::vector<Text> texts;
};

bool is_of_arm(const Assignment& flag) {
  const std::string section = flag.path.substr(0, flag.path.find('.'));
  return section == "model" || section == "train" || section == "objective";
}

/// The experiment with the flags laid over one arm; what is not an arm's is laid over the file.
Experiment read_with_flags(const Catalog& catalog, const PreviewRequest& request,
                           std::size_t& index) {
  Faults faults;
  std::vector<Assignment> of_arm;
  Overrides of_file;
  for (const std::string& text : request.set) {
    const std::vector<Assignment> flag = parse_set({text}, faults);
    if (flag.size() == 1 && is_of_arm(flag.front()))
      of_arm.push_back(flag.front());
    else
      of_file.set.push_back(text);
  }
  faults.throw_if_any();
  Experiment experiment = read_experiment(catalog, request.file, of_file);
  std::vector<std::string_view> names;
  for (const ResolvedArm& arm : experiment.arms) names.push_back(arm.name);
  const auto found = std::find(names.begin(), names.end(), canonical_name(request.arm));
  if (found == names.end()) {
    const std::string_view near = nearest(request.arm, names);
    reject("--arm ", request.arm, ": no arm of that name; ",
           near.empty() ? "" : join("did you mean '", near, "'? "),
           "there are: ", listed(names).substr(0, 2000));
  }
  index = static_cast<std::size_t>(found - names.begin());
  ResolvedArm& arm = experiment.arms[index];
  arm.assignments.insert(arm.assignments.end(), of_arm.begin(), of_arm.end());
  resolve_arm(catalog, *experiment.sources, arm, faults);
  faults.throw_if_any();
  return experiment;
}

/// The documents of a stretch of tokens where the objective is given one at a time, else all of it.
void add_stretch(std::span<const Token> tokens, std::span<const std::uint8_t> marks,
                 bool by_document, std::vector<Text>& texts) {
  for (std::size_t first = 0; first < tokens.size();) {
    const std::size_t end = by_document ? document_end(tokens, first) : tokens.size();
    Text text;
    text.tokens = tokens.subspan(first, end - first);
    if (!marks.empty()) text.marks = marks.subspan(first, end - first);
    texts.push_back(std::move(text));
    first = end;
  }
}

Texts from_corpus(const Corpus& corpus, std::int64_t context, std::int64_t count,
                  bool by_document) {
  const Part& part = corpus.held_out();
  const auto length = static_cast<std::size_t>(context);
  if (part.tokens.size() < length)
    reject("the held-out part has ", part.tokens.size(), " tokens and a text needs ", context,
           "; hold out more text, or give texts with --tokens");
  Texts made;
  for (std::size_t first = 0;
       first + length <= part.tokens.size() && std::ssize(made.texts) < count; first += length)
    add_stretch(part.tokens.subspan(first, length),
                part.marks.empty() ? part.marks : part.marks.subspan(first, length), by_document,
                made.texts);
  return made;
}

Texts from_tokens(const fs::path& file, const Vocabulary& vocabulary) {
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > 2)
      reject("--tokens ", file.string(), ": is nested; give an array of arrays of ids");
    return true;
  };
  const Json given = Json::parse(read_file(file, 1u << 28), shallow, false);
  if (!given.is_array() || given.empty())
    reject("--tokens ", file.string(),
           ": is not a JSON array of arrays of ids, such as [[17, 20, 16]]");
  Texts made;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is_array() || given[i].empty())
      reject("--tokens ", file.string(), ": text ", i, " is not an array of at least one id");
    auto& ids = made.owned.emplace_back();
    for (const Json& id : given[i]) {
      if (!id.is_number_integer() || id < 0 || id >= vocabulary.end_ordinary())
        reject("--tokens ", file.string(), ": text ", i, ": ", canonical(id).substr(0, 40),
               " is not an id of text; they are 0 to ", vocabulary.end_ordinary() - 1);
      ids.push_back(id.get<Token>());
    }
  }
  for (const auto& ids : made.owned) add_stretch(ids, {}, false, made.texts);
  return made;
}

Texts from_text(const fs::path& file, const Corpus& corpus, std::int64_t context) {
  const std::string text = read_file(file, 1u << 28);
  if (corpus.about().value("kind", "") == "language")
    reject("--text ", file.string(),
           ": the built-in language has ids and no letters; give ids with --tokens");
  Texts made;
  auto& ids = made.owned.emplace_back(std::vector<Token>{begin_token});
  tokenizer_of(corpus.about(), cache_folder())->encode(text, ids);
  ids.push_back(end_token);
  const std::span<const Token> all = made.owned.front();
  const auto length = static_cast<std::size_t>(context);
  for (std::size_t first = 0; first < all.size(); first += length)
    add_stretch(all.subspan(first, std::min(length, all.size() - first)), {}, false, made.texts);
  return made;
}

bool by_document(const Needs& needs, const Json& train) {
  return needs.unit == Unit::document ||
         (packing_of(train) == Packing::isolated && needs.alignment == Alignment::continuation);
}

}  // namespace

Preview preview(const Catalog& catalog, const PreviewRequest& request) {
  if (request.count < 1 || request.count > kMostExamples)
    reject("--count ", request.count, ": is outside [1, ", kMostExamples, "]");
  std::size_t index = 0;
  const Experiment experiment = read_with_flags(catalog, request, index);
  Faults faults;
  const Prepared prepared = prepare(catalog, experiment, faults);
  faults.throw_if_any();
  const ResolvedArm& arm = experiment.arms[index];
  const Objective& own = prepared.objectives[index];
  const std::int64_t context = params_of(model_section(catalog), arm.model).integer("context");
  const Texts texts = request.tokens ? from_tokens(*request.tokens, prepared.vocabulary)
                      : request.text ? from_text(*request.text, prepared.corpus, context)
                                     : from_corpus(prepared.corpus, context, request.count,
                                                   by_document(own.needs, arm.train));

  const ObjectiveSpec& spec = catalog.objective(arm.objective["type"].get<std::string>());
  const Params params = params_of(objective_section(catalog), arm.objective);
  std::map<std::int64_t, Objective> rebuilt = {{context, own}};
  Preview made{.arm = arm.name, .alignment = own.needs.alignment, .corpus = prepared.corpus};
  for (std::int64_t i = 0; i < request.count; ++i) {
    Text text = texts.texts[static_cast<std::size_t>(i) % texts.texts.size()];
    text.index = i;
    const std::int64_t length = std::ssize(text.tokens);
    auto objective = rebuilt.find(length);
    if (objective == rebuilt.end())
      objective = rebuilt.emplace(length, spec.build(params, {prepared.vocabulary, length})).first;
    const Rng rng(static_cast<std::uint64_t>(experiment.seeds.front()), Stream::corruption, 0,
                  static_cast<std::uint64_t>(i));
    for (Example& example : objective->second.transform(text, rng.fork(std::uint64_t{0}))) {
      settle(example, own.needs);
      made.realised.add(text, example);
      made.examples.push_back({{text.tokens.begin(), text.tokens.end()}, std::move(example)});
    }
  }
  return made;
}

Json to_json(const Preview& preview) {
  Json examples = Json::array();
  for (const auto& [text, example] : preview.examples) {
    std::vector<std::int32_t> hidden;
    for (const Hidden& each : example.hidden) hidden.push_back(each.position);
    std::sort(hidden.begin(), hidden.end());
    examples.push_back({{"text", text},
                        {"inputs", example.inputs},
                        {"targets", example.targets},
                        {"weights", example.weights},
                        {"hidden", std::move(hidden)}});
    if (!example.positions.empty()) examples.back()["positions"] = example.positions;
  }
  return {{"arm", preview.arm},
          {"examples", std::move(examples)},
          {"realised", preview.realised.json()}};
}

}  // namespace ablate
