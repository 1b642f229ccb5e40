#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/text.h"

namespace slm {
namespace {

TEST(Utf8Length, TakesEveryCodePoint) {
  for (uint32_t point = 0; point < 0x110000; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    std::string text;
    AppendUtf8(point, &text);
    ASSERT_EQ(Utf8Length(text, 0), text.size()) << point;
  }
}

// There are as many sequences of a length as code points that need it.
TEST(Utf8Length, TakesWhatReadersThatAreStrictTake) {
  int twos = 0, threes = 0, fours = 0;
  for (int lead = 0xC0; lead < 0x100; ++lead) {
    for (int second = 0; second < 0x100; ++second) {
      std::string text = {static_cast<char>(lead), static_cast<char>(second)};
      twos += Utf8Length(text, 0) == 2;
      for (int third = 0; third < 0x100; ++third) {
        text.resize(2);
        text += static_cast<char>(third);
        threes += Utf8Length(text, 0) == 3;
        if (third % 0x40 != 0) continue;
        text += '\x80';
        fours += Utf8Length(text, 0) == 4;
      }
    }
  }
  EXPECT_EQ(twos, 0x800 - 0x80);
  EXPECT_EQ(threes, 0x10000 - 0x800 - 0x800);
  EXPECT_EQ(fours, (0x110000 - 0x10000) / 0x40 / 0x40);
}

TEST(EscapeControls, ShowsTheBytesOfWhatIsNotUtf8) {
  EXPECT_EQ(EscapeControls("\xC0\x9B[1m"), "\\xc0\\x9b[1m");
  EXPECT_EQ(EscapeControls("\xE0\x80\x9B"), "\\xe0\\x80\\x9b");
  EXPECT_EQ(EscapeControls("\xED\xA0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(EscapeControls("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(EscapeControls("\xF4\x8F\xBF\xBF \xC3\xA4"), "\xF4\x8F\xBF\xBF \xC3\xA4");
}

}  // namespace
}  // namespace slm
