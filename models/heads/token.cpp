// The head of tokens: what a state predicts, at its own place or at the next one.

#include "models/heads/head.h"

namespace ablate::models {
namespace {

class TokenHead final : public Head {
 public:
  explicit TokenHead(const HeadSite& site) : Head(site) {
    if (site.params.toggle("block")) add_block("", site.shape.trunk);
  }
};

}  // namespace

std::unique_ptr<Head> build_token_head(const HeadSite& site) {
  return std::make_unique<TokenHead>(site);
}

}  // namespace ablate::models
