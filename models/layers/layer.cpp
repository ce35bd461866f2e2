// The builders of layers, one for each line of models/specs/mixers.inc and feed_forwards.inc.

#include "models/layers/layer.h"

#include <map>

#include "models/specs/feed_forwards.inc"
#include "models/specs/mixers.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name) \
  std::unique_ptr<const Mixer> build_##name##_mixer(const LayerSite& site);
ABLATE_MIXERS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

#define ABLATE_DECLARE(name)                                                            \
  std::unique_ptr<const FeedForward> build_##name##_feed_forward(const LayerSite& site, \
                                                                 const FeedForwardSpec& spec);
ABLATE_FEED_FORWARDS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::unique_ptr<const Mixer> build_mixer(const MixerSpec& spec, const LayerSite& site) {
  using Builder = std::unique_ptr<const Mixer> (*)(const LayerSite&);
#define ABLATE_ROW(name) {#name, build_##name##_mixer},
  static const std::map<std::string_view, Builder> all = {ABLATE_MIXERS(ABLATE_ROW)};
#undef ABLATE_ROW
  return all.at(spec.name)(site);
}

std::unique_ptr<const FeedForward> build_feed_forward(const FeedForwardSpec& spec,
                                                      const LayerSite& site) {
  using Builder = std::unique_ptr<const FeedForward> (*)(const LayerSite&, const FeedForwardSpec&);
#define ABLATE_ROW(name) {#name, build_##name##_feed_forward},
  static const std::map<std::string_view, Builder> all = {ABLATE_FEED_FORWARDS(ABLATE_ROW)};
#undef ABLATE_ROW
  return all.at(spec.name)(site, spec);
}

}  // namespace ablate::models
