#include "base/json.h"

#include <cmath>
#include <limits>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Those that JSON does not let stand, and DEL and U+0080 to U+009F, which steer terminals too.
bool IsControl(std::string_view text, size_t at, size_t length) {
  const unsigned char byte = static_cast<unsigned char>(text[at + length - 1]);
  return length == 1 ? byte < 0x20 || byte == 0x7F
                     : length == 2 && text[at] == '\xC2' && byte < 0xA0;
}

void WriteString(std::string_view text, std::string* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out->push_back('"');
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    size_t length = Utf8Length(text, i);
    if (length == 0) {
      *out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      *out += "\\n";
    } else if (c == '\t') {
      *out += "\\t";
    } else if (IsControl(text, i, length)) {
      const unsigned char point = static_cast<unsigned char>(text[i + length - 1]);
      *out += "\\u00";
      out->push_back(kHex[point >> 4]);
      out->push_back(kHex[point & 15]);
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

InputError WrongKind(std::string_view wanted, const Json& value) {
  return DataError("expected " + std::string(wanted) + " and found " + value.Dump().substr(0, 40));
}

}  // namespace

void Json::Add(std::string key, Json value) {
  std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
}

void Json::Push(Json value) { std::get<Array>(value_).push_back(std::move(value)); }

double Json::number() const {
  if (std::holds_alternative<std::nullptr_t>(value_)) return std::nan("");
  if (const int64_t* n = std::get_if<int64_t>(&value_)) return static_cast<double>(*n);
  if (const uint64_t* u = std::get_if<uint64_t>(&value_)) return static_cast<double>(*u);
  if (const float* f = std::get_if<float>(&value_)) return static_cast<double>(*f);
  if (const double* d = std::get_if<double>(&value_)) return *d;
  throw WrongKind("a number", *this);
}

int64_t Json::integer() const {
  if (const int64_t* n = std::get_if<int64_t>(&value_)) return *n;
  if (const uint64_t* u = std::get_if<uint64_t>(&value_)) {
    if (*u <= uint64_t{std::numeric_limits<int64_t>::max()}) return static_cast<int64_t>(*u);
  }
  throw WrongKind("a whole number", *this);
}

uint64_t Json::natural() const {
  if (const uint64_t* u = std::get_if<uint64_t>(&value_)) return *u;
  if (const int64_t* n = std::get_if<int64_t>(&value_)) {
    if (*n >= 0) return static_cast<uint64_t>(*n);
  }
  throw WrongKind("a whole number from 0 on", *this);
}

bool Json::boolean() const {
  if (const bool* b = std::get_if<bool>(&value_)) return *b;
  throw WrongKind("true or false", *this);
}

const std::string& Json::text() const {
  if (const std::string* s = std::get_if<std::string>(&value_)) return *s;
  throw WrongKind("a text", *this);
}

const Json::Array& Json::array() const {
  if (const Array* a = std::get_if<Array>(&value_)) return *a;
  throw WrongKind("a list", *this);
}

const Json::Object& Json::object() const {
  if (const Object* o = std::get_if<Object>(&value_)) return *o;
  throw WrongKind("an object", *this);
}

const Json* Json::Find(std::string_view key) const {
  for (const auto& [name, value] : object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  if (const Json* value = Find(key)) return *value;
  throw DataError("there is no \"" + std::string(key) + "\"");
}

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

std::string FirstDifference(const Json& found, const Json& wanted) {
  for (const auto& [key, value] : wanted.object()) {
    const Json* own = found.Find(key);
    const std::string has = own == nullptr ? "none" : own->Dump(), wants = value.Dump();
    if (has != wants) return "its " + key + " is " + has + ", that of this one is " + wants;
  }
  return "";
}

}  // namespace slm
