#include "harness/nightly/programs/suite.h"

#include <fmt/core.h>

#include <regex>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/contract/params.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/file/shipped.h"

namespace ablate::nightly {
namespace {

constexpr double kMost = 1000;  // experiments, margins and so on

bool is_date(const std::string& text) {
  static const std::regex shape("[0-9]{4}-[01][0-9]-[0-3][0-9]");
  return std::regex_match(text, shape);
}

/// False, too, where the name cannot be one.
bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// The file that a name stands for: a shipped one, or one relative to a folder.
std::filesystem::path named_file(const std::string& name, const std::filesystem::path& folder) {
  if (!name.starts_with(plan::kShippedPrefix)) return folder / name;
  return plan::shipped_experiments() / name.substr(plan::kShippedPrefix.size());
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : folder_(std::filesystem::absolute(file).parent_path()),
        shared_(
            std::make_shared<JsonSource>(file.string(), read_file(file, JsonSource::kMaxBytes))),
        source_(*shared_) {}

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
    suite.filter_place = place_of("/benchmarks/filter");
    read_quarantine(values.at("quarantine"), suite);
    read_retired(values.at("retired"), suite);
    if (suite.experiments.empty() && suite.filter.empty())
      refuse("", "this suite asks for nothing; name experiments, or a filter of benchmarks");
    faults_.throw_if_any();
    suite.source = shared_;
    return suite;
  }

 private:
  void add(Stretch where, const std::string& text) {
    const plan::SplitMessage split = plan::split_message(text);
    faults_.add({&source_, where, "", 0}, split.message, split.hint);
  }

  Stretch place_of(const std::string& pointer) const {
    return source_.value_at(pointer).value_or(Stretch{});
  }

  void refuse(const std::string& pointer, const std::string& text) { add(place_of(pointer), text); }

  void read_quarantine(const Json& given, Suite& suite) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Json& each = given[i];
      const std::string pointer = "/quarantine/" + std::to_string(i);
      suite.quarantine.push_back({each.at("series"), each.at("owner"), each.at("reason"),
                                  each.at("until"), place_of(pointer + "/series")});
      if (!is_date(suite.quarantine.back().until))
        refuse(pointer + "/until", "not a day; write it as 2026-12-31");
    }
  }

  void read_retired(const Json& given, Suite& suite) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::string pointer = "/retired/" + std::to_string(i);
      suite.retired.push_back(
          {given[i].at("series"), given[i].at("reason"), place_of(pointer + "/series")});
      if (suite.retired.back().reason.empty())
        refuse(pointer + "/reason", "is empty; say why it was removed");
    }
  }

  void read_experiment(const Json& given, const std::string& pointer, Suite& suite) {
    SuiteExperiment& made = suite.experiments.emplace_back();
    made.file = named_file(given.at("file"), folder_);
    made.place = place_of(pointer + "/file");
    made.name = given.at("name");
    if (made.name.empty()) made.name = made.file.stem().string();
    if (!plan::is_name(made.name))
      refuse(pointer + "/name", "not a name; write small letters, digits, '.', '_' and '-'");
    if (!is_file(made.file))
      refuse(pointer + "/file",
             "there is no such file; paths are relative to this one, or \"ablate:\" and a shipped "
             "file's");
    for (std::size_t i = 0; i + 1 < suite.experiments.size(); ++i)
      if (suite.experiments[i].name == made.name)
        refuse(pointer + "/file", "this name is taken; give a \"name\" of its own");
    for (const Json& setting : given.at("set"))
      made.flags.insert(made.flags.end(), {"--set", setting.get<std::string>()});
    for (std::size_t i = 0; i < given.at("margins").size(); ++i) {
      const Json& each = given.at("margins")[i];
      const std::string metric = each.at("metric");
      const std::string at = fmt::format("{}/margins/{}/metric", pointer, i);
      if (made.margins.contains(metric)) refuse(at, "this metric has a margin already");
      made.margins[metric] =
          each.contains("margin") ? std::optional<double>(each.at("margin")) : std::nullopt;
      made.places[metric] = place_of(at);
    }
  }

  std::filesystem::path folder_;
  std::shared_ptr<const JsonSource> shared_;
  const JsonSource& source_;
  plan::Faults faults_;
};

}  // namespace

std::span<const Param> suite_params() {
  static const std::vector<Param> rows = {
      text("$schema", "", "for editors"),
      list("experiments", Json::array(),
           {text("file", nullptr,
                 "the experiment file, relative to this one; \"ablate:quickstart.json\": a shipped "
                 "one"),
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
      section(
          "benchmarks",
          {text("filter", "",
                "regular expression that selects benchmarks by name; empty: none is run"),
           integer("repetitions", 15, 9, 100,
                   "repetitions of each benchmark, with tonight's program and with the baseline's"),
           number("seconds", 0.1, 0.01, 60, "minimum length of a repetition, in seconds")},
          "benchmarks to time"),
      list("quarantine", Json::array(),
           {text("series", nullptr, "its full name"), text("owner", nullptr, "who looks into it"),
            text("reason", nullptr, "why it may fail for now"),
            text("until", nullptr, "the last day, as 2026-12-31")},
           kMost, "series whose regressions do not count for a while"),
      list("retired", Json::array(),
           {text("series", nullptr, "its full name, or its beginning and an asterisk: \"tiny/*\""),
            text("reason", nullptr, "why it was removed")},
           kMost, "series that earlier nights had and that are not to be missed"),
  };
  return rows;
}

bool Retired::covers(const std::string& name) const {
  if (!series.ends_with('*')) return name == series;
  return name.starts_with(series.substr(0, series.size() - 1));
}

Json json_of(const Suite& suite) {
  Json experiments = Json::array(), quarantine = Json::array(), retired = Json::array();
  for (const SuiteExperiment& each : suite.experiments) {
    Json margins = Json::object();
    for (const auto& [metric, margin] : each.margins)
      margins[metric] = margin ? Json(*margin) : Json();
    experiments.push_back({{"name", each.name}, {"flags", each.flags}, {"margins", margins}});
  }
  for (const Quarantine& each : suite.quarantine)
    quarantine.push_back({each.series, each.owner, each.reason, each.until});
  for (const Retired& each : suite.retired) retired.push_back({each.series, each.reason});
  return {{"experiments", experiments},       {"filter", suite.filter},
          {"repetitions", suite.repetitions}, {"seconds", suite.seconds},
          {"quarantine", quarantine},         {"retired", retired}};
}

Suite read_suite(const std::filesystem::path& given) {
  const std::filesystem::path file = named_file(given.string(), "");
  if (!is_file(file))
    reject("{}: there is no such file; give a suite, as ablate:suites/nightly.json", file.string());
  return Reader(file).read();
}

}  // namespace ablate::nightly
