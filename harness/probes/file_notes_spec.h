// What plans say of files that probes read. Without LibTorch.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/probe.h"

namespace ablate::probes {

/// Warns if there are fewer of something, such as "test sentences", than a probe asks for. It then
/// measures with those that there are.
void warn_of_few(const Preparation& preparation, std::string_view what, std::int64_t found,
                 std::int64_t asked);

/// How many of the items occur earlier among them.
std::int64_t copies_in(const std::vector<std::string>& items);

/// Warns of test items, such as "sentences", that are in the training file as well, and counts them:
/// what was learned by heart is right for them.
void warn_of_copies(const Preparation& preparation, std::string_view what,
                    const std::vector<std::string>& train, const std::vector<std::string>& test);

/// What a probe is fitted to and what it chooses settings on.
struct SplitTrain {
  std::int64_t training = 0, development = 0;
};

/// The split of `found` items of a training file, where so many are asked for: in proportion where
/// there are fewer.
SplitTrain split_train(std::int64_t found, std::int64_t training, std::int64_t development);

}  // namespace ablate::probes
