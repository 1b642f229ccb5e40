// What a command says about itself, in three forms from one description: a page for terminals, a
// manual page, and completions for shells.

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "cli/args.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kHelpIndent = 26;
constexpr size_t kHelpWidth = 96;

// Takes the back-quoted word out of `help` and returns it; empty if there is none.
std::string TakeValueName(std::string* help) {
  size_t open = help->find('`');
  size_t close = open == std::string::npos ? open : help->find('`', open + 1);
  if (close == std::string::npos) return "";
  std::string name = help->substr(open + 1, close - open - 1);
  help->erase(close, 1);
  help->erase(open, 1);
  return name;
}

// Adds the line or lines of one entry: `left`, and `text` beside it, wrapped at kHelpWidth.
void AppendEntry(const std::string& left, std::string_view text, std::string* out) {
  *out += left;
  bool fits = left.size() + 2 <= kHelpIndent;
  *out += fits ? std::string(kHelpIndent - left.size(), ' ') : "\n" + std::string(kHelpIndent, ' ');
  size_t width = kHelpIndent;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    if (width > kHelpIndent && width + 1 + end - at > kHelpWidth) {
      *out += "\n" + std::string(kHelpIndent, ' ');
      width = kHelpIndent;
    } else if (width > kHelpIndent) {
      *out += ' ';
      ++width;
    }
    out->append(text.substr(at, end - at));
    width += end - at;
    at = end + 1;
  }
  *out += '\n';
}

// The names that an option takes, if they are a fixed set.
std::vector<std::string> ChoicesOf(const OptionField& field) {
  std::vector<std::string> choices;
  if (field.kind != OptionField::Kind::kText || field.allowed.empty()) return choices;
  for (size_t at = 0; at < field.allowed.size();) {
    const size_t end = std::min(field.allowed.find(", ", at), field.allowed.size());
    choices.push_back(field.allowed.substr(at, end - at));
    if (choices.back().find(' ') != std::string::npos) return {};  // a description
    at = end + 2;
  }
  return choices;
}

// An option as a page shows it.
struct FlagEntry {
  std::string flag;   // "--no-cross-fit"
  std::string value;  // "N", "FILE", "auto|never"; empty for switches
  std::string help;   // a sentence
};

FlagEntry Describe(const OptionField& field) {
  FlagEntry entry{FlagStyle(field.name), "", RenderFields(field.help, FlagStyle)};
  entry.value = TakeValueName(&entry.help);
  std::string initial = field.get();
  if (field.kind == OptionField::Kind::kBool) {
    if (initial == "true") entry.flag = "--no-" + field.flag();
    initial = initial == "true" ? "on" : "";
    entry.value.clear();
  } else if (entry.value.empty()) {
    const bool numeric =
        field.kind == OptionField::Kind::kInt || field.kind == OptionField::Kind::kReal;
    if (numeric) entry.value = field.kind == OptionField::Kind::kInt ? "N" : "X";
    if (!numeric && !field.allowed.empty()) {
      std::string names = field.allowed;
      for (size_t at; (at = names.find(", ")) != std::string::npos;) names.replace(at, 2, "|");
      if (entry.flag.size() + names.size() + 2 < 2 * kHelpIndent) {
        entry.value = names;
      } else {
        entry.help += ": " + field.allowed;
      }
    }
    if (entry.value.empty()) entry.value = "TEXT";
  }
  // Whoever described the option, its help reads as a sentence.
  if (entry.help.ends_with('.')) entry.help.pop_back();
  if (!entry.help.empty() && entry.help[0] >= 'a' && entry.help[0] <= 'z') {
    entry.help[0] = static_cast<char>(entry.help[0] - 'a' + 'A');
  }
  if (field.kind == OptionField::Kind::kList) entry.help += "; repeatable";
  if (!initial.empty() && field.missing.empty()) entry.help += " (default " + initial + ")";
  entry.help += ".";
  return entry;
}

// Text for roff: nothing in it is taken for a request, and dashes stay dashes.
std::string Roff(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\') {
      out += "\\e";
    } else if (text[i] == '-') {
      out += "\\-";
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string ArgParser::Help() const {
  switch (form_) {
    case HelpForm::kManPage:
      return ManPage();
    case HelpForm::kCompletions:
      return Completions();
    case HelpForm::kText:
      break;
  }
  std::string out = "Example:\n  " + text_.example + "\n\nUsage:\n  slm " + text_.usage + "\n\n" +
                    text_.summary + "\n";
  if (!positionals_.empty()) out += '\n';
  for (const PositionalField& positional : positionals_) {
    AppendEntry("  " + positional.name, positional.help, &out);
  }
  for (const Group& group : groups_) {
    out += "\n" + group.heading + ":\n";
    for (const OptionField& field : group.fields) {
      const FlagEntry entry = Describe(field);
      AppendEntry("  " + entry.flag + (entry.value.empty() ? "" : " " + entry.value), entry.help,
                  &out);
    }
  }
  return out;
}

std::string ArgParser::ManPage() const {
  const std::string command = text_.usage.substr(0, text_.usage.find(' '));
  std::string first = text_.summary.substr(0, text_.summary.find_first_of(".:"));
  std::replace(first.begin(), first.end(), '\n', ' ');
  std::string upper = command;
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::string out = ".TH SLM\\-" + Roff(upper) + " 1 \"\" \"slm " + Roff(Version()) + "\"\n" +
                    ".SH NAME\nslm\\-" + Roff(command) + " \\- " + Roff(first) +
                    "\n.SH SYNOPSIS\n.B slm\n" + Roff(text_.usage) + "\n.SH EXAMPLE\n.nf\n" +
                    Roff(text_.example) + "\n.fi\n.SH DESCRIPTION\n.nf\n" + Roff(text_.summary) +
                    "\n.fi\n";
  for (const PositionalField& positional : positionals_) {
    out += ".TP\n.I " + Roff(positional.name) + "\n" + Roff(positional.help) + "\n";
  }
  for (const Group& group : groups_) {
    out += ".SH " + Roff(group.heading) + "\n";
    for (const OptionField& field : group.fields) {
      const FlagEntry entry = Describe(field);
      out += ".TP\n\\fB" + Roff(entry.flag) + "\\fR" +
             (entry.value.empty() ? "" : " \\fI" + Roff(entry.value) + "\\fR") + "\n" +
             Roff(entry.help) + "\n";
    }
  }
  return out + ".SH SEE ALSO\n.BR slm (1)\n";
}

// One candidate a line, a tab and what it means behind it. None where the shell knows better: names
// of files, and values that are free.
std::string ArgParser::Completions() const {
  const std::string& current = line_.back();
  std::string out;
  auto offer = [&](const std::string& word, const std::string& meaning) {
    if (word.starts_with(current)) out += word + (meaning.empty() ? "" : "\t" + meaning) + "\n";
  };
  if (line_.size() > 1 && line_[line_.size() - 2].starts_with('-')) {
    const std::string& before = line_[line_.size() - 2];
    const OptionField* field = FindFlag(before.substr(before.starts_with("--") ? 2 : 1));
    if (field != nullptr && field->kind != OptionField::Kind::kBool) {
      for (const std::string& choice : ChoicesOf(*field)) offer(choice, "");
      return out;
    }
  }
  if (!current.starts_with('-')) {
    for (const PositionalField& positional : positionals_) {
      for (const std::string& word : positional.known) offer(word, "");
    }
    return out;
  }
  for (const Group& group : groups_) {
    for (const OptionField& field : group.fields) {
      const FlagEntry entry = Describe(field);
      offer(entry.flag, entry.help);
    }
  }
  offer("--help", "Show the flags.");
  return out;
}

}  // namespace slm
