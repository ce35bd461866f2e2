// `ablate try`: lets every trained arm fill the same blank, side by side.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/data/batches/packing.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/run/ask_worker.h"
#include "harness/run/progress/text.h"
#include "harness/run/worker/machine.h"
#include "harness/store/folder/folder.h"

namespace ablate::commands {
namespace {

constexpr std::string_view kBlank = "___";
constexpr double kShownText = 2.0 / 3;  // of the context, for the passage that is asked about

struct TryOptions {
  std::string results, prompt;
  std::vector<std::string> arms;
  std::int64_t document = 1, seed = 0;
  run::BlankQuestion question;
  bool prompted = false, json = false;
};

/// A question, and what stood in the blank where that is known.
struct Asked {
  run::BlankQuestion question;
  std::vector<Token> truth;
};

bool is_language(const data::Corpus& corpus) {
  return corpus.about().value("kind", "") == "language";
}

/// The ids of words such as "w12", which the built-in language has in place of letters.
std::vector<Token> ids_of_words(const data::Corpus& corpus, const std::string& words) {
  std::map<std::string, Token> known;
  for (Token token = special_count; token < special_count + corpus.ordinary(); ++token)
    known.emplace(corpus.spelled(token), token);
  std::vector<Token> ids;
  std::istringstream text(words);
  for (std::string word; text >> word;) {
    const auto found = known.find(word);
    if (found == known.end())
      reject("--prompt: '{}' is not a word of the built-in language; its words are {} to {}",
             run::printable(word), corpus.spelled(special_count),
             corpus.spelled(special_count + corpus.ordinary() - 1));
    ids.push_back(found->second);
  }
  return ids;
}

std::vector<Token> ids_of(const data::Corpus& corpus, const std::string& text) {
  if (is_language(corpus)) return ids_of_words(corpus, text);
  std::vector<Token> ids;
  data::tokenizer_of(corpus.about(), data::cache_folder())->encode(text, ids);
  return ids;
}

/// The prompt, with its blank or one at its end.
Asked asked_by_prompt(const data::Corpus& corpus, const TryOptions& options) {
  Asked asked{options.question, {}};
  const std::size_t at = options.prompt.find(kBlank);
  const std::string left = options.prompt.substr(0, at);
  const std::size_t after = options.prompt.find_first_not_of('_', std::min(at, left.size()));
  const std::string right =
      at == std::string::npos || after == std::string::npos ? "" : options.prompt.substr(after);
  if (right.find(kBlank) != std::string::npos)
    reject("--prompt: has two blanks; give one {}, or none to continue the text", kBlank);
  asked.question.left = ids_of(corpus, left);
  asked.question.right = ids_of(corpus, right);
  return asked;
}

/// A held-out document with a blank after its first third, of as many tokens as are asked for.
Asked asked_of_document(const data::Corpus& corpus, const TryOptions& options,
                        std::int64_t context) {
  Asked asked{options.question, {}};
  const std::span<const Token> tokens = corpus.held_out().tokens;
  std::int64_t number = 0;
  for (std::size_t first = 0; first < tokens.size();) {
    const std::size_t next = data::document_end(tokens, first);
    const std::size_t end = tokens[next - 1] == end_token ? next - 1 : next;
    if (++number == options.document) {
      const std::size_t room = static_cast<std::size_t>(static_cast<double>(context) * kShownText);
      const auto text = tokens.subspan(first + 1, std::min(end - first - 1, room));
      const auto blank = static_cast<std::size_t>(options.question.tokens);
      const std::size_t left = text.size() / 3;
      if (left + blank > text.size())
        reject(
            "--document {}: has {} tokens within two thirds of the context, too few for a blank of "
            "{}; give another one, or fewer --tokens",
            options.document, text.size(), blank);
      asked.question.left.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(left));
      const auto hidden = text.subspan(left, blank), right = text.subspan(left + blank);
      asked.truth.assign(hidden.begin(), hidden.end());
      asked.question.right.assign(right.begin(), right.end());
      return asked;
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
  if (trials.empty()) reject("--seed {}: no trial of these arms has it", options.seed);
  return trials;
}

/// Text of ids: as it reads where they are pieces of text, apart where they are words of the
/// language.
std::string text_of(const data::Corpus& corpus, const std::vector<Token>& ids) {
  if (!is_language(corpus))
    return run::printable(data::tokenizer_of(corpus.about(), data::cache_folder())->decode(ids));
  std::string text;
  for (const Token id : ids) text += (text.empty() ? "" : " ") + corpus.spelled(id);
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

void print_answer(const data::Corpus& corpus, const plan::Trial& trial, const Json& answer) {
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
  line("greedy", text_of(corpus, answer.at("greedy")));
  for (const Json& sample : answer.at("samples")) line("drawn", text_of(corpus, sample));
}

void print_question(const data::Corpus& corpus, const Asked& asked) {
  const char* const space = is_language(corpus) ? " " : "";
  std::cout << text_of(corpus, asked.question.left) << space << kBlank << space
            << text_of(corpus, asked.question.right) << '\n';
  if (!asked.truth.empty()) std::cout << "in the text: " << text_of(corpus, asked.truth) << '\n';
}

int answer(const TryOptions& options) {
  const plan::Plan plan = plan::plan_from_json(store::read_plan(options.results));
  const data::Corpus corpus = data::Corpus::open(plan.corpus);
  const std::vector<plan::Trial> trials = trials_of(plan, options);
  std::int64_t context = std::numeric_limits<std::int64_t>::max();
  for (const plan::Trial& trial : trials)
    context = std::min(context, integer_in(trial.config.at("model").at("context")));
  const Asked asked = !options.prompted ? asked_of_document(corpus, options, context)
                                        : asked_by_prompt(corpus, options);
  run::Job job{.results = std::filesystem::absolute(options.results),
               .corpus = plan.corpus,
               .trials = trials,
               .task = run::Task::answer,
               .question = asked.question};
  if (!options.json) print_question(corpus, asked);
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
    if (!options.json) print_answer(corpus, *trial, event);
  });
  if (all.size() < trials.size())
    fail("try: {} of {} arms gave no answer; ask for fewer --samples or --tokens",
         trials.size() - all.size(), trials.size());
  if (options.json)
    std::cout << ascii_text(
                     {{"question", asked.question}, {"truth", asked.truth}, {"answers", all}}, 1)
              << '\n';
  return exit_ok;
}

}  // namespace

void add_try(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("try", "Let every trained arm fill the same blank, side by side");
  const auto options = std::make_shared<TryOptions>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_option("--prompt", options->prompt,
                      "text with one blank, ___, or to be continued at its end; without it, a "
                      "passage of held-out text is asked about");
  command
      ->add_option("--document", options->document,
                   "number of the held-out document to ask about (default: 1)")
      ->check(CLI::Range(1, 1'000'000'000))
      ->excludes("--prompt");
  command->add_option("--arm", options->arms, "an arm to ask; may be repeated (default: all)");
  command
      ->add_option("--seed", options->seed, "seed of the trials to ask (default: each arm's first)")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--tokens", options->question.tokens,
                   "the most tokens that the blank takes (default: 8)")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--samples", options->question.samples,
                   "fillings drawn from each model, beside the most probable one (default: 2)")
      ->check(CLI::Range(0, 1000));
  command
      ->add_option("--temperature", options->question.temperature,
                   "temperature of the drawn fillings (default: 1)")
      ->check(CLI::Range(0.01, 100.0));
  command
      ->add_option("--top", options->question.top,
                   "how many of the most probable first tokens are shown (default: 5)")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([&program, command, options] {
    options->prompted = command->count("--prompt") > 0;
    program.exit_code = guarded([&] { return answer(*options); });
  });
}

}  // namespace ablate::commands
