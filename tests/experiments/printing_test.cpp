// What `ablate` prints of files that others may have written cannot control the terminal.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "harness/base/exit_code.h"
#include "harness/base/utf8.h"
#include "harness/nightly/series_csv.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::commands {
namespace {

using ablate::testing_support::Finished;
using ablate::testing_support::Workplace;

/// Sets the title of a window, hides what follows, and turns text around.
const std::string kHostile = "a\x1B]0;t\x07\x1B[8m\u009B8m\u202Eb\u2066c";

/// Whether a terminal shows every character of a text, line feeds aside.
bool is_shown(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || (text[0] != '\n' && controls_terminal(text.substr(0, length)))) return false;
    text.remove_prefix(length);
  }
  return true;
}

void expect_shown(const Finished& finished, const std::string& command) {
  EXPECT_TRUE(is_shown(finished.output)) << command << '\n' << finished.output;
  EXPECT_TRUE(is_shown(finished.errors)) << command << '\n' << finished.errors;
  EXPECT_FALSE(finished.output.empty() && finished.errors.empty()) << command;
}

/// A results folder in which every name and text is hostile.
std::filesystem::path hostile_results(const Workplace& place) {
  const std::filesystem::path results = place.folder() / "r";
  Json plan = store::testing_support::fake_plan({kHostile}, 1, kHostile);
  plan["question"] = kHostile;
  plan["metrics"] = {{kHostile,
                      {{{"name", "held_out." + kHostile},
                        {"unit", kHostile},
                        {"better", "lower"},
                        {"comparable_across", "all arms"},
                        {"meaning", kHostile}}}}};
  plan["trials"][0]["config"] = {{kHostile, {kHostile, 1}}};
  store::freeze_plan(results, plan, {{"experiment.json", "{}"}});
  store::Journal journal = store::testing_support::journal_of(results, "t0");
  journal.write("attempt", {{"trial", {{"id", "t0"}}}, {"provenance", {{kHostile, kHostile}}}});
  journal.write("ledger", {{kHostile, {kHostile}}});
  journal.write("measurement", {{"id", "m-t0"},
                                {"probe", kHostile},
                                {"metrics", {{"held_out." + kHostile, 2.0}}},
                                {"samples", {{{"text", kHostile}, {"about", {{"x", kHostile}}}}}}});
  journal.write("outcome", {{"outcome", "failed"}, {"message", kHostile}});
  return results;
}

TEST(Printing, KnowsWhatATerminalShows) {
  EXPECT_TRUE(is_shown("Zürich\n서울"));
  EXPECT_FALSE(is_shown(kHostile));
  EXPECT_FALSE(is_shown("\u202E"));
  EXPECT_FALSE(is_shown("\x9B"));
}

TEST(Printing, OfAResultsFolderCannotControlTheTerminal) {
  const Workplace place;
  const std::string results = hostile_results(place).string();
  const std::string out = (place.folder() / "out").string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"show", results, "t0"},
        {"show", results, "t0", "--json"},
        {"show", results, "absent"},
        {"status", results},
        {"status", results, "--json"},
        {"doctor", results},
        {"doctor", results, "--rebuild"},
        {"describe", "metrics", "--results", results},
        {"describe", "held_out." + kHostile, "--results", results},
        {"describe", "metrics", "--results", results, "--json"},
        {"diff", results, results},
        {"claims", results},
        {"export", results, "--out", out},
        {"try", results},
        {"collect", results, "--into", out + kHostile},
        {"report", results},
        {"report", results, "--json"}})
    expect_shown(place.ablate(command), command[0]);
}

/// The commands that a help page lists.
std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(help.find("Subcommands:\n")));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && line.starts_with("  ");)
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST(Printing, OfNoCommandRepeatsWhatControlsTheTerminal) {
  const Workplace place;
  const auto all = commands_in(place.ablate({"--help"}).output);
  EXPECT_GT(all.size(), 15u);
  for (const std::string& name : all) {
    expect_shown(place.ablate({name, kHostile, kHostile}), name);
    expect_shown(place.ablate({name, "--" + kHostile}), name);
  }
  for (const std::string& name : commands_in(place.ablate({"gate", "--help"}).output))
    expect_shown(place.ablate({"gate", name, "--home", kHostile, "--" + kHostile}), name);
}

TEST(Printing, OfAFolderOfNightsCannotControlTheTerminal) {
  const Workplace place;
  const std::string home = (place.folder() / "home").string();
  std::string table = "time,commit,series,value\n";
  for (int day = 10; day < 22; ++day)
    table += fmt::format("2026-11-{},c{},\"{}\",{}\n", day, day, kHostile,
                         (day < 16 ? 1 : 1.2) + day * 1e-4);
  nightly::import_csv(nightly::Home(home), table, "t.csv");
  const Finished history = place.ablate({"gate", "history", "--home", home});
  EXPECT_EQ(history.exit_code, exit_ok) << history.errors;
  EXPECT_NE(history.output.find(" between "), std::string::npos) << "names the series that stepped";
  expect_shown(history, "history");
  expect_shown(place.ablate({"gate", "export", "--home", home, "--csv", "-"}), "export");
  expect_shown(place.ablate({"gate", "judge", "--home", home}), "judge");
}

TEST(Printing, AsJsonKeepsEveryCharacter) {
  const Workplace place;
  const Finished shown = place.ablate({"show", hostile_results(place).string(), "t0", "--json"});
  ASSERT_EQ(shown.exit_code, exit_ok) << shown.errors;
  EXPECT_EQ(Json::parse(shown.output).at("message"), kHostile);
}

TEST(Printing, OfAnExperimentFileCannotControlTheTerminal) {
  const Workplace place;
  Json experiment = {
      {"name", "tiny"},
      {"question", kHostile},
      {"corpus",
       {{"kind", "language"},
        {"topics", 2},
        {"states", 6},
        {"vocabulary", 16},
        {"tokens", 4096},
        {"held_out_tokens", 4096}}},
      {"model", {{"depth", 1}, {"width", 8}, {"heads", 2}, {"context", 16}}},
      {"train", {{"budget", {{"steps", 10}}}, {"batch", 2}}},
      {"arms", {{{"name", "clm"}, {"set", {{"objective", {{"type", "causal_lm"}}}}}}}},
      {"seeds", 1}};
  const std::string good = place.write("good.json", experiment.dump()).string();
  experiment[kHostile] = kHostile;
  experiment["arms"][0]["name"] = kHostile;
  const std::string bad = place.write("bad.json", experiment.dump()).string();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"plan", good},
                                                  {"plan", good, "--json"},
                                                  {"plan", bad},
                                                  {"preview", good, "--arm", "clm"},
                                                  {"preview", good, "--arm", kHostile}}) {
    const Finished finished = place.ablate(command);
    EXPECT_TRUE(is_shown(finished.output)) << command[0] << '\n' << finished.output;
    EXPECT_TRUE(is_shown(finished.errors)) << command[0] << '\n' << finished.errors;
    EXPECT_EQ(finished.exit_code,
              command[1] == good && command.back() != kHostile ? exit_ok : exit_usage);
  }
}

}  // namespace
}  // namespace ablate::commands
