#include "cli/config.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "data/readers/bytes.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kKeyCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
constexpr std::string_view kNumberCharacters = "0123456789+-._eE";

// One line, from left to right.
class LineReader {
 public:
  LineReader(std::string_view line, std::string where) : rest_(line), where_(std::move(where)) {}

  // Adds what the line sets; nothing if it is empty or a comment.
  void Read(std::vector<FileSetting>* settings) {
    if (AtEnd()) return;
    if (rest_[0] == '[') Fail("tables are not known here; write key = value");
    const std::string key = Take(kKeyCharacters);
    if (key.empty()) Fail("expected key = value");
    SkipSpace();
    if (!TakeCharacter('=')) Fail("expected '=' after " + key);
    SkipSpace();
    for (const FileSetting& other : *settings) {
      if (other.name == key) Fail(key + " is set twice");
    }
    if (TakeCharacter('[')) {
      do {
        SkipSpace();
        if (rest_.starts_with(']')) break;
        settings->push_back({key, Value(key), where_});
        SkipSpace();
      } while (TakeCharacter(','));
      if (!TakeCharacter(']')) Fail("expected ']' at the end of the list " + key);
    } else {
      settings->push_back({key, Value(key), where_});
    }
    if (!AtEnd()) Fail("unexpected text after the value of " + key);
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const { throw DataError(where_ + ": " + what); }

  void SkipSpace() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  bool AtEnd() {
    SkipSpace();
    return rest_.empty() || rest_[0] == '#';
  }

  bool TakeCharacter(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string Take(std::string_view characters) {
    const size_t length = std::min(rest_.find_first_not_of(characters), rest_.size());
    std::string taken(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return taken;
  }

  std::string Value(const std::string& key) {
    if (TakeCharacter('"')) return Quoted('"');
    if (TakeCharacter('\'')) return Quoted('\'');
    for (std::string_view word : {"true", "false"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return std::string(word);
    }
    std::string number = Take(kNumberCharacters);
    if (number.empty()) Fail("expected a value of " + key + ": a number, true, false or \"text\"");
    std::erase(number, '_');  // 1_000 is a thousand
    return number[0] == '+' ? number.substr(1) : number;
  }

  // Escapes exist between double quotes only.
  std::string Quoted(char quote) {
    static constexpr std::string_view kLetters = "\"\\bfnrt", kMeanings = "\"\\\b\f\n\r\t";
    std::string text;
    while (!rest_.empty()) {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == quote) return text;
      if (c != '\\' || quote == '\'') {
        text.push_back(c);
        continue;
      }
      const size_t escape = rest_.empty() ? kLetters.npos : kLetters.find(rest_[0]);
      if (escape == kLetters.npos) Fail("unknown escape; write \\\\ for a backslash");
      text.push_back(kMeanings[escape]);
      rest_.remove_prefix(1);
    }
    Fail("the closing quote is missing");
  }

  std::string_view rest_;
  const std::string where_;
};

}  // namespace

ConfigFlag::ConfigFlag(Arguments arguments) : path_(FlagValue(arguments, "--config", "")) {
  if (!path_.empty()) settings_ = ReadConfig(path_);
}

void ConfigFlag::Describe(OptionList* what, ArgParser* parser) {
  what->File("config", &path_,
             "`FILE` of flags as key = value; flags on the command line take precedence; 'slm tune "
             "--config-out' writes one");
  parser->Preset(settings_);
}

const FileSetting* ConfigFlag::Find(std::string_view name) const {
  for (const FileSetting& setting : settings_) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

std::vector<FileSetting> ParseConfig(std::string_view text, const std::string& name) {
  std::vector<FileSetting> settings;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    LineReader(line, name + " line " + std::to_string(number)).Read(&settings);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return settings;
}

std::vector<FileSetting> ReadConfig(const std::string& path) {
  const FileBytes bytes(path);
  return ParseConfig(bytes.view(), path);
}

std::string WriteConfig(const std::string& comment, const std::string& method,
                        std::span<const OptionSetting> settings, const OptionList& options) {
  std::string out;
  for (std::string_view rest = comment; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    out += "# " + std::string(rest.substr(0, end)) + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // JSON's quotes and escapes are TOML's too.
  out += "method = " + Json(method).Dump() + "\n";
  for (const OptionSetting& setting : settings) {
    const OptionField* field = options.Find(setting.name);
    const bool text = field == nullptr || field->kind == OptionField::Kind::kText;
    out += setting.name + " = " + (text ? Json(setting.value).Dump() : setting.value) + "\n";
  }
  return out;
}

}  // namespace slm
