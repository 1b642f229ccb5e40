#include "cli/method_list.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "base/options.h"
#include "cli/args.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

// METHOD.OPTION=VALUE as the user wrote it: the method, and the setting.
std::pair<std::string, OptionSetting> ParseSetting(const std::string& text) {
  const size_t dot = text.find('.'), equals = text.find('=');
  if (dot == std::string::npos || equals == std::string::npos || equals < dot) {
    throw UsageError("--set got '" + text + "'; it takes METHOD.OPTION=VALUE, as in stg.epochs=50");
  }
  return {text.substr(0, dot), {text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)}};
}

std::unique_ptr<Selector> MakeWith(const MethodEntry& entry,
                                   const std::vector<OptionSetting>& settings) {
  std::unique_ptr<Selector> selector = entry.make();
  OptionList options;
  selector->DescribeOptions(options);
  options.SetAll(settings);
  return selector;
}

}  // namespace

std::vector<ComparedMethod> MethodsByName(const std::vector<std::string>& written,
                                          const std::vector<std::string>& set) {
  std::vector<const MethodEntry*> entries;
  auto add = [&](const MethodEntry& entry) {
    if (std::find(entries.begin(), entries.end(), &entry) == entries.end()) {
      entries.push_back(&entry);
    }
  };
  for (const std::string& text : written) {
    for (const std::string& name : SplitList(text)) {
      if (name == "all") {
        for (const MethodEntry& entry : Methods()) add(entry);
      } else {
        add(FindMethod(name));
      }
    }
  }
  std::map<std::string_view, std::vector<OptionSetting>> settings;
  for (const std::string& text : set) {
    auto [method, setting] = ParseSetting(text);
    settings[FindMethod(method).name].push_back(std::move(setting));
  }
  std::vector<ComparedMethod> methods;
  for (const MethodEntry* entry : entries) {
    std::vector<OptionSetting> own = settings[entry->name];
    MakeWith(*entry, own);  // complains about options now, not in a row of the result
    methods.push_back({std::string(entry->name), [entry, own] { return MakeWith(*entry, own); }});
  }
  return methods;
}

}  // namespace slm
