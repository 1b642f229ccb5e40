// slm methods: what can be chosen with --method; one method with its options and their defaults.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "base/output.h"
#include "cli/args.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

const char* KindName(MethodKind kind) {
  switch (kind) {
    case MethodKind::kSupervised:
      return "supervised";
    case MethodKind::kUnsupervised:
      return "unsupervised";
    case MethodKind::kReference:
      return "reference";
  }
  return "";
}

Json MethodToJson(const MethodEntry& method, const OptionList& options) {
  Json list = Json::MakeArray();
  for (const OptionField& field : options.fields()) {
    Json option = Json::MakeObject();
    option.Add("name", field.name);
    option.Add("flag", FlagStyle(field.name));
    option.Add("type", KindName(field.kind));
    option.Add("default", field.get());
    option.Add("allowed", field.allowed);
    option.Add("help", RenderFields(field.help, FlagStyle));
    list.Push(std::move(option));
  }
  Json json = Json::MakeObject();
  json.Add("name", method.name);
  json.Add("summary", method.summary);
  json.Add("reference", method.reference);
  json.Add("kind", KindName(method.kind));
  json.Add("options", std::move(list));
  return json;
}

std::string MethodToText(const MethodEntry& method, const OptionList& options) {
  std::string out = std::string(method.name) + "\n  " + std::string(method.summary) + "\n";
  if (!method.reference.empty()) out += "  " + std::string(method.reference) + "\n";
  for (const OptionField& field : options.fields()) {
    std::string setting = FlagStyle(field.name) + " " + field.get();
    out += "    " + (setting.size() < 30 ? Fit(setting, 30) : setting + " ") +
           RenderFields(field.help, FlagStyle);
    bool choice = field.kind == OptionField::Kind::kText && !field.allowed.empty();
    out += choice ? " (" + field.allowed + ")\n" : "\n";
  }
  return out;
}

// Name and summary, and what to cite below it.
std::string MethodToLines(const MethodEntry& method, size_t name_width) {
  std::string out = Fit(method.name, name_width) + "  " + std::string(method.summary) + "\n";
  if (method.reference.empty()) return out;
  return out + std::string(name_width + 4, ' ') + std::string(method.reference) + "\n";
}

// Text with the characters that a Markdown table would take for its own kept apart.
std::string TableCell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string MethodToMarkdown(const MethodEntry& method, const OptionList& options) {
  std::string out = "## `" + std::string(method.name) + "`\n\n" + std::string(method.summary) +
                    " (" + KindName(method.kind) + ")\n";
  if (!method.reference.empty()) out += "\nCite: " + std::string(method.reference) + "\n";
  if (options.fields().empty()) return out;
  out += "\n| option | default | allowed | what it does |\n|---|---|---|---|\n";
  for (const OptionField& field : options.fields()) {
    out += "| `" + FlagStyle(field.name) + "` | " + TableCell(field.get()) + " | " +
           TableCell(field.allowed) + " | " + TableCell(RenderFields(field.help, FlagStyle)) +
           " |\n";
  }
  return out;
}

constexpr std::string_view kMarkdownHead =
    "# Methods\n\n"
    "Made by `slm methods --markdown` from the table behind the command; do not edit.\n\n"
    "Every method chooses exactly k columns of the training rows and gives every column a score. "
    "Text, dates and\nmissing cells are handled alike for all of them. `slm compare` compares them "
    "on the same splits.\n";

}  // namespace

int RunMethods(Arguments arguments) {
  std::string name;
  bool json = false, markdown = false;
  CommandFlags flags(arguments,
                     {.example = "slm methods lasso",
                      .usage = "methods [METHOD] [flags]",
                      .summary = "Lists the methods, or shows one with its options and their "
                                 "defaults."});
  flags.own().Bool("json", &json, "print methods and options as JSON");
  flags.own().Bool("markdown", &markdown, "print methods and options as Markdown");
  std::vector<std::string> names;
  for (const MethodEntry& method : Methods()) names.emplace_back(method.name);
  flags.parser().Positional("METHOD", &name, "Show this one, with its options.", "", names);
  if (!flags.Parse()) return kDone;

  std::span<const MethodEntry> methods = Methods();
  if (!name.empty()) methods = std::span(&FindMethod(name), 1);
  size_t name_width = 0;
  for (const MethodEntry& method : methods) name_width = std::max(name_width, method.name.size());
  Json list = Json::MakeArray();
  std::string text = markdown ? std::string(kMarkdownHead) : "";
  for (const MethodEntry& method : methods) {
    std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    if (json) {
      list.Push(MethodToJson(method, options));
    } else if (markdown) {
      text += "\n" + MethodToMarkdown(method, options);
    } else {
      text += name.empty() ? MethodToLines(method, name_width) : MethodToText(method, options);
    }
  }
  if (json) {
    Json document = Json::MakeObject();
    document.Add("schema", "slm.methods/1");
    document.Add("methods", std::move(list));
    text = document.Dump(2) + "\n";
  }
  WriteStdout(text);
  return flags.Done("listed " + std::to_string(methods.size()) + " of " +
                    std::to_string(Methods().size()) + " methods");
}

}  // namespace slm
