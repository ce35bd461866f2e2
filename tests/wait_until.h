// The one way to wait for what tells nobody that it has come.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string_view>
#include <thread>

namespace ablate {

/// How long a test waits for what is certain to come, however slow the machine is. No result depends
/// on it: it lets a test that would hang say what it waits for.
constexpr std::chrono::minutes kPatience{20};

/// Waits until `condition` holds, and fails where it does not within kPatience. `what` completes
/// "waited 20 minutes until".
inline void wait_until(std::string_view what, const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end)
        << "waited " << kPatience.count() << " minutes until " << what;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace ablate
