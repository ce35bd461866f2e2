// A nightly folder with a small suite, and programs that are worse, crash or change.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate::testing_support {

/// An experiment that takes a second.
inline std::string night_experiment() {
  return tiny_experiment(R"({
    "question": "Does a night notice what has changed?",
    "corpus": {"tokens": 20000, "held_out_tokens": 4096},
    "train": {"budget": {"steps": 20}, "batch": 8, "learning_rate": 0.01},
    "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}}],
    "probes": [{"type": "held_out", "texts": 50}]
  })");
}

class NightHome {
 public:
  NightHome() {
    place.write("tiny.json", night_experiment());
    write_suite(R"({"experiments": [{"file": "tiny.json",
                    "margins": [{"metric": "held_out.loss", "margin": 0.1}]}]})");
  }

  void write_suite(const std::string& text) { suite = place.write("suite.json", text); }

  /// A night by the programs in a folder; by default those that were built.
  Finished night(const std::filesystem::path& programs = programs_folder(),
                 const Interruption& interruption = {}) const {
    return place.ablate_in(programs, {"nightly", suite.string(), "--home", home.string(), "--json"},
                           interruption);
  }

  void pin(const std::filesystem::path& programs = programs_folder()) const {
    const Finished pinned = place.ablate_in(
        programs, {"gate", "pin", "main", "--reason", "a test", "--home", home.string()});
    ASSERT_EQ(pinned.exit_code, exit_ok) << pinned.errors;
  }

  /// A folder with copies of the programs, of which `program` is a shell script around the real one;
  /// `script` makes its text of the real one's path.
  std::filesystem::path programs(
      const std::string& name, const std::string& program,
      const std::function<std::string(const std::string& real)>& script) const {
    const std::filesystem::path folder = place.folder() / name;
    std::filesystem::create_directories(folder);
    for (const char* const each : {"ablate", "ablate-worker", "ablate_bench"})
      std::filesystem::copy_file(programs_folder() / each,
                                 folder / (program == each ? program + ".real" : each));
    place.write(name + '/' + program,
                "#!/bin/sh\n" + script((folder / (program + ".real")).string()));
    std::filesystem::permissions(folder / program, std::filesystem::perms::owner_all);
    return folder;
  }

  /// Programs whose worker has a fault in its schedule, of which no setting and no count tells: see
  /// tests/nights/worse.cpp.
  std::filesystem::path worse_programs() const {
    return programs("worse", "ablate-worker", [](const std::string& real) {
      return "LD_PRELOAD=" + (programs_folder() / "libablate_worse.so").string() + " exec " + real +
             " \"$@\"\n";
    });
  }

  /// The folders of all nights.
  std::vector<std::filesystem::path> nights() const {
    std::vector<std::filesystem::path> folders;
    if (std::filesystem::is_directory(home / "nights"))
      for (const auto& entry : std::filesystem::directory_iterator(home / "nights"))
        folders.push_back(entry.path());
    return folders;
  }

  /// The programs of the latest pin.
  std::filesystem::path kept() const {
    for (const auto& entry : std::filesystem::directory_iterator(home / "baselines/main"))
      if (entry.is_directory()) return entry.path() / "programs";
    return {};
  }

  const Workplace place;
  const std::filesystem::path home = place.folder() / "home";
  std::filesystem::path suite;
};

/// The verdict on a series of a night that was printed as JSON; empty where it has none.
inline std::string verdict_on(const Finished& night, const std::string& series) {
  const Json verdict = Json::parse(night.output, nullptr, false);
  if (!verdict.is_object()) return {};
  for (const Json& finding : verdict.at("findings"))
    if (finding.at("series") == series) return finding.at("verdict");
  return {};
}

}  // namespace ablate::testing_support
