#include "experiments/commands/help.h"

#include <fmt/core.h>

#include <string_view>

namespace ablate::commands {
namespace {

constexpr const char* kExamples = R"(
Examples:
  ablate plan   experiments/masking_rate.json
  ablate run    experiments/masking_rate.json --results results/masking_rate
  ablate report results/masking_rate --out report/
)";

constexpr const char* kSetting = R"(
--set takes a dotted path and a value, which is JSON or a bare word. A probe is named by its type.
File names are relative to the current folder. Examples:
  --set train.budget.tokens=300000 --set seeds=3 --set probes.generation.samples=20
  --set corpus.paths='["train.txt"]' --set corpus.held_out.paths='["test.txt"]'
)";

constexpr const char* kArm = R"(--arm NAME:path=value,path=value adds an arm with these settings.
)";

constexpr const char* kExitStatus = R"(
Exit status: 0 ok, 1 the machine failed or work is left unfinished, 2 a flag or an experiment file
was refused, 3 finished but some trials failed or diverged, 4 a gate found a regression, 5 a gate
could not tell, 6 a store or checkpoint is damaged or the disk is full, 75 stopped with a checkpoint (run the same command again), 130 interrupted.)";

/// What a command's --help prints below its flags.
struct Help {
  const char* command;
  const char* examples;
  bool sets = false;  // takes --set
  bool adds = false;  // --arm may add an arm
};

constexpr Help kHelp[] = {
    {"init", R"(
Examples:
  ablate init mine
  ablate init my_masking --like masking_rate
)"},
    {"plan", R"(
Examples:
  ablate plan experiments/masking_rate.json
  ablate plan experiments/masking_rate.json --only 'arm=mlm*,seed=1..3' --json
  ablate plan experiments/masking_rate.json --drop clm --arm mlm40:objective.type=masked_lm,objective.rate=0.4
  ablate plan experiments/masking_rate.json --jobs sh --results /shared/masking_rate | parallel --retries 3
)",
     true, true},
    {"run", R"(
Examples:
  ablate run experiments/masking_rate.json --results results/masking_rate
  ablate run experiments/masking_rate.json --results results/first --only 'arm=mlm*,seed=1..3'
  ablate run experiments/masking_rate.json --results results/first --set seeds=12 --add
  ablate run experiments/quickstart.json --results results/q --until-decided --cap 24
  ablate run experiments/quickstart.json --results results/gpu --device cuda:0
  ablate run experiments/masking_rate.json --results /shared/masking_rate --shard 3/16
  ablate run experiments/masking_rate.json --results /shared/masking_rate --launcher slurm --set launcher.slurm.partition=cpu
)",
     true, true},
    {"noise", R"(
Examples:
  ablate noise experiments/quickstart.json --results results/noise
  ablate noise experiments/quickstart.json --results results/noise --all-arms --seeds 8
  ablate plan  experiments/quickstart.json --noise results/noise
)",
     true},
    {"status", R"(
Example:
  ablate status results/masking_rate
)"},
    {"show", R"(
Examples:
  ablate show results/masking_rate 'mlm[rate=0.3],2'
  ablate show results/masking_rate 3fa9 --json
)"},
    {"report", R"(
Examples:
  ablate report results/masking_rate
  ablate report results/masking_rate --out report/ --format tex,csv
)"},
    {"claims", R"(
Examples:
  ablate claims results/masking_rate
  ablate claims results/masking_rate results/fim_rate --out claims.md
  ablate claims results/mine --claims mine.json --json
)"},
    {"diff", R"(
Examples:
  ablate diff results/before results/after
  ablate diff results/here results/there --json
It ends with 0 if nothing differs, 1 if something does, 2 if they could not be compared.
)"},
    {"export", R"(
Examples:
  ablate export results/masking_rate --to csv --out tables
  ablate export results/masking_rate results/fim_rate --to mlflow --out tracked
  ablate export results/masking_rate --to tensorboard --out events
  ablate export language experiments/quickstart.json --out language
)"},
    {"try", R"(
Examples:
  ablate try results/quickstart
  ablate try results/quickstart --document 7 --tokens 3
  ablate try results/pages --prompt 'The masked arm ___ the causal arm.' --arm 'mlm[rate=0.15]'
)"},
    {"preview", R"(
Examples:
  ablate preview experiments/masking_rate.json --arm 'mlm[rate=0.3]' --count 2
  ablate preview lecture/objectives --html objectives.html
  ablate preview experiments/masking_rate.json --arm clm --text story.txt --json
  ablate preview experiments/masking_rate.json --arm mine:objective.type=masked_lm,objective.rate=0.4
)",
     true, true},
    {"describe", R"(
Examples:
  ablate describe
  ablate describe masked_lm
  ablate describe BERT
  ablate describe train.batch
  ablate describe metrics
)"},
    {"schema", R"(
Example:
  ablate schema > experiment.schema.json
)"},
    {"completion", R"(
Examples:
  source <(ablate completion bash)                               # in ~/.bashrc
  ablate completion fish > ~/.config/fish/completions/ablate.fish
)"},
    {"manual", R"(
Examples:
  ablate manual ~/.local/share && man ablate-run
)"},
    {"collect", R"(
Example:
  ablate collect results/all results/machine_a results/machine_b
)"},
    {"doctor", R"(
Examples:
  ablate doctor results/masking_rate
  ablate doctor results/masking_rate --rebuild
)"},
    {"bench", R"(
Examples:
  ablate bench --filter '^step/S/.*fused' --repetitions 15 --out bench.jsonl
)"},
    {"nightly", R"(
Examples:
  ablate gate pin main --reason 'release 0.1'        # once: keeps these programs as the baseline
  ablate nightly experiments/suites/nightly.json     # every night, with that night's programs
)"},
    {"gate", R"(
Examples:
  ablate gate pin main --reason 'faster products, as wanted'
  ablate gate judge nightly/nights/2026-11-23-1a2b3c4 --json
  ablate gate calibrate experiments/suites/nightly.json
  ablate gate history
  ablate gate selftest
)"},
    {"export language", R"(
Example:
  ablate export language experiments/quickstart.json --out language
)"},
    {"gate judge", R"(
Examples:
  ablate gate judge
  ablate gate judge nightly/nights/2026-11-23-1a2b3c4 --inconclusive pass
)"},
    {"gate pin", R"(
Example:
  ablate gate pin main --reason 'faster products, as wanted'
)"},
    {"gate history", R"(
Example:
  ablate gate history --method e_divisive
)"},
    {"gate calibrate", R"(
Examples:
  ablate gate calibrate experiments/suites/nightly.json
  ablate gate calibrate experiments/suites/nightly.json --noise results/noise
)"},
    {"gate export", R"(
Example:
  ablate gate export --csv times.csv
)"},
    {"gate import", R"(
Example:
  ablate gate import --csv times.csv
)"},
    {"gate selftest", R"(
Example:
  ablate gate selftest --nights 300
)"},
};

/// The command of this name, or of a name and that of a command below it.
CLI::App* command_named(CLI::App& app, std::string_view name) {
  const std::size_t space = name.find(' ');
  CLI::App* const first = app.get_subcommand(std::string(name.substr(0, space)));
  return space == name.npos ? first : first->get_subcommand(std::string(name.substr(space + 1)));
}

}  // namespace

void add_help(CLI::App& app) {
  app.footer(fmt::format("{}{}", kExamples, kExitStatus));
  for (const Help& help : kHelp)
    command_named(app, help.command)
        ->footer(fmt::format("{}{}{}{}", help.examples, help.sets ? kSetting : "",
                             help.adds ? kArm : "", kExitStatus));
}

std::string example(const CLI::App& app) {
  std::string name;
  for (auto below = app.get_subcommands(); !below.empty(); below = below[0]->get_subcommands())
    name += (name.empty() ? "" : " ") + below[0]->get_name();
  for (const Help& help : kHelp) {
    if (help.command != name) continue;
    const std::string_view text = help.examples;
    const std::size_t first = text.find("ablate ");
    return fmt::format("\nFor example: {}", text.substr(first, text.find('\n', first) - first));
  }
  return "";
}

}  // namespace ablate::commands
