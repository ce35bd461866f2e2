// Mixers with the weights of tests/vectors.

#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "models/layers/layer.h"
#include "models/operations/plain_operations.h"
#include "models/specs/layer_specs.h"
#include "tests/paths.h"

namespace ablate::models::testing {

/// A family of vectors, such as "mamba2".
inline Json mixer_vectors(const std::string& name) {
  return Json::parse(read_file(project_root() / "tests/vectors" / (name + ".json")));
}

/// scale * sin(start + 0.7 k) of these sizes.
inline at::Tensor wave(double start, const std::vector<std::int64_t>& sizes, double scale) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return at::arange(count, at::kDouble).mul(0.7).add(start).sin().mul(scale).view(sizes);
}

inline const MixerSpec& mixer_named(const std::string& name) {
  for (const MixerSpec& spec : mixer_specs())
    if (spec.name == name) return spec;
  throw std::logic_error("no mixer " + name);
}

/// Mixers with the weights of their vectors, each of which reads the inputs and what those before it have
/// added to them; the parameter `gain` is 1 + 0.3 times what the others are.
struct MixersOfVectors {
  MixersOfVectors(const std::string& name, const Json& family, const std::string& gain)
      : parameters(1, at::kCPU, false) {
    shape.width = family.at("width");
    shape.heads = family.value("heads", 1);
    shape.head_width = shape.width / shape.heads;
    shape.state_size = family.value("state", 16);
    shape.hidden_multiple = family.value("hidden_multiple", 4.);
    const std::int64_t count = family.value("layers", 1);
    for (std::int64_t i = 0; i < count; ++i)
      mixers.push_back(
          build_mixer(mixer_named(name), {.parameters = parameters,
                                          .shape = shape,
                                          .name = count > 1 ? std::to_string(i) + "." : "",
                                          .before = i,
                                          .count = count}));
    double number = 0;
    for (const Json& one : family.at("shapes")) {
      at::Tensor values = wave(++number, one.at("sizes"), one.at("scale"));
      if (one["name"].get<std::string>().ends_with(gain)) values = 1 + 0.3 * values;
      const at::NoGradGuard no_gradient;
      named(one.at("name")).value.copy_(values.unsqueeze(0));
    }
  }

  /// What the last one adds.
  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const {
    at::Tensor read = normed, added;
    for (const auto& mixer : mixers) {
      added = mixer->mixed(pass, read);
      read = read + added;
    }
    return added;
  }

  train::Parameter& named(const std::string& name) {
    for (train::Parameter& parameter : parameters.all())
      if (parameter.name == name) return parameter;
    throw std::logic_error("no " + name);
  }

  Parameters parameters;
  Shape shape;
  std::vector<std::unique_ptr<const Mixer>> mixers;
};

/// The visibility of the documents of a family.
inline train::Inputs inputs_of(const Json& family, bool both_ways) {
  const std::int64_t time = family.at("time");
  train::Inputs inputs;
  inputs.visible_from = at::zeros({1, 1, time}, at::kLong);
  inputs.visible_until = at::arange(1, time + 1, at::kLong).view({1, 1, time}).clone();
  for (const Json& document : family.at("documents")) {
    const std::int64_t first = document[0], end = document[1];
    inputs.visible_from.narrow(2, first, end - first).fill_(first);
    if (both_ways) inputs.visible_until.narrow(2, first, end - first).fill_(end);
  }
  return inputs;
}

/// Holds a mixer to its vectors, forward and backward, in every case of theirs. `gain`: as above.
inline void expect_vectors(const std::string& name, const std::string& gain) {
  const Json family = mixer_vectors(name);
  const std::int64_t time = family.at("time"), width = family.at("width");
  const auto operations = plain_operations(false);
  ASSERT_EQ(family.at("cases").size(), 2u) << "the past alone, and both ways";
  for (const Json& one : family.at("cases")) {
    MixersOfVectors own(name, family, gain);
    const train::Inputs inputs = inputs_of(family, one.at("both_ways"));
    Pass pass = {*operations, inputs, {{}, inputs.visible_from, inputs.visible_until}, at::kDouble};
    const at::Tensor normed = wave(0.5, {1, 1, time, width}, 1).requires_grad_(true);
    const at::Tensor mixed = own.mixed(pass, normed);
    const std::vector<double> expected = one.at("outputs");
    ASSERT_EQ(mixed.numel(), std::ssize(expected));
    const double* const found = mixed.data_ptr<double>();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
    (mixed.flatten() * wave(0.2, {time * width}, 1)).sum().backward();
    for (const Json& gradient : one.at("gradients")) {
      const std::string of = gradient.at("of");
      const at::Tensor all = of == "inputs" ? normed.grad() : own.named(of).value.grad();
      const double value = gradient.at("value");
      EXPECT_NEAR(all.flatten()[gradient.at("index").get<std::int64_t>()].item<double>(), value,
                  2e-6 * (1 + std::abs(value)))
          << of;
    }
  }
}

}  // namespace ablate::models::testing
