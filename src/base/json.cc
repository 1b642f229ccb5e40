#include "base/json.h"

#include <cmath>

#include "base/text.h"

namespace slm {
namespace {

// The length of the valid UTF-8 sequence at text[i], 0 if there is none.
size_t SequenceLength(std::string_view text, size_t i) {
  auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  unsigned char lead = byte(i);
  size_t length = lead < 0x80       ? 1
                  : lead >> 5 == 6  ? 2
                  : lead >> 4 == 14 ? 3
                  : lead >> 3 == 30 ? 4
                                    : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if (byte(i + k) >> 6 != 2) return 0;
  }
  return length;
}

void WriteString(std::string_view text, std::string* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out->push_back('"');
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    size_t length = SequenceLength(text, i);
    if (length == 0) {
      *out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      *out += "\\n";
    } else if (c == '\t') {
      *out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      *out += "\\u00";
      out->push_back(kHex[c >> 4]);
      out->push_back(kHex[c & 15]);
    } else {
      out->append(text.substr(i, length));
    }
    i += length == 0 ? 1 : length;
  }
  out->push_back('"');
}

template <class T>
void WriteReal(T value, std::string* out) {
  *out += std::isfinite(value) ? FormatNumber(value) : "null";
}

}  // namespace

void Json::Add(std::string key, Json value) {
  std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
}

void Json::Push(Json value) { std::get<Array>(value_).push_back(std::move(value)); }

std::string Json::Dump(int indent) const {
  std::string out;
  Write(&out, indent, 0);
  return out;
}

void Json::Write(std::string* out, int indent, int depth) const {
  auto new_line = [&](int level) {
    if (indent == 0) return;
    out->push_back('\n');
    out->append(static_cast<size_t>(indent) * static_cast<size_t>(level), ' ');
  };
  // Writes the items of an array or object between its brackets.
  auto write_items = [&](const auto& items, char open, char close, auto write_item) {
    out->push_back(open);
    bool first = true;
    for (const auto& item : items) {
      if (!first) out->push_back(',');
      first = false;
      new_line(depth + 1);
      write_item(item);
    }
    if (!first) new_line(depth);
    out->push_back(close);
  };
  if (std::holds_alternative<std::nullptr_t>(value_)) {
    *out += "null";
  } else if (const bool* b = std::get_if<bool>(&value_)) {
    *out += *b ? "true" : "false";
  } else if (const int64_t* n = std::get_if<int64_t>(&value_)) {
    *out += std::to_string(*n);
  } else if (const uint64_t* u = std::get_if<uint64_t>(&value_)) {
    *out += std::to_string(*u);
  } else if (const float* f = std::get_if<float>(&value_)) {
    WriteReal(*f, out);
  } else if (const double* d = std::get_if<double>(&value_)) {
    WriteReal(*d, out);
  } else if (const std::string* s = std::get_if<std::string>(&value_)) {
    WriteString(*s, out);
  } else if (const Array* a = std::get_if<Array>(&value_)) {
    write_items(*a, '[', ']', [&](const Json& item) { item.Write(out, indent, depth + 1); });
  } else if (const Object* o = std::get_if<Object>(&value_)) {
    write_items(*o, '{', '}', [&](const auto& member) {
      WriteString(member.first, out);
      *out += indent == 0 ? ":" : ": ";
      member.second.Write(out, indent, depth + 1);
    });
  }
}

}  // namespace slm
