// The records of a night, as the program writes them.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"

namespace ablate::testing_support {

/// The text of bench.jsonl with these repetitions, in one round.
inline std::string round_of(const std::vector<Json>& repetitions) {
  LineChain chain;
  std::string text;
  for (const Json& repetition : repetitions) text += chain.next(repetition) + '\n';
  return text + chain.next({{"round", 1}}) + '\n';
}

/// The text of pins.jsonl with these pins.
inline std::string pins_text(const std::vector<Json>& pins) {
  LineChain chain;
  std::string text;
  for (const Json& pin : pins) text += chain.next(pin) + '\n';
  return text + chain.next({{"pins", pins.size()}}) + '\n';
}

/// A pin of programs that are not there.
inline Json pin_of(const std::string& name, const std::string& commit, const std::string& reason) {
  return {{"pin", name}, {"commit", commit}, {"reason", reason},
          {"who", "w"},  {"when", "t"},      {"programs", Json::object()}};
}

/// Writes gate.json into a night's folder. What it lacks of a verdict is empty.
inline void write_verdict(const std::filesystem::path& night, Json verdict) {
  for (const char* const key : {"counts", "findings"})
    if (!verdict.contains(key))
      verdict[key] = std::string(key) == "counts" ? Json::object() : Json::array();
  write_file(night / "gate.json", checksummed_text(verdict));
}

}  // namespace ablate::testing_support
