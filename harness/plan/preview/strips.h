// The tokens of a previewed example, place by place.

#pragma once

#include <string>
#include <vector>

#include "harness/plan/preview/preview.h"

namespace ablate::plan {

/// Rows of as many cells, which belong below each other, and the name of each row.
struct Strips {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  void add(std::string name, std::vector<std::string> cells);
  void append(const Strips& more);
};

/// The text of an example, what of it is read, and what each head that predicts tokens is to predict; empty where a
/// target is not scored. Rows whose places correspond are in one block. Rows named "  ids" give
/// the ids of the row above them.
std::vector<Strips> strips(const Preview& preview, const Preview::Shown& shown);

/// A token as it is spelled; "<S0>" is the first sentinel.
std::string spelled(const Preview& preview, Token token);

/// The traits of the head that predicts a label.
const HeadTraits& traits_of(const Preview::Shown& shown, const Label& label);

/// Whether an objective that changes some texts has left this one as it is.
bool left_alone(const Preview& preview, const Preview::Shown& shown);

/// Whether a sample that fills the label's place decides it in training.
bool is_sampled(const Preview::Shown& shown, const Label& label);

/// Whether a label is a token.
bool is_token(const Preview::Shown& shown, const Label& label);

}  // namespace ablate::plan
