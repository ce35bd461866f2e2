// Tests that take the processor for a device: "cpu:0" is another name of it, and our kernels run there
// thread by thread. LibTorch's CUDA build has them for devices alone.

#pragma once

#include <ATen/Context.h>
#include <gtest/gtest.h>

namespace ablate::testing {

/// Why such a test cannot run; empty where it can.
inline const char* no_emulated_device() {
  return at::hasCUDA() ? "the kernels are compiled for devices" : "";
}

/// A test of an emulated device; skipped where the kernels are compiled for real ones.
class EmulatedDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (*no_emulated_device() != '\0') GTEST_SKIP() << no_emulated_device();
  }
};

}  // namespace ablate::testing
