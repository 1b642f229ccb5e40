#include "cli/args.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

// How a page of help is asked for, and in which form.
constexpr std::string_view kManPage = "--help=man";
constexpr std::string_view kComplete = "--help=complete:";

// A word as it is typed in a shell: between quotes where it needs them.
std::string ShellWord(std::string_view word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (ToLower(c) >= 'a' && ToLower(c) <= 'z') ||
           std::string_view("_-.,:/+%@").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(word);
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// slm select data.csv price: where the column seems to stand among the files.
std::string TargetAmong(const std::vector<std::string>& files) {
  std::error_code unknown;
  if (files.size() < 2 || std::filesystem::exists(files.back(), unknown)) return "";
  return ", as in " + FlagStyle("target") + " " + files.back();
}

// -o: the flags that begin so.
std::string HintAtInitial(char initial, const std::vector<std::string>& flags) {
  constexpr size_t kMostFlags = 4;
  std::vector<std::string> found;
  for (const std::string& flag : flags) {
    if (flag.front() == initial) found.push_back("--" + flag);
  }
  if (found.empty() || found.size() > kMostFlags) return "";
  std::string list = found[0];
  for (size_t i = 1; i < found.size(); ++i) {
    list += (i + 1 == found.size() ? " or " : ", ") + found[i];
  }
  return "; did you mean " + list + "?";
}

}  // namespace

std::string FlagStyle(std::string_view field, std::string_view value) {
  std::string flag = (field.size() == 1 ? "-" : "--") + std::string(field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return value.empty() ? flag : flag + " " + ShellWord(value);
}

void ArgParser::Positional(std::string name, std::string* value, std::string help,
                           std::string missing, std::vector<std::string> known) {
  positionals_.push_back(
      {std::move(name), std::move(help), std::move(missing), std::move(known), value});
}

void ArgParser::Positionals(std::string name, std::vector<std::string>* values, std::string help,
                            std::string missing) {
  positionals_.push_back(
      {std::move(name), std::move(help), std::move(missing), {}, nullptr, values});
}

void ArgParser::Flags(const OptionList& options) {
  for (const OptionField& field : options.fields()) {
    if (field.group.empty() || field.kind == OptionField::Kind::kObject) continue;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& g) { return g.heading == field.group; });
    if (group == groups_.end()) group = groups_.insert(group, {field.group, {}});
    group->fields.push_back(field);
  }
}

void ArgParser::ExplainUnknown(std::function<std::string(std::string_view)> explain) {
  explain_unknown_ = std::move(explain);
}

const OptionField* ArgParser::FindFlag(std::string_view name) const {
  for (const Group& group : groups_) {
    for (const OptionField& field : group.fields) {
      if (field.name == name || field.flag() == name) return &field;
    }
  }
  return nullptr;
}

std::string ArgParser::Hint(std::string_view name, const std::string& dashes) const {
  std::vector<std::string> flags = {"help"};
  for (const Group& group : groups_) {
    for (const OptionField& field : group.fields) {
      if (field.name.size() > 1) flags.push_back(field.flag());
    }
  }
  std::string near = NearestName(name, flags);
  if (!near.empty()) return "; did you mean " + dashes + near + "?";
  std::string hint = explain_unknown_ ? explain_unknown_(name) : "";
  if (hint.empty() && name.size() == 1) return HintAtInitial(name[0], flags);
  return hint.empty() ? "" : "; " + hint;
}

void ArgParser::AddFileSettings(std::vector<std::string>* complaints) {
  std::vector<Assignment> found;
  for (const FileSetting& setting : file_) {
    const OptionField* field = FindFlag(setting.name);
    if (field == nullptr) {
      complaints->push_back(setting.where + ": unknown key " + setting.name +
                            Hint(setting.name, ""));
    } else if (field->reaches_out) {
      complaints->push_back(setting.where + ": " + field->name +
                            " cannot be set in a file, which may name no files, queries or " +
                            "network; give " + FlagStyle(field->name) + " on the command line");
    } else if (!Given(setting.name)) {
      found.push_back({field, setting.value, setting.where});
    }
  }
  assignments_.insert(assignments_.end(), found.begin(), found.end());
}

void ArgParser::ParseFlag(std::span<const std::string> args, size_t* i,
                          std::vector<std::string>* complaints) {
  const std::string& arg = args[*i];
  bool is_long = arg.starts_with("--");
  size_t equals = arg.find('=');
  bool has_value = equals != std::string::npos;
  std::string name = arg.substr(is_long ? 2 : 1, has_value ? equals - (is_long ? 2 : 1) : equals);
  std::string value = has_value ? arg.substr(equals + 1) : "";
  if (!is_long && name.size() > 1) {  // -k5
    value = arg.substr(2);
    has_value = true;
    name.resize(1);
  }
  const OptionField* field = FindFlag(name);
  if (field == nullptr && name.starts_with("no-") && !has_value) {
    field = FindFlag(name.substr(3));
    if (field != nullptr && field->kind != OptionField::Kind::kBool) field = nullptr;
    value = "false";
    has_value = field != nullptr;
  }
  if (field == nullptr || is_long != (field->name.size() > 1)) {
    bool dashes = field != nullptr;
    std::string written = is_long || dashes ? arg.substr(0, equals) : arg;
    complaints->push_back(dashes ? "unknown flag " + written + "; did you mean " +
                                       FlagStyle(field->name) + "?"
                                 : "unknown flag " + written + Hint(name, "--"));
    return;
  }
  if (!has_value && field->kind == OptionField::Kind::kBool) {
    value = "true";
  } else if (!has_value) {
    // A known flag in the place of the value means that the value was forgotten.
    bool next_is_flag = *i + 1 < args.size() && args[*i + 1].starts_with("--") &&
                        FindFlag(args[*i + 1].substr(2)) != nullptr;
    if (*i + 1 >= args.size() || next_is_flag) {
      complaints->push_back(FlagStyle(field->name) + " needs a value");
      return;
    }
    value = args[++*i];
  }
  assignments_.push_back({field, std::move(value)});
}

void ArgParser::RefuseContradictions(std::vector<std::string>* complaints) const {
  for (size_t i = 0; i < assignments_.size(); ++i) {
    const Assignment& one = assignments_[i];
    if (one.field->missing.empty() || !one.where.empty()) continue;
    const auto earlier =
        std::find_if(assignments_.begin(), assignments_.begin() + static_cast<ptrdiff_t>(i),
                     [&](const Assignment& other) {
                       return other.field == one.field && other.text != one.text;
                     });
    if (earlier == assignments_.begin() + static_cast<ptrdiff_t>(i)) continue;
    complaints->push_back(FlagStyle(one.field->name) + " is set twice, to '" + earlier->text +
                          "' and to '" + one.text + "'; keep one of them");
  }
}

bool ArgParser::Parse(std::span<const std::string> args) {
  assignments_.clear();
  // Completions stand behind all else, also behind a flag whose value is still missing.
  if (!args.empty() && args.back().starts_with(kComplete)) {
    form_ = HelpForm::kCompletions;
    line_.assign(args.begin(), args.end());
    line_.back().erase(0, kComplete.size());
    return false;
  }
  std::vector<std::string> complaints;
  std::vector<std::string> words;
  bool flags_ended = false;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (flags_ended || arg.size() < 2 || arg[0] != '-') {
      words.push_back(arg);
    } else if (arg == "--") {
      flags_ended = true;
    } else if (arg == "--help" || arg == "-h" || arg == kManPage) {
      form_ = arg == kManPage ? HelpForm::kManPage : HelpForm::kText;
      return false;
    } else {
      ParseFlag(args, &i, &complaints);
    }
  }
  RefuseContradictions(&complaints);
  AddFileSettings(&complaints);
  // After an unknown flag nobody knows whether the next word was its value, nor which flag was
  // meant, so nothing is called missing or unexpected then.
  bool certain = complaints.empty();
  const std::vector<std::string> given = words;
  for (size_t i = 0; i < positionals_.size(); ++i) {
    const PositionalField& positional = positionals_[i];
    if (positional.values != nullptr && i < words.size()) {
      positional.values->assign(words.begin() + static_cast<ptrdiff_t>(i), words.end());
      words.resize(positionals_.size());
    } else if (i < words.size()) {
      *positional.value = words[i];
    } else if (certain && !positional.missing.empty()) {
      complaints.push_back(positional.name + " is missing: " + positional.missing);
    }
  }
  for (size_t i = positionals_.size(); certain && i < words.size(); ++i) {
    complaints.push_back("unexpected argument '" + words[i] + "'");
  }
  for (const Group& group : groups_) {
    for (const OptionField& field : group.fields) {
      if (!certain || field.missing.empty() || Given(field.name)) continue;
      if (!field.unless.empty() && Given(field.unless)) continue;
      complaints.push_back(FlagStyle(field.name) + " is missing: " + field.missing +
                           (field.name == "target" ? TargetAmong(given) : ""));
    }
  }
  for (const Group& group : groups_) {
    for (const OptionField& field : group.fields) {
      for (const Assignment& assignment : assignments_) {
        if (assignment.field != &field || field.set(assignment.text)) continue;
        complaints.push_back((assignment.where.empty() ? FlagStyle(field.name)
                                                       : assignment.where + ": " + field.name) +
                             " cannot be '" + assignment.text + "'" +
                             (field.allowed.empty() ? "" : "; it takes " + field.allowed));
      }
    }
  }
  ThrowComplaints(complaints);
  return true;
}

bool ArgParser::Given(std::string_view name) const {
  const OptionField* field = FindFlag(name);
  return std::any_of(assignments_.begin(), assignments_.end(),
                     [&](const Assignment& assignment) { return assignment.field == field; });
}

std::string FlagValue(std::span<const std::string> arguments, std::string_view flag,
                      std::string otherwise) {
  std::string value = std::move(otherwise);
  const std::string with_value = std::string(flag) + "=";
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    const bool followed = i + 1 < arguments.size() && !arguments[i + 1].starts_with("--");
    if (argument == flag && followed) value = arguments[i + 1];
    if (argument.starts_with(with_value)) value = argument.substr(with_value.size());
  }
  return value;
}

}  // namespace slm
