// What the probe seq2seq measures: how well a model writes the output that belongs to an input.

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "harness/probes/generation/drawing/scheme_spec.h"
#include "harness/probes/label_words.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"
#include "harness/probes/seq2seq/pair_files_spec.h"
#include "harness/probes/seq2seq/pairs.h"

namespace ablate::probes {
namespace {

constexpr auto kTold = "its format is told the number of tokens of the output";

/// Who writes the outputs that metrics are of.
struct Writer {
  std::string before;      // what names begin with
  std::string after = {};  // what they end with
  std::string labelled;    // what labels begin with
  std::string who;         // in descriptions
  bool tuned = false;      // and so is the untrained model, whose outputs are the floor
};

/// Metrics of the texts that are written, and of the loss.
void add_quality(std::vector<Metric>& list, const Writer& writer, bool language) {
  const auto add = [&](const std::string& name, std::string_view label, std::string_view unit,
                       Better better, std::string description) {
    Metric& metric = added(
        list, {writer.before + name + writer.after, fmt::format("{} {}", writer.labelled, label),
               unit, better, Comparable::all_arms, std::move(description)});
    if (writer.tuned)
      metric.read_against({only_if(language && name == "loss", Bound::ceiling("optimum")),
                           Bound::untrained("untrained_" + name)});
  };
  add("exact_match", "exact match", "fraction", Better::higher,
      fmt::format("fraction of test inputs whose output {} exactly, after SQuAD's normalisation; "
                  "the most probable token at a time",
                  writer.who));
  add("f1", "word F1", "fraction", Better::higher,
      "F1 of the words of the same outputs, after SQuAD's normalisation, the mean over inputs; of "
      "several accepted outputs the best counts");
  if (!language)
    add("chrf", "chrF", "points", Better::higher,
        "chrF (n = 6, beta = 2, as sacreBLEU's default) of the same outputs, 0 to 100");
  add("loss", "loss", "nats/token", Better::lower,
      "-log P(output | input) per token of the output, its end not counted; of several accepted "
      "outputs of the first");
}

/// The metrics of the texts that are written after prompts, by the number of demonstrations.
void add_prompted(std::vector<Metric>& list, const std::string& subject, const Params& params,
                  bool language) {
  const std::string labelled = as_words(subject_of(params, "prompted"));
  for (const std::int64_t shots : pair_shots(params)) {
    const std::size_t first = list.size();
    const std::string who =
        shots == 0 ? "the model writes without fine-tuning, in its own format,"
                   : fmt::format(
                         "the model writes without fine-tuning, in its own format, "
                         "after {} pairs of the training file, or as many of them as fit,",
                         shots);
    add_quality(list,
                {.before = subject + ".prompted_",
                 .after = after_shots(shots),
                 .labelled = fmt::format("{} {}-shot", labelled, shots),
                 .who = who},
                language);
    if (shots == 0) continue;  // their names have no number
    for (std::size_t i = first; i < list.size(); ++i) {
      // Descriptions have other numbers, too, such as those of chrF.
      MetricIndex& index = *list[i].indexed_by(shots).index;
      index.description = list[i].description;
      const std::string after = fmt::format("after {} pairs", shots);
      if (const std::size_t at = index.description.find(after); at != std::string::npos)
        index.description.replace(at, after.size(), "after N pairs");
    }
  }
}

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  if (!arm.objective.can_write()) return {};
  std::vector<Metric> list;
  const std::string subject = subject_of(params, "seq2seq");
  const std::string labelled = as_words(subject_of(params, "fine-tuned"));
  add_quality(list,
              {.before = subject + ".",
               .labelled = labelled,
               .who = "the fine-tuned model writes",
               .tuned = true},
              arm.language);
  if (predicts_in_place(arm.objective, arm.params))
    for (Metric& metric : list) metric.caveat = kTold;
  const auto add = [&](std::string_view name, std::string_view label, std::string_view unit,
                       std::string description) {
    list.push_back({fmt::format("{}.{}", subject, name), fmt::format("{} {}", labelled, label),
                    unit, Better::neither, Comparable::all_arms, std::move(description)});
  };
  add("untrained_exact_match", "exact match, untrained model", "fraction",
      "exact_match of the same training from the model's initial weights: what pre-training must "
      "beat");
  add("untrained_f1", "word F1, untrained model", "fraction",
      "f1 of the same training from the model's initial weights");
  if (!arm.language)
    add("untrained_chrf", "chrF, untrained model", "points",
        "chrf of the same training from the model's initial weights");
  add("untrained_loss", "loss, untrained model", "nats/token",
      "loss of the same training from the model's initial weights");
  if (arm.language)
    add("optimum", "loss, optimum", "nats/token",
        "loss of the exact predictor, which knows the task and the number of tokens: 0 if the "
        "input determines the output, as for copy and reverse, whose best exact_match is 1");
  add("seed_deviation", "exact match, SD over fine-tuning seeds", "fraction",
      "standard deviation of exact_match over fine-tuning seeds");
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  const std::size_t first = list.size();
  add_prompted(list, subject, params, arm.language);
  if (is_told_length(format))
    for (std::size_t i = first; i < list.size(); ++i) list[i].caveat = kTold;
  return list;
}

/// Arms that read pairs up to other lengths would be asked about other pairs.
std::string refusal_of_length(const Params& params, const ProbedArm& arm) {
  if (arm.context == 0) return {};
  const std::int64_t longest = params.integer("longest");
  if (longest > arm.fewest_context)
    return fmt::format("longest = {} does not fit into a context of {}; give at most as many",
                       longest, arm.fewest_context);
  const std::int64_t room = longest > 0 ? longest : arm.fewest_context;
  if (arm.language && 2 * params.integer("tokens") + kPairMarks > room)
    return fmt::format(
        "its pairs of {} tokens each and {} marks do not fit into {}; give tokens of at most {}",
        params.integer("tokens"), kPairMarks, room, (room - kPairMarks) / 2);
  if (!arm.language && longest == 0 && arm.context != arm.fewest_context)
    return fmt::format(
        "the arms differ in context, and would be asked about different pairs; give "
        "--set probes.{}.longest={}, which all of them can read",
        subject_of(params, "seq2seq"), arm.fewest_context);
  return {};
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  const bool train = params.has("train"), test = params.has("test");
  if (arm.language && (train || test))
    return "'train' and 'test' name files of pairs, but the built-in language has tasks of its "
           "own; "
           "give 'task', such as copy, and leave both out";
  if (!arm.language && params.has("task"))
    return "'task' is one of the built-in language; a text corpus needs files of pairs: give "
           "'train' "
           "and 'test', and leave 'task' out";
  if (!arm.language && !(train && test))
    return "it needs files of pairs; give 'train' and 'test', JSON Lines with an input and an "
           "output "
           "in each line, such as --set probes.seq2seq.train=FILE";
  if (params.list("shots").empty()) return "shots is empty; give at least one, such as [0, 4]";
  if (arm.language && pair_shots(params) != std::vector<std::int64_t>{0})
    return "the built-in language has no text to stand between demonstrations; leave 'shots' out";
  if (params.list("learning_rates").empty())
    return "learning_rates is empty; give at least one, such as [1e-3]";
  const std::string length = refusal_of_length(params, arm);
  return length.empty() ? name_refusal(params) : length;
}

/// Training at every rate and seed from the trained and the initial weights, and the outputs, which are
/// written token by token. What was trained reads whole rows for each; what is prompted fills a blank.
double tokens(const Params& params, const ProbedArm& arm) {
  if (!arm.objective.can_write()) return 0;
  const auto of = [&](const char* name) { return static_cast<double>(params.integer(name)); };
  const double pair =
      arm.language ? 2 * of("tokens") + kPairMarks : static_cast<double>(arm.context);
  const double runs = static_cast<double>(params.list("learning_rates").size()) * of("seeds");
  const double trained = runs * (of("epochs") * of("training_pairs") + of("development_pairs"));
  const auto prompts = static_cast<double>(params.list("shots").size());
  const double output = pair / 4;
  const double written = pair * output + prompts * reads_to_fill(arm, pair, output);
  return 2 * (pair * trained + of("test_pairs") * written);
}

/// The tokens of a document's input and its first output.
std::int64_t tokens_of_pair(std::span<const Token> document) {
  const auto is_separator = [](Token token) { return token == separator_token; };
  const auto first = std::find_if(document.begin(), document.end(), is_separator);
  if (first == document.end()) return std::ssize(document) - 2;  // without begin and end
  const auto second = std::find_if(first + 1, document.end() - 1, is_separator);
  return second - document.begin() - 2;  // without begin and the separator
}

/// Pairs that are left out.
Misfits misfits(const Json& prepared, const Params& params, const ProbedArm& arm,
                const std::filesystem::path& cache) {
  const auto corpus = prepared_corpus(prepared, "pairs", cache);
  if (!corpus) return {};
  const std::int64_t longest = params.integer("longest");
  const std::int64_t room = longest > 0 ? longest : arm.context;
  LeftOut pairs{"pairs"};
  for (const data::Part* part : {&corpus->training(), &corpus->held_out()})
    for (const auto document : prepared_documents(*part)) {
      pairs.count += tokens_of_pair(document) + kPairMarks > room ? 1 : 0;
      ++pairs.all;
    }
  return misfits_of(pairs, room);
}

}  // namespace

ProbeSpec seq2seq_spec() {
  std::vector<Param> params = {
      optional(choice("task", nullptr, {std::begin(kPairTasks), std::end(kPairTasks)},
                      "on the built-in language: the output for the start of a document. copy: its "
                      "tokens; reverse: its tokens, last one first; paraphrase: another text that "
                      "its hidden states emit; absent: copy")),
      integer("tokens", 12, 2, 1000,
              "tokens of the longest input on the built-in language; all lengths from half of it "
              "up are equally likely"),
      integer("longest", 0, 0, 1e6,
              "maximum tokens of a file's pair, or of a prompt with its demonstrations, including "
              "marks; longer pairs are left out; 0: the context")};
  for (Param& param : pair_params()) params.push_back(std::move(param));
  params.push_back(list("learning_rates", {1e-3, 3e-3, 1e-2},
                        {number("", nullptr, 0, 1, "the peak of a schedule")}, 20,
                        "learning rates to try; the one with the lowest loss on development pairs "
                        "is used, the smallest if several are"));
  params.push_back(integer("seeds", 1, 1, 100, "fine-tuning seeds, for the order of pairs"));
  params.push_back(integer("epochs", 10, 1, 1000, "passes over the training pairs"));
  params.push_back(integer("batch", 32, 1, 1000, "pairs per step"));
  params.push_back(list("shots", {0},
                        {integer("", nullptr, 0, 1000, "number of demonstrated pairs")}, 20,
                        "how many pairs of the training file to put into a prompt when the model "
                        "is asked without fine-tuning, such as [0, 4]"));
  params.push_back(
      text("before_output", "\noutput: ", "text between an input and its output in a prompt"));
  params.push_back(text("after_output", "\n\n", "text after a demonstrated output"));
  params.push_back(name_param());
  return {.name = "seq2seq",
          .summary =
              "writing the output that belongs to an input, fine-tuned and prompted: tasks of the "
              "language, or a file (translation, summaries, question answering)",
          .subject = "From input to output",
          .params = std::move(params),
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .prepare = prepare_pairs,
          .misfits = misfits,
          .version = 6};
}

}  // namespace ablate::probes
