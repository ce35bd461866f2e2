#include "harness/base/sha256.h"

#include <gtest/gtest.h>

#include <vector>

namespace ablate {
namespace {

TEST(Sha256, AgreesWithThePublishedDigests) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesArrive) {
  const std::string text(1000, 'x');
  for (const std::size_t cut : {0u, 1u, 63u, 64u, 65u, 999u, 1000u}) {
    Sha256 hash;
    hash.add(text.substr(0, cut));
    hash.add(text.substr(cut));
    EXPECT_EQ(hash.hex(), sha256(text));
  }
}

TEST(Sha256, GoesOnAfterItWasMoved) {
  Sha256 first;
  first.add("a");
  Sha256 second = std::move(first);
  second.add("bc");
  EXPECT_EQ(second.hex(), sha256("abc"));
}

TEST(Hex, IsTheTextOfNoOtherBytes) {
  const std::vector<std::uint8_t> bytes = {0x00, 0x9f, 0xa0, 0xff};
  const std::string text = hex(bytes);
  EXPECT_EQ(text, "009fa0ff");
  EXPECT_TRUE(is_hex_of(text, bytes));
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      EXPECT_FALSE(is_hex_of(other, bytes)) << other;
    }
  for (const char* const other : {"", "009fa0", "009fa0ff0", "009FA0FF"})
    EXPECT_FALSE(is_hex_of(other, bytes)) << other;
}

}  // namespace
}  // namespace ablate
