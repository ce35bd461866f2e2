// The repetitions of benchmarks, as they are judged.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ablate::nightly {

/// The repetitions of one benchmark by one program. Where all is well, there is one unit and one
/// machine.
struct Repetitions {
  std::vector<double> values;
  std::set<std::string> units, machines;
  std::string started = "", build = "";  // of the first of them; empty where the records do not say
};

/// Repetitions by series and then by the program's name.
using Times = std::map<std::string, std::map<std::string, Repetitions>>;

}  // namespace ablate::nightly
