// slm methods: what can be chosen with --method, and every option with its default.

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "selectors/catalog.h"

namespace slm {
namespace {

const char* KindName(OptionField::Kind kind) {
  switch (kind) {
    case OptionField::Kind::kBool:
      return "bool";
    case OptionField::Kind::kInt:
      return "int";
    case OptionField::Kind::kReal:
      return "real";
    case OptionField::Kind::kText:
      return "text";
  }
  return "";
}

Json MethodToJson(const MethodEntry& method, const OptionList& options) {
  Json list = Json::MakeArray();
  for (const OptionField& field : options.fields()) {
    Json option = Json::MakeObject();
    option.Add("name", field.name);
    option.Add("flag", FlagText(field));
    option.Add("type", KindName(field.kind));
    option.Add("default", field.get());
    option.Add("allowed", field.allowed);
    option.Add("help", field.help);
    list.Push(std::move(option));
  }
  Json json = Json::MakeObject();
  json.Add("name", method.name);
  json.Add("summary", method.summary);
  json.Add("reference", method.reference);
  json.Add("options", std::move(list));
  return json;
}

std::string MethodToText(const MethodEntry& method, const OptionList& options) {
  std::string out = std::string(method.name) + "\n  " + std::string(method.summary) + "\n";
  if (!method.reference.empty()) out += "  " + std::string(method.reference) + "\n";
  for (const OptionField& field : options.fields()) {
    std::string setting = FlagText(field) + " " + field.get();
    out += "    " + (setting.size() < 30 ? Fit(setting, 30) : setting + " ") + field.help;
    bool choice = field.kind == OptionField::Kind::kText && !field.allowed.empty();
    out += choice ? " (" + field.allowed + ")\n" : "\n";
  }
  return out;
}

}  // namespace

int RunMethods(Arguments arguments) {
  std::string name;
  bool json = false;
  OptionList flags;
  flags.Bool("json", &json, "print the list as JSON");
  ArgParser parser({.example = "slm methods slm",
                    .usage = "methods [METHOD] [--json]",
                    .summary = "Lists the methods, each with its options and their defaults."});
  parser.Positional("METHOD", &name, "Show this one alone.", "");
  parser.Flags("Flags", flags);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }

  Json list = Json::MakeArray();
  std::string text;
  std::span<const MethodEntry> methods = Methods();
  if (!name.empty()) methods = std::span(&FindMethod(name), 1);
  for (const MethodEntry& method : methods) {
    std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    if (json) {
      list.Push(MethodToJson(method, options));
    } else {
      text += (text.empty() ? "" : "\n") + MethodToText(method, options);
    }
  }
  if (json) {
    Json document = Json::MakeObject();
    document.Add("schema", "slm.methods/1");
    document.Add("methods", std::move(list));
    text = document.Dump(2) + "\n";
  }
  WriteStdout(text);
  return kDone;
}

}  // namespace slm
