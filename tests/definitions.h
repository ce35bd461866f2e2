// What a source of ours defines at the level of a namespace, read from its text.

#pragma once

#include <string>
#include <vector>

namespace ablate::source_tree {

/// A type, alias, function or variable, defined outside of every class and function.
struct Definition {
  enum class Kind { type, alias, function, variable };
  Kind kind = Kind::type;
  std::string name;    // with its namespaces; one without a name is empty
  bool local = false;  // in a namespace without a name
  std::string form;    // the types of a function's parameters; what an alias stands for
};

/// The definitions of one source, those in its namespaces alone. It knows as much C++ as our sources
/// use; of several variables in one statement it sees the first.
std::vector<Definition> definitions_in(const std::string& source);

}  // namespace ablate::source_tree
