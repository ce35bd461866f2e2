// The specs of all mixers and feed-forward layers, for planning, and what a block costs.

#include "models/specs/layer_specs.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/base/find_named.h"
#include "models/specs/feed_forwards.inc"
#include "models/specs/mixers.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name) MixerSpec name##_mixer_spec();
ABLATE_MIXERS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

#define ABLATE_DECLARE(name) FeedForwardSpec name##_feed_forward_spec();
ABLATE_FEED_FORWARDS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const MixerSpec> mixer_specs() {
#define ABLATE_CALL(name) name##_mixer_spec(),
  static const std::vector<MixerSpec> specs = {ABLATE_MIXERS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

std::span<const FeedForwardSpec> feed_forward_specs() {
#define ABLATE_CALL(name) name##_feed_forward_spec(),
  static const std::vector<FeedForwardSpec> specs = {ABLATE_FEED_FORWARDS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

namespace {

constexpr std::string_view kLayers = "layers", kFeedForwards = "feed_forwards", kNone = "none";
constexpr std::string_view kStateSize = "state_size", kWindow = "window";
constexpr std::string_view kQueryKeyNorm = "query_key_norm", kKeyValueHeads = "key_value_heads";
constexpr std::string_view kRotaryBase = "rotary_base";
constexpr std::int64_t kDefaultStateSize = 16, kDefaultWindow = 32;
constexpr double kMaxLayers = 256;

template <class Spec>
std::vector<LayerKind> kinds_of(std::span<const Spec> specs) {
  std::vector<LayerKind> kinds;
  kinds.reserve(specs.size());
  for (const Spec& spec : specs) kinds.push_back({spec.name, spec.summary, spec.source});
  return kinds;
}

std::vector<std::string_view> names_of(std::span<const LayerKind> kinds) {
  std::vector<std::string_view> names;
  names.reserve(kinds.size());
  for (const LayerKind& kind : kinds) names.push_back(kind.name);
  return names;
}

/// The mixers of a model's blocks, by name; of the default if it names none.
std::vector<std::string> mixers_of(const Params& model) {
  return model.has(kLayers) ? model.list(kLayers).get<std::vector<std::string>>()
                            : std::vector<std::string>{"attention"};
}

std::vector<std::string> feed_forwards_of(const Params& model) {
  if (model.has(kFeedForwards)) return model.list(kFeedForwards).get<std::vector<std::string>>();
  return {model.text("activation") == "swiglu" ? "gated" : "dense"};
}

/// The first mixer of the model of which `holds` says so; null if there is none.
template <class Holds>
const MixerSpec* mixer_that(const Params& model, Holds holds) {
  for (const std::string& name : mixers_of(model))
    if (const MixerSpec& spec = find_named(mixer_specs(), "mixer", name); std::invoke(holds, spec))
      return &spec;
  return nullptr;
}

/// Settings that are of some mixers alone, and whether a mixer uses one.
constexpr std::pair<std::string_view, bool MixerSpec::*> kOwnSettings[] = {
    {kStateSize, &MixerSpec::sized},
    {kWindow, &MixerSpec::windowed},
    {kQueryKeyNorm, &MixerSpec::queries},
    {kKeyValueHeads, &MixerSpec::grouped},
    {kRotaryBase, &MixerSpec::rotates}};

/// Why a setting is given that no layer uses; empty if one uses it, or if it is not given.
std::string idle_refusal(const Params& model, std::string_view setting, bool MixerSpec::*uses) {
  if (!model.has(setting) || mixer_that(model, uses) != nullptr) return {};
  const auto owner = std::ranges::find_if(mixer_specs(), std::mem_fn(uses));
  return fmt::format("{} is given, and no layer uses it; leave it out, or name {} in layers",
                     setting, owner->name);
}

/// Why a model's heads are too narrow for one of its mixers; empty if they are not.
std::string head_width_refusal(const Params& model) {
  const std::int64_t width = model.integer("width") / model.integer("heads");
  const MixerSpec* const narrow =
      mixer_that(model, [&](const MixerSpec& spec) { return width < spec.min_head_width; });
  if (narrow == nullptr) return {};
  return fmt::format(
      "{} norms each head, which needs {} units or more, and width / heads = {}; choose fewer "
      "heads",
      narrow->name, narrow->min_head_width, width);
}

std::string list_refusal(const Params& model, std::string_view key, std::int64_t depth) {
  if (!model.has(key)) return {};
  const auto count = std::ssize(model.list(key));
  if (count == 0)
    return fmt::format("{} = [] names no layer; name at least one, or leave {} out", key, key);
  if (count > depth)
    return fmt::format(
        "{} names the layers of {} blocks, and the model has {}; set depth to {}, or name fewer: a "
        "list is repeated to the depth",
        key, count, depth, count);
  return {};
}

/// The shortest list that gives the same when it is repeated. Of a list that is cut off at the depth,
/// the rest would matter to heads with blocks of their own, so only whole repetitions count.
Json shortest(const Json& list) {
  for (std::size_t period = 1; period < list.size(); ++period) {
    if (list.size() % period != 0) continue;
    bool repeats = true;
    for (std::size_t i = period; i < list.size() && repeats; ++i)
      repeats = list[i] == list[i - period];
    if (repeats) return Json(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(period));
  }
  return list;
}

}  // namespace

std::span<const LayerKind> mixer_kinds() {
  static const std::vector<LayerKind> kinds = kinds_of(mixer_specs());
  return kinds;
}

std::span<const LayerKind> feed_forward_kinds() {
  static const std::vector<LayerKind> kinds = kinds_of(feed_forward_specs());
  return kinds;
}

std::vector<Param> layer_params() {
  std::vector<std::string_view> feed_forwards = names_of(feed_forward_kinds());
  feed_forwards.push_back(kNone);
  return {optional(
              list(kLayers, nullptr, {choice("", nullptr, names_of(mixer_kinds()), "")}, kMaxLayers,
                   "mixers of the blocks from the first one on, repeated to the depth; absent: "
                   "attention")),
          optional(list(kFeedForwards, nullptr, {choice("", nullptr, std::move(feed_forwards), "")},
                        kMaxLayers,
                        "feed-forward layers of the blocks, likewise; absent: by activation, gelu: "
                        "dense, swiglu: gated")),
          optional(integer(kStateSize, nullptr, 1, 4096,
                           "numbers that mamba2 keeps for each unit; absent: 16"),
                   kDefaultStateSize),
          optional(integer(kWindow, nullptr, 1, 65536,
                           "positions that sliding_window reads, the own one included; absent: 32"),
                   kDefaultWindow),
          optional(integer(kKeyValueHeads, nullptr, 1, 256,
                           "heads of keys and values in attention, each shared by a group of query "
                           "heads; absent: as many as heads")),
          optional(toggle(kQueryKeyNorm, nullptr,
                          "whether attention and sliding_window norm the queries and keys of each "
                          "head; absent: no"),
                   false)};
}

std::string layers_refusal(const Params& model, std::int64_t depth) {
  std::string why = list_refusal(model, kLayers, depth);
  for (const auto& [setting, uses] : kOwnSettings)
    if (why.empty()) why = idle_refusal(model, setting, uses);
  if (why.empty()) why = head_width_refusal(model);
  if (why.empty() && model.has(kKeyValueHeads) &&
      model.integer("heads") % model.integer(kKeyValueHeads) != 0)
    why = fmt::format("key_value_heads = {} does not divide heads = {}; choose one that does",
                      model.integer(kKeyValueHeads), model.integer("heads"));
  return why.empty() ? list_refusal(model, kFeedForwards, depth) : why;
}

Json canonical_layers(Json model) {
  if (const auto shared = model.find(kKeyValueHeads);
      shared != model.end() && *shared == model.value("heads", Json()))
    model.erase(std::string(kKeyValueHeads));
  if (const auto layers = model.find(kLayers); layers != model.end()) {
    *layers = shortest(*layers);
    if (*layers == Json::array({"attention"})) model.erase(std::string(kLayers));
  }
  if (const auto found = model.find(kFeedForwards); found != model.end()) {
    *found = shortest(*found);
    // `activation` says which layer all blocks have, and nothing where a list does.
    const bool dense = *found == Json::array({"dense"}), gated = *found == Json::array({"gated"});
    model["activation"] = gated ? "swiglu" : "gelu";
    if (dense || gated) model.erase(std::string(kFeedForwards));
  }
  return model;
}

void set_layers(Shape& shape, const Params& model) {
  shape.state_size = model.has(kStateSize) ? model.integer(kStateSize) : kDefaultStateSize;
  if (model.has(kKeyValueHeads)) shape.group = shape.heads / model.integer(kKeyValueHeads);
  shape.query_key_norm = model.has(kQueryKeyNorm) && model.toggle(kQueryKeyNorm);
  shape.window = model.has(kWindow) ? model.integer(kWindow) : kDefaultWindow;
  for (const std::string& name : mixers_of(model))
    shape.mixers.push_back(&find_named(mixer_specs(), "mixer", name));
  for (const std::string& name : feed_forwards_of(model))
    shape.feed_forwards.push_back(
        name == kNone ? nullptr : &find_named(feed_forward_specs(), "feed-forward layer", name));
}

std::string_view mixer_without_prefix(const Params& model) {
  const MixerSpec* const found =
      mixer_that(model, [](const MixerSpec& spec) { return !spec.prefix; });
  return found == nullptr ? "" : found->name;
}

std::string_view mixer_without_two_intervals(const Params& model) {
  const MixerSpec* const found =
      mixer_that(model, [](const MixerSpec& spec) { return !spec.two_intervals; });
  return found == nullptr ? "" : found->name;
}

std::string positions_refusal(const Params& model, const Needs& needs) {
  if (model.text("positions") != "none") return {};
  if (needs.inner_positions)
    return "its places have two positions, and the model shows none; set model.positions to rotary "
           "or learned";
  if (needs.alignment != Alignment::in_place || needs.attention != Attention::bidirectional ||
      mixer_that(model, [](const MixerSpec& spec) { return !spec.rotates; }) != nullptr)
    return {};
  return "it predicts tokens at their places, which attention cannot tell apart without positions; "
         "set model.positions to rotary or learned, or name a mixer that reads in order in "
         "model.layers, such as mamba2";
}

BlockCost block_cost(const Shape& shape, std::int64_t begin, std::int64_t block, std::int64_t time,
                     bool bfloat16) {
  const double unit = activation_bytes(bfloat16);
  const double norm = (kFloat32Bytes + unit) * static_cast<double>(shape.width);  // sum, and output
  const MixerSpec& mixer = shape.mixer(block);
  const bool first = shape.with_mixer_of(block, begin, block) == 0;
  BlockCost cost = {mixer.parameters(shape, first) + shape.width,
                    mixer.multiply_adds(shape, time, first), norm + mixer.bytes(shape, unit)};
  if (const FeedForwardSpec* const feed_forward = shape.feed_forward(block)) {
    cost.parameters += feed_forward->parameters(shape) + shape.width;
    cost.multiply_adds += feed_forward->multiply_adds(shape);
    cost.bytes += norm + feed_forward->bytes(shape, unit);
  }
  return cost;
}

BlockCost stack_cost(const Shape& shape, std::int64_t depth, std::int64_t time, bool bfloat16) {
  BlockCost all;
  for (std::int64_t block = 0; block < depth; ++block) {
    const BlockCost cost = block_cost(shape, 0, block, time, bfloat16);
    all.parameters += cost.parameters;
    all.multiply_adds += cost.multiply_adds;
    all.bytes += cost.bytes;
  }
  return all;
}

}  // namespace ablate::models
