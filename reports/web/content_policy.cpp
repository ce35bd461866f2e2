#include "reports/web/content_policy.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace ablate::reports {
namespace {

/// The SHA-256 of a text as a source of a policy: 'sha256-BASE64'.
std::string source_of(const std::string& text) {
  std::array<unsigned char, 32> hash{};
  if (EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-256, which the policy of a page needs");
  std::array<unsigned char, 45> base64{};  // 4 characters for 3 bytes, and a zero
  EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(hash.size()));
  return fmt::format("'sha256-{}'", reinterpret_cast<const char*>(base64.data()));
}

std::string sources_of(const std::vector<std::string>& texts) {
  std::string sources;
  for (const std::string& text : texts) sources += " " + source_of(text);
  return sources.empty() ? " 'none'" : sources;
}

}  // namespace

std::string content_policy(const std::vector<std::string>& styles,
                           const std::vector<std::string>& scripts) {
  return fmt::format(
      "default-src 'none'; style-src{}; script-src{}; base-uri 'none'; form-action 'none'",
      sources_of(styles), sources_of(scripts));
}

}  // namespace ablate::reports
