// The settings of a backbone that say what its blocks are made of.

#include "models/specs/layer_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/base/find_named.h"
#include "models/specs/layer_specs.h"

namespace ablate::models {
namespace {

constexpr std::string_view kLayers = "layers", kFeedForwards = "feed_forwards", kNone = "none";
constexpr std::string_view kStateSize = "state_size", kWindow = "window";
constexpr std::string_view kQueryKeyNorm = "query_key_norm", kKeyValueHeads = "key_value_heads";
constexpr std::string_view kRotaryBase = "rotary_base", kRotaryScale = "rotary_scale";
constexpr double kMaxLayers = 256;

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

/// The feed-forward layers of a model's blocks; null: none.
std::vector<const FeedForwardSpec*> feed_forwards_of(const Params& model) {
  const Json names = model.has(kFeedForwards)               ? model.list(kFeedForwards)
                     : model.text("activation") == "swiglu" ? Json{"gated"}
                                                            : Json{"dense"};
  std::vector<const FeedForwardSpec*> specs;
  for (const auto& name : names.get<std::vector<std::string>>())
    specs.push_back(name == kNone ? nullptr
                                  : &find_named(feed_forward_specs(), "feed-forward layer", name));
  return specs;
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
    {kStateSize, &MixerSpec::sized},      {kWindow, &MixerSpec::windowed},
    {kQueryKeyNorm, &MixerSpec::queries}, {kKeyValueHeads, &MixerSpec::grouped},
    {kRotaryBase, &MixerSpec::rotates},   {kRotaryScale, &MixerSpec::rotates}};

/// Why a setting is given that no layer uses; empty if one uses it, or if it is not given.
std::string idle_refusal(const Params& model, std::string_view setting, bool MixerSpec::*uses) {
  if (!model.has(setting) || mixer_that(model, uses) != nullptr) return {};
  const auto owner = std::ranges::find_if(mixer_specs(), std::mem_fn(uses));
  return fmt::format("{} is given, and no layer uses it; leave it out, or name {} in layers",
                     setting, owner->name);
}

/// Why settings that are of one feed-forward layer alone cannot be met; empty if they can, or if none is given.
std::string own_refusal(const Params& model, const FeedForwardSpec& spec) {
  if (spec.params == nullptr) return {};
  if (std::ranges::count(feed_forwards_of(model), &spec) > 0) {
    Shape shape;
    spec.set(shape, model);
    return spec.refusal == nullptr ? "" : spec.refusal(shape);
  }
  for (const Param& param : spec.params())
    if (model.has(param.name))
      return fmt::format(
          "{} is given, and no block has {}; leave it out, or name {} in feed_forwards", param.name,
          spec.name, spec.name);
  return {};
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

/// Why the mixers of a model cannot have its positions; empty if they can.
std::string distance_refusal(const Params& model) {
  if (model.text("positions") != "alibi") return {};
  const MixerSpec* const rotates =
      mixer_that(model, [](const MixerSpec& spec) { return spec.rotates && !spec.by_distance; });
  if (rotates != nullptr)
    return fmt::format(
        "positions = \"alibi\", which {} does not have; set positions to rotary, or leave {} out "
        "of layers",
        rotates->name, rotates->name);
  if (mixer_that(model, std::mem_fn(&MixerSpec::by_distance)) != nullptr) return {};
  return "positions = \"alibi\" works only with attention, and no layer is attention; set "
         "positions to none";
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

std::vector<Param> layer_params() {
  std::vector<std::string_view> feed_forwards = names_of(feed_forward_kinds());
  feed_forwards.push_back(kNone);
  std::vector<Param> params = {
      optional(list(kLayers, nullptr, {choice("", nullptr, names_of(mixer_kinds()), "")},
                    kMaxLayers,
                    "mixers of the blocks from the first one on, repeated to the depth; absent: "
                    "attention")),
      optional(list(kFeedForwards, nullptr, {choice("", nullptr, std::move(feed_forwards), "")},
                    kMaxLayers,
                    "feed-forward layers of the blocks, in the same way; absent: dense for gelu, "
                    "gated for swiglu")),
      optional(integer(kStateSize, nullptr, 1, 4096,
                       "numbers that mamba2 keeps for each unit; absent: 16"),
               Shape().state_size),
      optional(integer(kWindow, nullptr, 1, 65536,
                       "positions that sliding_window reads, including its own; absent: 32"),
               Shape().window),
      optional(integer(kKeyValueHeads, nullptr, 1, 256,
                       "key and value heads in attention, each shared by a group of query heads; "
                       "absent: as many as heads")),
      optional(toggle(kQueryKeyNorm, nullptr,
                      "whether attention and sliding_window normalise the queries and keys of each "
                      "head; absent: no"),
               false)};
  for (const FeedForwardSpec& spec : feed_forward_specs())
    if (spec.params != nullptr)
      for (Param& param : spec.params()) params.push_back(std::move(param));
  return params;
}

std::string layers_refusal(const Params& model, std::int64_t depth) {
  std::string why = list_refusal(model, kLayers, depth);
  for (const auto& [setting, uses] : kOwnSettings)
    if (why.empty()) why = idle_refusal(model, setting, uses);
  if (why.empty()) why = head_width_refusal(model);
  if (why.empty()) why = distance_refusal(model);
  if (why.empty() && model.has(kKeyValueHeads) &&
      model.integer("heads") % model.integer(kKeyValueHeads) != 0)
    why = fmt::format("key_value_heads = {} does not divide heads = {}; choose one that does",
                      model.integer(kKeyValueHeads), model.integer("heads"));
  for (const FeedForwardSpec& spec : feed_forward_specs())
    if (why.empty()) why = own_refusal(model, spec);
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
  if (model.has(kStateSize)) shape.state_size = model.integer(kStateSize);
  if (model.has(kWindow)) shape.window = model.integer(kWindow);
  if (model.has(kKeyValueHeads)) shape.group = shape.heads / model.integer(kKeyValueHeads);
  shape.query_key_norm = model.has(kQueryKeyNorm) && model.toggle(kQueryKeyNorm);
  for (const std::string& name : mixers_of(model))
    shape.mixers.push_back(&find_named(mixer_specs(), "mixer", name));
  shape.feed_forwards = feed_forwards_of(model);
  for (const FeedForwardSpec& spec : feed_forward_specs())
    if (spec.set != nullptr) spec.set(shape, model);
}

bool has_experts(const Params& model) {
  if (!model.has(kFeedForwards)) return false;  // `activation` names none with experts
  return std::ranges::any_of(feed_forwards_of(model), [](const FeedForwardSpec* spec) {
    return spec != nullptr && spec->routes;
  });
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
  if (model.text("positions") == "alibi" && needs.inner_positions)
    return "its places have two positions, and ALiBi shows the distance of one; set "
           "model.positions to rotary or learned";
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

}  // namespace ablate::models
