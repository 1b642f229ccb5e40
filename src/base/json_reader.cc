#include "base/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "base/text.h"
#include "base/utf8.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr int kMaxDepth = 64;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  Reader(std::string_view text, size_t first_line) : text_(text), first_line_(first_line) {}

  Json Whole() {
    Json value = Value(0);
    SkipSpace();
    if (at_ < text_.size()) Fail("unexpected text after the value");
    return value;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    const std::string_view before = text_.substr(0, at_);
    const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const size_t lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
    throw DataError("line " + std::to_string(first_line_ + lines) + ", byte " +
                    std::to_string(at_ - line_start + 1) + ": " + what);
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void Expect(std::string_view word) {
    if (!Take(word)) Fail("expected '" + std::string(word) + "'");
  }

  Json Value(int depth) {
    if (depth > kMaxDepth) Fail("more than " + std::to_string(kMaxDepth) + " levels deep");
    SkipSpace();
    switch (Peek()) {
      case '{':
        return Object(depth);
      case '[':
        return Array(depth);
      case '"':
        return Json(String());
      default:
        break;
    }
    if (Take("null")) return Json(nullptr);
    if (Take("true")) return Json(true);
    if (Take("false")) return Json(false);
    if (Peek() == '-' || IsDigit(Peek())) return Number();
    Fail(at_ < text_.size() ? "expected a value" : "the text ends where a value should be");
  }

  Json Object(int depth) {
    Expect("{");
    Json object = Json::MakeObject();
    std::unordered_set<std::string> keys;
    SkipSpace();
    if (Take("}")) return object;
    do {
      SkipSpace();
      std::string key = String();
      if (!keys.insert(key).second) Fail("the key \"" + key + "\" is set twice");
      SkipSpace();
      Expect(":");
      object.Add(std::move(key), Value(depth + 1));
      SkipSpace();
    } while (Take(","));
    Expect("}");
    return object;
  }

  Json Array(int depth) {
    Expect("[");
    Json array = Json::MakeArray();
    SkipSpace();
    if (Take("]")) return array;
    do {
      array.Push(Value(depth + 1));
      SkipSpace();
    } while (Take(","));
    Expect("]");
    return array;
  }

  uint32_t HexDigits() {
    uint32_t code = 0;
    const char* begin = text_.data() + at_;
    const char* end = begin + std::min<size_t>(4, text_.size() - at_);
    auto [stop, error] = std::from_chars(begin, end, code, 16);
    if (error != std::errc() || stop != begin + 4) Fail("expected four hexadecimal digits");
    at_ += 4;
    return code;
  }

  void Escape(std::string* out) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (size_t i = kLetters.find(Peek()); Peek() != '\0' && i != kLetters.npos) {
      ++at_;
      out->push_back(kMeanings[i]);
      return;
    }
    if (!Take("u")) Fail("unknown escape in a text");
    uint32_t code = HexDigits();
    if (code >= 0xD800 && code < 0xDC00 && Take("\\u")) {
      const uint32_t low = HexDigits();
      if (low < 0xDC00 || low > 0xDFFF) Fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code <= 0xDFFF) Fail("half of a surrogate pair");
    AppendUtf8(code, out);
  }

  std::string String() {
    Expect("\"");
    std::string out;
    while (at_ < text_.size()) {
      if (Take("\"")) return out;
      if (Take("\\")) {
        Escape(&out);
        continue;
      }
      const size_t length = Utf8Length(text_, at_);
      if (length == 0) Fail("a text that is not UTF-8");
      if (static_cast<unsigned char>(text_[at_]) < 0x20) Fail("a control character in a text");
      out.append(text_.substr(at_, length));
      at_ += length;
    }
    Fail("the text ends inside quotes");
  }

  // Checked by hand: from_chars takes more than JSON does ("1.", "01", "inf").
  Json Number() {
    const size_t begin = at_;
    auto digits = [&] {
      if (!IsDigit(Peek())) Fail("expected a digit");
      while (IsDigit(Peek())) ++at_;
    };
    Take("-");
    if (!Take("0")) digits();
    const bool whole = Peek() != '.' && Peek() != 'e' && Peek() != 'E';
    if (Take(".")) digits();
    if (Take("e") || Take("E")) {
      if (!Take("+")) Take("-");
      digits();
    }
    const std::string_view number = text_.substr(begin, at_ - begin);
    auto parse = [&](auto* value) {
      return std::from_chars(number.data(), number.data() + number.size(), *value).ec ==
             std::errc();
    };
    int64_t small;
    uint64_t large;
    double real;
    if (whole && number != "-0" && parse(&small)) return Json(small);  // -0 keeps its sign as real
    if (whole && number != "-0" && number[0] != '-' && parse(&large)) return Json(large);
    if (!parse(&real)) Fail("a number out of range");
    return Json(real);
  }

  const std::string_view text_;
  const size_t first_line_;
  size_t at_ = 0;
};

}  // namespace

Json ParseJson(std::string_view text, size_t first_line) {
  return Reader(text, first_line).Whole();
}

}  // namespace slm
