// The policy of a page: its own scripts and styles by their hashes.

#include "reports/web/content_policy.h"

#include <gtest/gtest.h>

namespace ablate::reports {
namespace {

// echo -n "alert('Hello, world.');" | openssl dgst -sha256 -binary | base64, the example of the CSP
// guide of MDN.
TEST(ContentPolicy, NamesAScriptByItsHash) {
  EXPECT_EQ(content_policy({}, {"alert('Hello, world.');"}),
            "default-src 'none'; style-src 'none'; script-src "
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='; base-uri 'none'; "
            "form-action 'none'");
}

TEST(ContentPolicy, AllowsNothingWhereNothingIsGiven) {
  EXPECT_EQ(content_policy({}, {}),
            "default-src 'none'; style-src 'none'; script-src 'none'; base-uri 'none'; "
            "form-action 'none'");
}

TEST(ContentPolicy, TellsTextsApartThatDifferInABlank) {
  EXPECT_NE(content_policy({"a"}, {}), content_policy({"a "}, {}));
  EXPECT_NE(content_policy({"a", "b"}, {}), content_policy({"a"}, {"b"}));
}

}  // namespace
}  // namespace ablate::reports
