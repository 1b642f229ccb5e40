#include "data/readers/xml.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/utf8.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::pair<std::string_view, char> kEntities[] = {
    {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

std::string_view WithoutPrefix(std::string_view name) {
  return name.substr(name.find(':') + 1);  // npos + 1 is 0
}

// "#65" and "#x41" are both A; false for what is no character.
bool AppendCharacter(std::string_view reference, std::string* out) {
  reference.remove_prefix(1);
  const bool hex = reference.starts_with('x');
  if (hex) reference.remove_prefix(1);
  uint32_t code = 0;
  const char* end = reference.data() + reference.size();
  const auto [stop, error] = std::from_chars(reference.data(), end, code, hex ? 16 : 10);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (error != std::errc() || stop != end || code == 0 || code > 0x10FFFF || surrogate)
    return false;
  AppendUtf8(code, out);
  return true;
}

}  // namespace

XmlReader::XmlReader(std::string_view text, std::string_view what) : all_(text), what_(what) {
  if (all_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

void XmlReader::Fail(const char* problem) const {
  throw DataError(std::string(what_) + " is damaged: " + problem + " at byte " +
                  std::to_string(at_) + "; save the file again");
}

void XmlReader::SkipPast(std::string_view end, const char* problem) {
  const size_t found = all_.find(end, at_);
  if (found == std::string_view::npos) Fail(problem);
  at_ = found + end.size();
}

std::string XmlReader::Resolve(std::string_view raw) const {
  std::string out;
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('&'), raw.size());
    out += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    const size_t end = raw.find(';');
    if (end == std::string_view::npos || end < 2) Fail("an entity without an end");
    const std::string_view entity = raw.substr(1, end - 1);
    raw.remove_prefix(end + 1);
    const auto* known = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& one) { return one.first == entity; });
    if (known != std::end(kEntities)) {
      out.push_back(known->second);
    } else if (entity[0] != '#' || !AppendCharacter(entity, &out)) {
      Fail("an unknown entity");
    }
  }
  return out;
}

void XmlReader::ReadText(size_t end) {
  text_ = all_.substr(at_, end - at_);
  at_ = end;
  if (text_.find('&') == std::string_view::npos) return;
  resolved_ = Resolve(text_);
  text_ = resolved_;
}

XmlReader::Event XmlReader::Next() {
  if (ends_at_once_) {
    ends_at_once_ = false;
    --depth_;
    return Event::kEnd;
  }
  while (at_ < all_.size()) {
    const std::string_view rest = all_.substr(at_);
    if (rest[0] != '<') {
      ReadText(std::min(all_.find('<', at_), all_.size()));
      return Event::kText;
    }
    if (rest.starts_with("<!--")) {
      SkipPast("-->", "a comment without an end");
    } else if (rest.starts_with("<?")) {
      SkipPast("?>", "an instruction without an end");
    } else if (rest.starts_with("<![CDATA[")) {
      const size_t begin = at_ + std::string_view("<![CDATA[").size();
      SkipPast("]]>", "a text without an end");
      text_ = all_.substr(begin, at_ - 3 - begin);
      return Event::kText;
    } else if (rest.starts_with("<!")) {
      Fail("a document type, which is not allowed here,");
    } else {
      return ReadTag();
    }
  }
  if (depth_ != 0) Fail("an element without an end");
  return Event::kDone;
}

XmlReader::Event XmlReader::ReadTag() {
  size_t end = at_ + 1;
  char quote = 0;
  for (; end < all_.size() && (quote != 0 || all_[end] != '>'); ++end) {
    const char c = all_[end];
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
  }
  if (end == all_.size()) Fail("a tag without an end");
  std::string_view tag = all_.substr(at_ + 1, end - at_ - 1);
  const bool closing = tag.starts_with('/');
  if (closing) {
    tag.remove_prefix(1);
  } else if (tag.ends_with('/')) {
    tag.remove_suffix(1);
    ends_at_once_ = true;
  }
  const size_t name_end = std::min(tag.find_first_of(kSpace), tag.size());
  name_ = WithoutPrefix(tag.substr(0, name_end));
  attributes_ = tag.substr(name_end);
  if (name_.empty() || (closing && depth_ == 0)) Fail("a tag that makes no sense");
  at_ = end + 1;
  depth_ = closing ? depth_ - 1 : depth_ + 1;
  return closing ? Event::kEnd : Event::kStart;
}

std::string XmlReader::Attribute(std::string_view name) const {
  std::string_view rest = attributes_;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
    if (rest.empty()) return "";
    const size_t equals = rest.find('=');
    if (equals == std::string_view::npos) Fail("an attribute without a value");
    std::string_view key = rest.substr(0, equals);
    key = key.substr(0, key.find_last_not_of(kSpace) + 1);
    rest.remove_prefix(equals + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
    const size_t close = rest.empty() ? std::string_view::npos : rest.find(rest[0], 1);
    if (close == std::string_view::npos || (rest[0] != '"' && rest[0] != '\'')) {
      Fail("an attribute without quotes");
    }
    if (WithoutPrefix(key) == name) return Resolve(rest.substr(1, close - 1));
    rest.remove_prefix(close + 1);
  }
}

}  // namespace slm
