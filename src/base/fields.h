#pragma once

// The fields of a result, listed once. A struct names them in a member
//
//   template <class Visitor>
//   void VisitFields(Visitor& v) {
//     v("trial", index);                             // always there
//     v.Optional("failure", failure);                // left out of the JSON where it is empty
//     v.Derived("mean", [&] { return Mean(); });     // only written, for readers of the JSON
//     v.Object("seconds", [&](auto& in) { in("read", read_seconds); });
//   }
//
// and its JSON (WriteFields), the way back (ReadFields) and its bytes in a checkpoint (Serialize)
// come from that list: a field that is written is also read and kept.
//
// A field is a truth value, a number, a text, Json, an enum with names (NamesOf, found by its
// argument), a struct that lists its fields, or a std::optional, std::vector or std::array of
// these. In JSON a std::optional without a value and a number that is not finite are null.
//
// VisitFields changes nothing when it writes, so that constant objects can be visited, too.

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/json.h"
#include "base/options.h"
#include "slm/errors.h"

namespace slm {

template <class Enum>
using EnumNames = std::span<const std::pair<std::string_view, Enum>>;

template <class Enum>
std::string_view NameOf(Enum value) {
  for (const auto& [name, own] : NamesOf(value)) {
    if (own == value) return name;
  }
  return "";
}

namespace fields {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, size_t n>
inline constexpr bool kIsArray<std::array<T, n>> = true;

// Settings of options are an object in JSON, so they are no list of structs there.
template <class T>
inline constexpr bool kIsSettings = std::is_same_v<T, std::vector<OptionSetting>>;

// Whether a field that may be left out is.
template <class T>
bool IsEmpty(const T& value) {
  if constexpr (kIsOptional<T>) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == T{};
  }
}

// Where in the JSON something is wrong, from the inside out.
struct Failure {
  std::string path, what;
};

// Runs read(); what it complains about is in the field of that name.
template <class Read>
void Inside(const std::string& name, Read read) {
  try {
    read();
  } catch (Failure& failure) {
    const bool item = failure.path.starts_with('[');
    failure.path = name + (item ? "" : ".") + failure.path;
    throw;
  } catch (const InputError& error) {
    throw Failure{name, error.what()};
  }
}

// Throws a DataError with the place for what read() complains about.
template <class Read>
void FromTop(Read read) {
  try {
    read();
  } catch (const Failure& failure) {
    throw DataError("its " + failure.path + ": " + failure.what);
  }
}

}  // namespace fields

// ---- JSON out

class FieldWriter {
 public:
  static constexpr bool reading() { return false; }

  template <class T>
  void operator()(const char* name, const T& field) {
    json_.Add(name, ToJson(field));
  }
  template <class T>
  void Optional(const char* name, const T& field) {
    if (fields::IsEmpty(field)) return;
    (*this)(name, field);
  }
  // Left out where it has that value.
  template <class T>
  void Optional(const char* name, const T& field, const T& unless) {
    if (field != unless) (*this)(name, field);
  }
  // A word where the field is empty.
  template <class T>
  void OrWord(const char* name, const T& field, const char* word) {
    fields::IsEmpty(field) ? json_.Add(name, word) : json_.Add(name, ToJson(field));
  }
  template <class Value>
  void Derived(const char* name, Value value) {
    json_.Add(name, ToJson(value()));
  }
  template <class Value>
  void DerivedOptional(const char* name, Value value) {
    Optional(name, value());
  }
  // Fields of this struct in an object of their own.
  template <class Visit>
  void Object(const char* name, Visit visit) {
    FieldWriter inner;
    visit(inner);
    json_.Add(name, std::move(inner.json_));
  }
  // Items whose fields hang on what is around them: visit(visitor, item).
  template <class T, class Visit>
  void List(const char* name, std::vector<T>& items, Visit visit) {
    Json list = Json::MakeArray();
    for (T& item : items) {
      FieldWriter inner;
      visit(inner, item);
      list.Push(std::move(inner.json_));
    }
    json_.Add(name, std::move(list));
  }
  void Schema(const char* schema) { json_.Add("schema", schema); }

  Json Take() { return std::move(json_); }

  template <class T>
  static Json ToJson(const T& value) {
    if constexpr (requires(T & v, FieldWriter & w) { v.VisitFields(w); }) {
      FieldWriter writer;
      const_cast<T&>(value).VisitFields(writer);
      return writer.Take();
    } else if constexpr (std::is_enum_v<T>) {
      return NameOf(value);
    } else if constexpr (fields::kIsSettings<T>) {
      return SettingsToJson(value);
    } else if constexpr (fields::kIsVector<T> || fields::kIsArray<T>) {
      Json list = Json::MakeArray();
      for (const auto& item : value) list.Push(ToJson(item));
      return list;
    } else if constexpr (fields::kIsOptional<T>) {
      return value ? ToJson(*value) : Json(nullptr);
    } else {
      return Json(value);
    }
  }

 private:
  Json json_ = Json::MakeObject();
};

template <class T>
Json WriteFields(const T& value) {
  return FieldWriter::ToJson(value);
}

// ---- JSON in

class FieldReader {
 public:
  explicit FieldReader(const Json& json) : json_(json) {}
  static constexpr bool reading() { return true; }

  template <class T>
  void operator()(const char* name, T& field) {
    Read(json_[name], name, field);
  }
  template <class T>
  void Optional(const char* name, T& field) {
    Optional(name, field, T{});
  }
  template <class T>
  void Optional(const char* name, T& field, const T& otherwise) {
    const Json* found = json_.Find(name);
    if (found == nullptr) {
      field = otherwise;
    } else if constexpr (fields::kIsOptional<T>) {
      Read(*found, name, field.emplace());  // null is a value here: a number that is not finite
    } else {
      Read(*found, name, field);
    }
  }
  template <class T>
  void OrWord(const char* name, T& field, const char* word) {
    const Json& found = json_[name];
    field = {};
    if (!found.is_text() || found.text() != word) Read(found, name, field);
  }
  template <class Value>
  void Derived(const char*, Value) {}
  template <class Value>
  void DerivedOptional(const char*, Value) {}
  template <class Visit>
  void Object(const char* name, Visit visit) {
    const Json& inner = json_[name];
    fields::Inside(name, [&] {
      FieldReader reader(inner);
      visit(reader);
    });
  }
  template <class T, class Visit>
  void List(const char* name, std::vector<T>& items, Visit visit) {
    fields::Inside(name, [&] {
      ReadItems(json_[name], items, [&](const Json& json, T& item) {
        FieldReader reader(json);
        visit(reader, item);
      });
    });
  }
  void Schema(const char* schema) {
    const std::string& own = json_["schema"].text();
    if (own != schema) {
      throw DataError("its schema is '" + own.substr(0, 40) + "' and not '" + schema + "'");
    }
  }

  template <class T>
  static void FromJson(const Json& json, T& value) {
    if constexpr (requires(FieldReader & r) { value.VisitFields(r); }) {
      FieldReader reader(json);
      value.VisitFields(reader);
    } else if constexpr (std::is_same_v<T, Json>) {
      value = json;
    } else if constexpr (std::is_same_v<T, bool>) {
      value = json.boolean();
    } else if constexpr (std::is_enum_v<T>) {
      ReadName(json.text(), value);
    } else if constexpr (std::is_unsigned_v<T>) {
      const uint64_t number = json.natural();
      if (number > std::numeric_limits<T>::max()) throw DataError("it is too large");
      value = static_cast<T>(number);
    } else if constexpr (std::is_integral_v<T>) {
      const int64_t number = json.integer();
      if (number < std::numeric_limits<T>::min() || number > std::numeric_limits<T>::max()) {
        throw DataError("it is too large");
      }
      value = static_cast<T>(number);
    } else if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(json.number());
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = json.text();
    } else if constexpr (fields::kIsSettings<T>) {
      value = SettingsFromJson(json);
    } else if constexpr (fields::kIsVector<T> || fields::kIsArray<T>) {
      ReadItems(json, value, [](const Json& own, auto& item) { FromJson(own, item); });
    } else {
      static_assert(fields::kIsOptional<T>);
      value.reset();
      if (!json.is_null()) FromJson(json, value.emplace());
    }
  }

 private:
  template <class T>
  static void Read(const Json& json, const char* name, T& field) {
    fields::Inside(name, [&] { FromJson(json, field); });
  }

  template <class Items, class ReadItem>
  static void ReadItems(const Json& json, Items& items, ReadItem read) {
    const Json::Array& list = json.array();
    if constexpr (fields::kIsArray<Items>) {
      if (list.size() != items.size()) {
        throw DataError("expected " + std::to_string(items.size()) + " items and found " +
                        std::to_string(list.size()));
      }
    } else {
      items.clear();
      items.resize(list.size());
    }
    for (size_t i = 0; i < list.size(); ++i) {
      try {
        read(list[i], items[i]);
      } catch (...) {
        fields::Inside("[" + std::to_string(i) + "]", [] { throw; });
      }
    }
  }

  template <class Enum>
  static void ReadName(const std::string& text, Enum& value) {
    std::string all;
    for (const auto& [name, own] : NamesOf(Enum{})) {
      if (text == name) {
        value = own;
        return;
      }
      all += (all.empty() ? "" : " or ") + std::string(name);
    }
    throw DataError("expected " + all + " and found '" + text.substr(0, 40) + "'");
  }

  const Json& json_;
};

// Throws a DataError that names the field for JSON that is not of such a struct: one that lacks a
// field, or has a value of another type. Fields that it does not know are left alone.
template <class T>
T ReadFields(const Json& json) {
  T value;
  fields::FromTop([&] { FieldReader::FromJson(json, value); });
  return value;
}

// ---- Checkpoints

class FieldArchiver {
 public:
  explicit FieldArchiver(Archive& archive) : archive_(archive) {}
  bool reading() const { return archive_.reading(); }

  template <class T>
  void operator()(const char*, T& field) {
    SerializeValue(field);
  }
  template <class T>
  void Optional(const char*, T& field) {
    SerializeValue(field);
  }
  template <class T>
  void Optional(const char*, T& field, const T&) {
    SerializeValue(field);
  }
  template <class T>
  void OrWord(const char*, T& field, const char*) {
    SerializeValue(field);
  }
  template <class Value>
  void Derived(const char*, Value) {}
  template <class Value>
  void DerivedOptional(const char*, Value) {}
  template <class Visit>
  void Object(const char*, Visit visit) {
    visit(*this);
  }
  template <class T, class Visit>
  void List(const char*, std::vector<T>& items, Visit visit) {
    archive_.List(items, [&](T& item) { visit(*this, item); });
  }
  void Schema(const char*) {}  // the checkpoint as a whole has one

  template <class T>
  void SerializeValue(T& value) {
    if constexpr (requires { value.VisitFields(*this); }) {
      value.VisitFields(*this);
    } else if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = value ? 1 : 0;
      archive_.Value(byte);
      value = byte != 0;
    } else if constexpr (std::is_arithmetic_v<T>) {
      archive_.Value(value);
    } else if constexpr (std::is_enum_v<T>) {
      archive_.Value(value);
      if (NameOf(value).empty()) Archive::Fail("has an unknown kind");
    } else if constexpr (std::is_same_v<T, std::string>) {
      archive_.Text(value);
    } else if constexpr (fields::kIsVector<T>) {
      if constexpr (std::is_arithmetic_v<typename T::value_type>) {
        archive_.Any(value);
      } else {
        archive_.List(value, [&](auto& item) { SerializeValue(item); });
      }
    } else if constexpr (fields::kIsArray<T>) {
      for (auto& item : value) SerializeValue(item);
    } else {
      static_assert(fields::kIsOptional<T>);
      bool there = value.has_value();
      SerializeValue(there);
      if (there && !value) value.emplace();
      if (!there) value.reset();
      if (there) SerializeValue(*value);
    }
  }

 private:
  Archive& archive_;
};

template <class T>
requires(requires(T& value, FieldArchiver& archiver) { value.VisitFields(archiver); } ||
         fields::kIsVector<T>) void Serialize(Archive& archive, T& value) {
  FieldArchiver(archive).SerializeValue(value);
}

}  // namespace slm
