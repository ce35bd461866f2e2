#include "harness/probes/seq2seq/pair_files_spec.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/data/batches/documents.h"
#include "harness/data/text/text_clean.h"
#include "harness/probes/file_notes_spec.h"
#include "harness/probes/json_lines_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kPairsKept = 10;  // for each one that a trial draws

std::vector<std::string> outputs_of(const Json& record, const std::string& field,
                                    const std::string& where) {
  const auto found = record.find(field);
  if (found == record.end() || !found->is_array()) return {text_at(record, field, where)};
  std::vector<std::string> outputs;
  for (const Json& output : *found) {
    if (!output.is_string()) fail("{}: an entry of '{}' is not a string", where, field);
    data::Treatment treatment;
    outputs.push_back(data::cleaned(output.get_ref<const std::string&>(), treatment));
  }
  if (outputs.empty()) fail("{}: '{}' is an empty list; give at least one output", where, field);
  return outputs;
}

/// Appends at most `maximum` pairs as documents, in an order that is the same for all experiments.
void append(const std::vector<PairLine>& lines, std::int64_t maximum,
            const data::Tokenizer& tokenizer, data::CorpusContent::PartContent& part) {
  const auto add = [&](const std::string& text) {
    tokenizer.encode(text, part.tokens);
    part.bytes += static_cast<std::int64_t>(text.size());
  };
  for (const std::size_t i :
       random_order(lines.size(), Rng(0, Stream::probes).fork("pair_files"))) {
    if (part.documents == maximum) break;
    part.tokens.push_back(begin_token);
    add(lines[i].input);
    for (const std::string& output : lines[i].outputs) {
      part.tokens.push_back(separator_token);
      add(output);
    }
    part.tokens.push_back(end_token);
    ++part.documents;
  }
}

std::vector<std::string> inputs_of(const std::vector<PairLine>& lines) {
  std::vector<std::string> inputs;
  inputs.reserve(lines.size());
  for (const PairLine& line : lines) inputs.push_back(line.input);
  return inputs;
}

/// Tells the plan what the files hold, and what of it is probably not meant. How many pairs a trial
/// takes depends on its context, too: longer ones are left out.
void note_pairs(const std::vector<PairLine>& train, const std::vector<PairLine>& test,
                const Params& settings, const Preparation& preparation) {
  preparation.note(fmt::format("train: {} pairs; test: {} pairs", train.size(), test.size()));
  const auto asked = [&](const char* name) { return settings.integer(name); };
  warn_of_few(preparation, "training and development pairs", std::ssize(train),
              asked("training_pairs") + asked("development_pairs"));
  warn_of_few(preparation, "test pairs", std::ssize(test), asked("test_pairs"));
  warn_of_copies(preparation, "inputs", inputs_of(train), inputs_of(test));
}

}  // namespace

std::vector<PairLine> read_pair_lines(const std::filesystem::path& file,
                                      const std::string& input_field,
                                      const std::string& output_field) {
  std::vector<PairLine> lines;
  read_json_lines(file, [&](const Json& record, const std::string& where) {
    lines.push_back({text_at(record, input_field, where), outputs_of(record, output_field, where)});
    if (data::is_blank(lines.back().input)) fail("{}: '{}' is blank", where, input_field);
    for (const std::string& output : lines.back().outputs)
      if (data::is_blank(output)) fail("{}: '{}' has a blank output", where, output_field);
  });
  if (lines.empty()) fail("{}: contains no pairs", file.string());
  return lines;
}

std::vector<Param> pair_params() {
  constexpr double kMaxPairs = 1e6;
  return {integer("training_pairs", 500, 1, kMaxPairs,
                  "pairs to fine-tune the model on; the trial's seed draws them"),
          integer("development_pairs", 100, 1, kMaxPairs, "pairs used to choose the learning rate"),
          integer("test_pairs", 200, 1, kMaxPairs, "pairs that the results are measured on"),
          optional(text(
              "train", nullptr,
              "JSON Lines file of training and development pairs, an input and an output on each "
              "line; relative to the file that gives it, or by --set to the current folder")),
          optional(text("test", nullptr, "JSON Lines file of test pairs")),
          text("input_field", "input", "key of a line's input"),
          text("output_field", "output",
               "key of a line's output: a string, or a list of accepted ones, of which the first "
               "is learned")};
}

std::vector<std::int64_t> pair_shots(const Params& params) {
  auto shots = params.list("shots").get<std::vector<std::int64_t>>();
  std::sort(shots.begin(), shots.end());
  shots.erase(std::unique(shots.begin(), shots.end()), shots.end());
  return shots;
}

std::string after_shots(std::int64_t shots) {
  return shots > 0 ? "_" + std::to_string(shots) : std::string();
}

data::CorpusContent pair_content(const std::vector<PairLine>& train,
                                 const std::vector<PairLine>& test, const Params& params,
                                 const data::Tokenizer& tokenizer) {
  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  content.about = {{"kind", "pairs"}};
  append(train,
         kPairsKept * (params.integer("training_pairs") + params.integer("development_pairs")),
         tokenizer, content.training);
  append(test, kPairsKept * params.integer("test_pairs"), tokenizer, content.held_out);
  return content;
}

Json prepare_pairs(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  if (!settings.has("train") || !settings.has("test")) return prepared;
  const auto lines = [&](const char* which) {
    return read_pair_lines(preparation.folder_of(which) / settings.text(which),
                           settings.text("input_field"), settings.text("output_field"));
  };
  const std::shared_ptr<const data::Tokenizer> tokenizer = preparation.tokenizer();
  const auto encoded = [&](const char* text) {
    std::vector<Token> ids;
    tokenizer->encode(settings.text(text), ids);
    return ids;
  };
  const std::vector<PairLine> train = lines("train"), test = lines("test");
  note_pairs(train, test, settings, preparation);
  const data::CorpusContent content = pair_content(train, test, settings, *tokenizer);
  prepared["prompt"] = {{"before", encoded("before_output")}, {"after", encoded("after_output")}};
  prepared["pairs"] = data::write_corpus(preparation.cache, content).stem().string();
  prepared.erase("train");  // the location of the files does not affect the measurement
  prepared.erase("test");
  return prepared;
}

}  // namespace ablate::probes
