#include "harness/nightly/measure/suite.h"

#include <regex>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/contract/params.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/file/sections.h"

namespace ablate::nightly {
namespace {

constexpr double kMost = 1000;  // experiments, margins and so on

bool is_date(const std::string& text) {
  static const std::regex shape("[0-9]{4}-[01][0-9]-[0-3][0-9]");
  return std::regex_match(text, shape);
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : folder_(std::filesystem::absolute(file).parent_path()),
        source_(file.string(), read_file(file, JsonSource::kMaxBytes)) {}

  Suite read() {
    for (const SourceFault& fault : source_.faults())
      faults_.add({&source_, fault.where, "", 0}, fault.message, fault.hint);
    faults_.throw_if_any();
    const Json& given = source_.value();
    if (!given.is_object()) faults_.add({&source_, {}, "", 0}, "a suite must be one JSON object");
    faults_.throw_if_any();
    std::vector<Refusal> refusals;
    const Json values = resolve(suite_params(), given, refusals);
    for (const Refusal& refusal : refusals) {
      const auto where =
          refusal.about_key ? source_.key_at(refusal.pointer) : source_.value_at(refusal.pointer);
      add(where.value_or(Stretch{}), refusal.message);
    }
    faults_.throw_if_any();
    Suite suite;
    for (std::size_t i = 0; i < values.at("experiments").size(); ++i)
      read_experiment(values.at("experiments")[i], "/experiments/" + std::to_string(i), suite);
    const Json& benchmarks = values.at("benchmarks");
    suite.filter = benchmarks.at("filter");
    suite.repetitions = benchmarks.at("repetitions");
    suite.seconds = benchmarks.at("seconds");
    for (std::size_t i = 0; i < values.at("quarantine").size(); ++i) {
      const Json& each = values.at("quarantine")[i];
      suite.quarantine.push_back(
          {each.at("series"), each.at("owner"), each.at("reason"), each.at("until")});
      if (!is_date(suite.quarantine.back().until))
        refuse("/quarantine/" + std::to_string(i) + "/until", "not a day; write it as 2026-12-31");
    }
    faults_.throw_if_any();
    return suite;
  }

 private:
  void add(Stretch where, const std::string& text) {
    const plan::SplitMessage split = plan::split_message(text);
    faults_.add({&source_, where, "", 0}, split.message, split.hint);
  }

  void refuse(const std::string& pointer, const std::string& text) {
    add(source_.value_at(pointer).value_or(Stretch{}), text);
  }

  void read_experiment(const Json& given, const std::string& pointer, Suite& suite) {
    SuiteExperiment& made = suite.experiments.emplace_back();
    made.file = folder_ / given.at("file").get<std::string>();
    made.name = given.at("name");
    if (made.name.empty()) made.name = made.file.stem().string();
    if (!plan::is_name(made.name))
      refuse(pointer + "/name", "not a name; write small letters, digits, '.', '_' and '-'");
    if (!std::filesystem::is_regular_file(made.file))
      refuse(pointer + "/file", "there is no such file; paths are relative to this one");
    for (std::size_t i = 0; i + 1 < suite.experiments.size(); ++i)
      if (suite.experiments[i].name == made.name)
        refuse(pointer + "/file", "this name is taken; give a \"name\" of its own");
    for (const Json& setting : given.at("set"))
      made.flags.insert(made.flags.end(), {"--set", setting.get<std::string>()});
    for (const Json& each : given.at("margins")) {
      std::optional<double>& margin = made.margins[each.at("metric")];
      if (each.contains("margin")) margin = each.at("margin");
    }
  }

  std::filesystem::path folder_;
  JsonSource source_;
  plan::Faults faults_;
};

}  // namespace

std::span<const Param> suite_params() {
  static const std::vector<Param> rows = {
      text("$schema", "", "for editors"),
      list("experiments", Json::array(),
           {text("file", nullptr, "the experiment file, relative to this one"),
            text("name", "", "of its series; by default the file's name"),
            list("set", Json::array(), {text("", nullptr, "path=value")}, kMost,
                 "settings that differ from the file's, as those of --set"),
            list("margins", Json::array(),
                 {text("metric", nullptr, "its name"),
                  optional(number("margin", nullptr, 1e-9, 1e9,
                                  "the smallest worsening that matters, in the metric's unit; "
                                  "without one: the smallest that the seeds can hold, which "
                                  "`ablate gate calibrate` finds"))},
                 kMost, "the metrics that are judged where bits differ")},
           kMost, "experiments to train and measure"),
      section("benchmarks",
              {text("filter", "", "regular expression of their names; empty: none is run"),
               integer("repetitions", 15, 9, 100, "of each, by tonight's and the kept program"),
               number("seconds", 0.1, 0.01, 60, "that a repetition takes at least")},
              "benchmarks to time"),
      list("quarantine", Json::array(),
           {text("series", nullptr, "its full name"), text("owner", nullptr, "who looks into it"),
            text("reason", nullptr, "why it may fail for now"),
            text("until", nullptr, "the last day, as 2026-12-31")},
           kMost, "series whose regressions do not count for a while"),
  };
  return rows;
}

Suite read_suite(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file))
    reject("{}: there is no such file; give a suite, as experiments/suites/nightly.json",
           file.string());
  return Reader(file).read();
}

}  // namespace ablate::nightly
