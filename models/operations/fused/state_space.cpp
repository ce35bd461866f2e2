#include "models/operations/fused/state_space.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/scan/scan.h"
#include "models/operations/fused/recurrent_rows.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The rows of all lanes, as the kernels see them: the tensors of StateSpaceRows, in its order.
struct ScannedRows : RecurrentRows {
  explicit ScannedRows(variable_list tensors)
      : RecurrentRows(std::move(tensors)),
        shape{all[0].size(2), all[0].size(3), all[0].size(4), all[4].size(3)} {}

  kernels::ScanRow row(std::int64_t index) const {
    return {of_row(0, index),
            of_row(1, index),
            of_lane(2, index),
            of_lane(3, index),
            of_row(4, index),
            of_row(5, index),
            of_row<std::int64_t>(6, index)};
  }

  kernels::ScanShape shape;
};

struct Scan : torch::autograd::Function<Scan> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& units,
                            const at::Tensor& steps, const at::Tensor& rates,
                            const at::Tensor& skip, const at::Tensor& writes,
                            const at::Tensor& reads, const at::Tensor& from) {
    const ScannedRows given({units, steps, rates, skip, writes, reads, from});
    const at::Tensor outputs = at::empty_like(units);
    const std::int64_t size = outputs.numel() / given.rows;
    for (std::int64_t row = 0; row < given.rows; ++row)
      kernels::scan(given.shape, given.row(row), data<float>(outputs) + row * size);
    context->save_for_backward(given.all);
    return outputs;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const ScannedRows given(context->get_saved_variables());
    const at::Tensor of_outputs = gradients[0].contiguous();
    variable_list made;
    for (std::size_t i = 0; i < 6; ++i)
      made.push_back(i < 2 ? at::empty_like(given.all[i]) : at::zeros_like(given.all[i]));
    made.push_back(given.all[6]);
    const ScannedRows to(made);
    const std::int64_t size = of_outputs.numel() / given.rows;
    for (std::int64_t row = 0; row < given.rows; ++row)
      kernels::scan_backward(
          given.shape, given.row(row),
          {data<float>(of_outputs) + row * size, to.of_row(0, row), to.of_row(1, row),
           to.of_lane(2, row), to.of_lane(3, row), to.of_row(4, row), to.of_row(5, row)});
    made.back() = at::Tensor();
    return made;
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
  if (!kernels_read(rows.units.scalar_type(), from)) {
    at::Tensor none;
    return state_space_scan(rows, none);
  }
  return Scan::apply(rows.units.contiguous(), rows.steps.contiguous(), rows.rates.contiguous(),
                     rows.skip.contiguous(), rows.writes.contiguous(), rows.reads.contiguous(),
                     from);
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
