// A head of multi-token prediction: the token that stands several places ahead.
//
// Source: Gloeckle et al. 2024, "Better & Faster Large Language Models via Multi-token Prediction",
// arXiv:2404.19737, section 2 (transformer) and table S4 (linear); DeepSeek-AI 2024,
// arXiv:2412.19437, section 2.2 (sequential modules).

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/core.h>

#include "models/heads/head.h"

namespace ablate::models {
namespace {

/// A block of its own on the trunk, or none and the shared state.
class FutureHead : public Head {
 public:
  explicit FutureHead(const HeadSite& site) : Head(site), ahead_(site.params.integer("ahead")) {}

 protected:
  std::int64_t ahead() const { return ahead_; }
  std::string prefix() const { return fmt::format("future.{}.", ahead_); }

 private:
  std::int64_t ahead_;
};

class TransformerHead final : public FutureHead {
 public:
  explicit TransformerHead(const HeadSite& site) : FutureHead(site) { add_block(prefix(), 0); }
};

/// A matrix on the last state.
class LinearHead final : public FutureHead {
 public:
  explicit LinearHead(const HeadSite& site)
      : FutureHead(site),
        matrix_(bank().parameters.add_matrix(prefix() + "matrix", shape().width, shape().width)) {}

 protected:
  at::Tensor leave(const at::Tensor& normed) const override {
    const at::Tensor projected =
        bank().operations->linear(normed.to(bank().type), bank().parameters.matrix(matrix_));
    return projected.to(normed.scalar_type());
  }

 private:
  std::size_t matrix_;
};

/// A block that reads the stream of the head before it beside the true token.
class SequentialHead final : public FutureHead {
 public:
  explicit SequentialHead(const HeadSite& site) : FutureHead(site) {
    Parameters& parameters = bank().parameters;
    const std::int64_t width = shape().width;
    token_norm_ = parameters.add_gain(prefix() + "token_norm", width);
    stream_norm_ = parameters.add_gain(prefix() + "stream_norm", width);
    project_ = parameters.add_matrix(prefix() + "project", width, 2 * width);
    add_block(prefix(), 0);
  }

 protected:
  at::Tensor enter(const at::Tensor& from, const train::Inputs& inputs) const override {
    const at::Tensor tokens =
        embeddings().embed(later(inputs.tokens, ahead() - 1), inputs.positions, inputs.inner);
    const at::Tensor both = at::cat({normed(tokens, token_norm_), normed(from, stream_norm_)}, -1);
    return bank()
        .operations->linear(both, bank().parameters.matrix(project_))
        .to(from.scalar_type());
  }

 private:
  at::Tensor normed(const at::Tensor& stream, std::size_t gain) const {
    return bank()
        .operations
        ->add_norm(stream, {}, bank().parameters.value(gain),
                   shape().rms_norm ? Norm::rms : Norm::layer, bank().type)
        .normed;
  }

  std::size_t token_norm_ = 0, stream_norm_ = 0, project_ = 0;
};

}  // namespace

std::unique_ptr<Head> build_future_tokens_head(const HeadSite& site) {
  const std::string& architecture = site.params.text("architecture");
  if (architecture == "linear") return std::make_unique<LinearHead>(site);
  if (architecture == "sequential") return std::make_unique<SequentialHead>(site);
  if (architecture == "transformer") return std::make_unique<TransformerHead>(site);
  return std::make_unique<FutureHead>(site);  // shared: the last state predicts all
}

}  // namespace ablate::models
