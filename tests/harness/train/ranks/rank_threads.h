// Ranks of one bank as threads of a test, or as processes.

#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "harness/base/posix/spawn.h"
#include "harness/train/ranks/ranks.h"
#include "tests/temporary_folder.h"

namespace ablate::train::testing {

/// Does `work` as each of `size` ranks, which meet in `folder`; in one of its own if that is empty.
inline void as_ranks(std::int64_t size, const std::function<void(Ranks&)>& work,
                     double patience_seconds = 60, const std::filesystem::path& folder = {}) {
  ::signal(SIGPIPE, SIG_IGN);  // as in a worker: Gloo may write to a rank that has just gone
  const TemporaryFolder own;
  const Meeting meeting{.file = (folder.empty() ? own.path() : folder) / "meeting",
                        .patience_seconds = patience_seconds};
  std::vector<std::thread> threads;
  for (std::int64_t rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        Ranks ranks(rank, size, meeting);
        work(ranks);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

/// The same with each rank but the first as a process: for work that threads cannot do side by side.
inline void as_forked_ranks(std::int64_t size, const std::function<void(Ranks&)>& work) {
  const TemporaryFolder folder;
  const Meeting meeting{.file = folder.path() / "meeting", .patience_seconds = 60};
  std::vector<std::unique_ptr<ChildProcess>> others;
  for (std::int64_t rank = 1; rank < size; ++rank)
    others.push_back(std::make_unique<ChildProcess>("a rank", [&] {
      Ranks ranks(rank, size, meeting);
      work(ranks);
      return ::testing::Test::HasFailure() ? 1 : 0;
    }));
  Ranks ranks(0, size, meeting);
  work(ranks);
  for (const auto& other : others) EXPECT_EQ(other->wait(), 0);
}

}  // namespace ablate::train::testing
