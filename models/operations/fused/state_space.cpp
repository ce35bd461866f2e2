#include "models/operations/fused/state_space.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/scan/scan.h"
#include "models/operations/fused/documents.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The rows of all lanes, as the kernels see them.
struct ScannedRows {
  explicit ScannedRows(const variable_list& tensors)
      : units(tensors[0]),
        decays(tensors[1]),
        writes(tensors[2]),
        reads(tensors[3]),
        from(tensors[4]),
        rows(units.size(0) * units.size(1)),
        shape{units.size(2), units.size(3), units.size(4), writes.size(3)} {}

  kernels::ScanRow row(std::int64_t index) const {
    const std::int64_t heads = shape.time * shape.heads, state = shape.time * shape.state;
    return {data<float>(units) + index * heads * shape.head_width,
            data<float>(decays) + index * heads, data<float>(writes) + index * state,
            data<float>(reads) + index * state, data<std::int64_t>(from) + index * shape.time};
  }

  at::Tensor units, decays, writes, reads, from;
  std::int64_t rows;
  kernels::ScanShape shape;
};

struct Scan : torch::autograd::Function<Scan> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& units,
                            const at::Tensor& decays, const at::Tensor& writes,
                            const at::Tensor& reads, const at::Tensor& from) {
    const variable_list tensors = {units, decays, writes, reads, from};
    const ScannedRows all(tensors);
    const at::Tensor outputs = at::empty_like(units);
    const std::int64_t size = all.shape.time * all.shape.heads * all.shape.head_width;
    for (std::int64_t row = 0; row < all.rows; ++row)
      kernels::scan(all.shape, all.row(row), data<float>(outputs) + row * size);
    context->save_for_backward(tensors);
    return outputs;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const ScannedRows all(saved),
        made({at::empty_like(saved[0]), at::empty_like(saved[1]), at::zeros_like(saved[2]),
              at::zeros_like(saved[3]), saved[4]});
    const at::Tensor given = gradients[0].contiguous();
    const std::int64_t size = all.shape.time * all.shape.heads * all.shape.head_width;
    const auto writable = [](const float* of) { return const_cast<float*>(of); };
    for (std::int64_t row = 0; row < all.rows; ++row) {
      const kernels::ScanRow to = made.row(row);
      kernels::scan_backward(all.shape, all.row(row),
                             {data<float>(given) + row * size, writable(to.units),
                              writable(to.decays), writable(to.writes), writable(to.reads)});
    }
    return {made.units, made.decays, made.writes, made.reads, at::Tensor()};
  }
};

/// The convolution of all lanes, as the kernels see it.
struct ConvolvedRows {
  ConvolvedRows(const at::Tensor& channels, const at::Tensor& taps_of_lanes,
                const at::Tensor& bias_of_lanes, const at::Tensor& positions)
      : read(channels),
        taps(taps_of_lanes),
        bias(bias_of_lanes),
        from(positions),
        shape{read.size(2), read.size(3), taps.size(1)} {}

  template <class Run>
  void each_row(const Run& run) const {
    const std::int64_t batch = read.size(1);
    for (std::int64_t row = 0; row < read.size(0) * batch; ++row) {
      const std::int64_t lane = row / batch;
      run(kernels::ConvolutionRow{data<float>(read) + row * size(),
                                  data<float>(taps) + lane * shape.taps * shape.channels,
                                  data<float>(bias) + lane * shape.channels,
                                  data<std::int64_t>(from) + row * shape.time},
          row, lane);
    }
  }

  std::int64_t size() const { return shape.time * shape.channels; }  // of a row

  at::Tensor read, taps, bias, from;
  kernels::ConvolutionShape shape;
};

struct ActivatedConvolution : torch::autograd::Function<ActivatedConvolution> {
  /// `taps`: [lane, taps, channels], tap k reads k positions back.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& channels,
                            const at::Tensor& taps, const at::Tensor& bias,
                            const at::Tensor& from) {
    const ConvolvedRows all(channels, taps, bias, from);
    const at::Tensor outputs = at::empty_like(channels);
    all.each_row([&](const kernels::ConvolutionRow& row, std::int64_t index, std::int64_t) {
      kernels::convolve(all.shape, row, data<float>(outputs) + index * all.size());
    });
    context->save_for_backward({channels, taps, bias, from});
    return outputs;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const ConvolvedRows all(saved[0], saved[1], saved[2], saved[3]);
    const at::Tensor given = gradients[0].contiguous();
    const at::Tensor of_channels = at::zeros_like(all.read), of_taps = at::zeros_like(all.taps),
                     of_bias = at::zeros_like(all.bias);
    all.each_row([&](const kernels::ConvolutionRow& row, std::int64_t index, std::int64_t lane) {
      kernels::convolve_backward(
          all.shape, row,
          {data<float>(given) + index * all.size(), data<float>(of_channels) + index * all.size(),
           data<float>(of_taps) + lane * all.shape.taps * all.shape.channels,
           data<float>(of_bias) + lane * all.shape.channels});
    });
    return {of_channels, of_taps, of_bias, at::Tensor()};
  }
};

}  // namespace

at::Tensor state_space(const StateSpaceRows& rows) {
  const at::Tensor from = rows.from.contiguous();
  if (rows.units.scalar_type() != at::kFloat || !follow_each_other(from)) {
    at::Tensor none;
    return state_space_scan(rows, none);
  }
  return Scan::apply(rows.units.contiguous(), rows.decays.contiguous(), rows.writes.contiguous(),
                     rows.reads.contiguous(), from);
}

at::Tensor activated_convolution(const at::Tensor& channels, const ShortConvolution& convolution,
                                 const at::Tensor& from) {
  if (channels.scalar_type() != at::kFloat)
    return at::silu(convolved(channels, convolution, from, {}));
  const at::Tensor taps = convolution.weight.flip({2}).transpose(1, 2).contiguous();
  return ActivatedConvolution::apply(channels.contiguous(), taps, convolution.bias.contiguous(),
                                     from.contiguous());
}

}  // namespace ablate::models::fused
