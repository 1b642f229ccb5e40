#include "data/readers/xml.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Event = XmlReader::Event;

// Every event in a word: "<a k=1> text </a>".
std::string Events(const std::string& text) {
  XmlReader xml(text, "x.xml");
  std::string out;
  for (Event event; (event = xml.Next()) != Event::kDone;) {
    if (event == Event::kText) {
      out += "'" + std::string(xml.text()) + "'";
    } else {
      const std::string k = event == Event::kStart ? xml.Attribute("k") : "";
      out += (event == Event::kStart ? "<" : "</") + std::string(xml.name()) +
             (k.empty() ? "" : " k=" + k) + ">";
    }
  }
  return out;
}

TEST(XmlReader, GivesElementsAttributesAndTexts) {
  EXPECT_EQ(Events("\xEF\xBB\xBF<?xml version=\"1.0\"?><!-- <x> --><a><b k='1 > 0'/>text</a>"),
            "<a><b k=1 > 0></b>'text'</a>");
  EXPECT_EQ(Events("<r:a x=\"2\" r:k = \"3\">\n</r:a>"), "<a k=3>'\n'</a>");
  EXPECT_EQ(Events("<a k=\"&quot;&#65;\">&lt;&amp;&#x20AC;<![CDATA[<&amp;]]></a>"),
            "<a k=\"A>'<&\xE2\x82\xAC''<&amp;'</a>");
}

TEST(XmlReader, RefusesWhatIsNoXmlOrCouldGrow) {
  const std::pair<const char*, const char*> bad[] = {
      {"<a", "a tag without an end"},
      {"<a>", "an element without an end"},
      {"</a>", "makes no sense"},
      {"< a>x</a>", "makes no sense"},
      {"<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>", "a document type"},
      {"<a>&b;</a>", "an unknown entity"},
      {"<a>&amp</a>", "an entity without an end"},
      {"<a>&#xD800;</a>", "an unknown entity"},
      {"<a>&#1114112;</a>", "an unknown entity"},
      {"<a k=1/>", "an attribute without quotes"},
      {"<a k/>", "an attribute without a value"},
      {"<!-- a", "a comment without an end"},
      {"<![CDATA[ a", "a text without an end"},
  };
  for (const auto& test : bad) {
    const std::string error = DataErrorOf([&] { Events(test.first); });
    EXPECT_NE(error.find(test.second), std::string::npos) << test.first << ": " << error;
    EXPECT_NE(error.find("x.xml"), std::string::npos);
  }
}

TEST(XmlReader, DoesNotMindHowDeepElementsAre) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_NE(DataErrorOf([&] { Events(deep); }), "");
}

}  // namespace
}  // namespace slm
