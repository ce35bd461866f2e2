// `ablate try`: lets every trained arm fill the same blanks, side by side.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/data/batches/packing.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/probes/prompts/asking_spec.h"
#include "harness/run/ask_worker.h"
#include "harness/run/progress/text.h"
#include "harness/run/worker/machine.h"
#include "harness/store/folder/folder.h"

namespace ablate::commands {
namespace {

struct TryOptions {
  std::string results, prompt;
  std::vector<std::string> arms;
  std::int64_t document = 1, seed = 0;
  std::optional<std::int64_t> position;  // of the blank in the document
  run::Prompt asked;
  bool prompted = false, json = false;
};

/// How to ask models in sentences, where they were trained on words that are numbers.
constexpr const char* kInSentences =
    "these models know only the words of an artificial language; to ask in English, train on text: "
    "`ablate run lecture/objectives`, or on texts of your own, in a file that `ablate init NAME` "
    "writes";

/// The prompt of the flags.
probes::Passage asked_by_prompt(const data::Corpus& corpus, const TryOptions& options) {
  try {
    const probes::Encode encode = probes::encoder_of(
        corpus, [&] { return data::tokenizer_of(corpus.about(), data::cache_folder()); });
    return {probes::parts_of(probes::as_asked(corpus, options.prompt), encode), {}};
  } catch (const std::invalid_argument& error) {
    reject("--prompt: {}{}", run::printable(error.what()),
           corpus.has_words() ? fmt::format("; {}", kInSentences) : "");
  }
}

/// The held-out document of the flags, with a blank.
probes::Passage asked_of_document(const data::Corpus& corpus, const TryOptions& options,
                                  std::int64_t context) {
  const std::span<const Token> tokens = corpus.held_out().tokens;
  std::int64_t number = 0;
  for (std::size_t first = 0; first < tokens.size();) {
    const std::size_t next = document_end(tokens, first);
    if (++number == options.document) {
      auto passage = probes::passage_of(tokens.subspan(first, next - first), options.asked.tokens,
                                        context, options.position);
      if (passage) return std::move(*passage);
      if (options.position)
        reject(
            "--position {}: document {} has no room there for a blank of {} tokens within two "
            "thirds of the context; choose a lower position, or fewer --tokens",
            *options.position, options.document, options.asked.tokens);
      reject(
          "--document {}: is too short for a blank of {} tokens within two thirds of the context; "
          "choose another document, or fewer --tokens",
          options.document, options.asked.tokens);
    }
    first = next;
  }
  reject("--document {}: the held-out part has {}", options.document, number);
}

[[noreturn]] void refuse_arm(const plan::Plan& plan, const std::string& name) {
  std::string names;
  for (const plan::Plan::Arm& arm : plan.arms)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", arm.name);
  reject("--arm {}: no arm has this name; the arms are {}", run::printable(name), names);
}

/// One trial of each arm: of the seed that was asked for, or the first.
std::vector<plan::Trial> trials_of(const plan::Plan& plan, const TryOptions& options) {
  std::vector<plan::Trial> trials;
  for (const std::string& name : options.arms)
    if (std::none_of(plan.arms.begin(), plan.arms.end(),
                     [&](const plan::Plan::Arm& arm) { return arm.name == name; }))
      refuse_arm(plan, name);
  for (const plan::Plan::Arm& arm : plan.arms) {
    const auto& wanted = options.arms;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), arm.name) == wanted.end())
      continue;
    const auto found = std::find_if(plan.trials.begin(), plan.trials.end(), [&](const auto& trial) {
      return trial.arm == arm.name && (options.seed == 0 || trial.seed == options.seed);
    });
    if (found != plan.trials.end()) trials.push_back(*found);
  }
  if (trials.empty()) reject("--seed {}: no trial of these arms has this seed", options.seed);
  return trials;
}

/// Text of ids: as it reads where they are pieces of text, apart where they are words of the
/// language.
using Spell = std::function<std::string(const std::vector<Token>& ids)>;

Spell speller_of(const data::Corpus& corpus) {
  if (corpus.has_words())
    return [&corpus](const std::vector<Token>& ids) { return corpus.spelled(ids); };
  const std::shared_ptr<const data::Tokenizer> tokenizer =
      data::tokenizer_of(corpus.about(), data::cache_folder());
  return
      [tokenizer](const std::vector<Token>& ids) { return run::printable(tokenizer->decode(ids)); };
}

/// What stands in each blank.
std::string fillings_text(const Spell& spelled, const Json& fillings) {
  std::string text;
  for (const Json& filling : fillings)
    text += (&filling == &fillings.front() ? "" : " | ") + spelled(filling);
  return text;
}

std::string top_text(const data::Corpus& corpus, const Json& top) {
  std::string text;
  for (const Json& pair : top) {
    const Token id = pair.at(0);
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : "   ",
                        id < 0 ? "(special)" : run::printable(corpus.spelled(id)),
                        pair.at(1).get<double>());
  }
  return text;
}

void print_answer(const data::Corpus& corpus, const Spell& spelled, const plan::Trial& trial,
                  const Json& answer) {
  std::cout << '\n' << run::printable(trial.arm) << ", seed " << trial.seed;
  if (answer.contains("note")) {
    std::cout << ": " << run::printable(answer.at("note").get<std::string>()) << '\n';
    return;
  }
  const auto line = [](const char* name, const std::string& text) {
    std::cout << fmt::format("  {:<9}{}\n", name, text);
  };
  std::cout << ", reads " << answer.at("format").get<std::string>() << '\n';
  line("first", top_text(corpus, answer.at("top")));
  if (answer.contains("exact")) line("exact", top_text(corpus, answer.at("exact")));
  line("greedy", fillings_text(spelled, answer.at("greedy")));
  for (const Json& sample : answer.at("samples")) line("drawn", fillings_text(spelled, sample));
}

void print_question(const data::Corpus& corpus, const Spell& spelled,
                    const probes::Passage& asked) {
  const char* const between = corpus.has_words() ? " " : "";
  std::string text = spelled(asked.parts.front());
  for (std::size_t i = 1; i < asked.parts.size(); ++i)
    text += fmt::format("{}{}{}{}", between, probes::kBlankMark, between, spelled(asked.parts[i]));
  std::cout << text << '\n';
  if (!asked.truth.empty()) std::cout << "in the text: " << spelled(asked.truth) << '\n';
}

int answer(const TryOptions& options) {
  const plan::Plan plan = plan::plan_from_json(store::read_plan(options.results));
  const data::Corpus corpus = data::Corpus::open(plan.corpus);
  const std::vector<plan::Trial> trials = trials_of(plan, options);
  std::int64_t context = std::numeric_limits<std::int64_t>::max();
  for (const plan::Trial& trial : trials)
    context = std::min(context, integer_in(trial.config.at("model").at("context")));
  const probes::Passage asked = !options.prompted ? asked_of_document(corpus, options, context)
                                                  : asked_by_prompt(corpus, options);
  run::Prompt prompt = options.asked;
  prompt.parts = asked.parts;
  run::Job job{.results = std::filesystem::absolute(options.results),
               .corpus = plan.corpus,
               .trials = trials,
               .task = run::Task::answer,
               .prompt = prompt};
  const Spell spelled = speller_of(corpus);
  if (!options.json) print_question(corpus, spelled, asked);
  if (!options.json && corpus.has_words()) std::cerr << "note: " << kInSentences << '\n';
  Json all = Json::array();
  const auto log =
      std::filesystem::temp_directory_path() / fmt::format("ablate_try_{}.log", ::getpid());
  run::ask_worker(job, run::find_worker(), log, "try", [&](const Json& event) {
    const auto trial = std::find_if(trials.begin(), trials.end(), [&](const plan::Trial& each) {
      return event.value("trial", Json()) == Json(each.id);
    });
    if (event.at("event") != "answer" || trial == trials.end()) return;
    all.push_back(event);
    all.back().update({{"arm", trial->arm}, {"seed", trial->seed}});
    if (!options.json) print_answer(corpus, spelled, *trial, event);
  });
  if (all.size() < trials.size())
    fail("try: {} of {} arms gave no answer; ask for fewer --samples or --tokens",
         trials.size() - all.size(), trials.size());
  if (options.json)
    std::cout << ascii_text({{"question", prompt}, {"truth", asked.truth}, {"answers", all}}, 1)
              << '\n';
  const bool damage = std::any_of(all.begin(), all.end(),
                                  [](const Json& event) { return event.value("damaged", false); });
  return damage ? exit_damaged : exit_ok;
}

}  // namespace

void add_try(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("try", "Let every trained arm fill the same blanks, side by side");
  const auto options = std::make_shared<TryOptions>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_option("--prompt", options->prompt,
                      "text with blanks (___), or text to continue; without it, a passage of "
                      "held-out text is used");
  command
      ->add_option("--document", options->document,
                   "number of the held-out document to use (default: 1)")
      ->check(CLI::Range(1, 1'000'000'000))
      ->excludes("--prompt");
  command
      ->add_option("--position", options->position,
                   "number of tokens before the blank (default: a third of the document)")
      ->check(CLI::Range(0, 1'000'000))
      ->excludes("--prompt");
  command->add_option("--arm", options->arms, "an arm to ask; may be repeated (default: all)");
  command
      ->add_option("--seed", options->seed, "seed of the trials to ask (default: each arm's first)")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--tokens", options->asked.tokens,
                   "maximum number of tokens per blank (default: 8)")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option(
          "--samples", options->asked.samples,
          "number of fillings sampled from each model, besides the most probable one (default: 2)")
      ->check(CLI::Range(0, 1000));
  command
      ->add_option("--temperature", options->asked.temperature,
                   "temperature of the sampled fillings (default: 1)")
      ->check(CLI::Range(0.01, 100.0));
  command
      ->add_option("--top", options->asked.top,
                   "how many of the most probable first tokens to show (default: 5)")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([&program, command, options] {
    options->prompted = command->count("--prompt") > 0;
    program.exit_code = guarded([&] { return answer(*options); });
  });
}

}  // namespace ablate::commands
