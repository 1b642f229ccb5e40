#include "jobs/methods.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/options.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Settings = std::vector<OptionSetting>;

// The method by that name, or a complaint and null.
const MethodEntry* Lookup(const std::string& name, std::vector<std::string>* complaints) {
  try {
    return &FindMethod(name);
  } catch (const InputError& error) {
    complaints->push_back(error.marked());
    return nullptr;
  }
}

void AddOptionComplaints(const MethodEntry& entry, const Settings& settings,
                         std::vector<std::string>* complaints) {
  const std::unique_ptr<Selector> selector = entry.make();
  OptionList options;
  selector->DescribeOptions(options);
  for (const OptionSetting& setting : settings) {
    const bool known = options.Find(setting.name) != nullptr;
    const std::string owners = known ? "" : OwnersOf(setting.name);
    for (const std::string& complaint : options.TrySetAll(std::span(&setting, 1))) {
      complaints->push_back("method " + std::string(entry.name) + ": " + complaint +
                            (owners.empty() ? "" : "; it belongs to " + owners));
    }
  }
}

std::unique_ptr<Selector> MakeWith(const MethodEntry& entry, const Settings& settings) {
  std::unique_ptr<Selector> selector = entry.make();
  OptionList options;
  selector->DescribeOptions(options);
  options.SetAll(settings);
  return selector;
}

std::vector<const MethodEntry*> EntriesOf(const MethodList& list,
                                          std::vector<std::string>* complaints) {
  std::vector<const MethodEntry*> entries;
  auto add = [&](const MethodEntry* entry) {
    if (entry != nullptr && std::find(entries.begin(), entries.end(), entry) == entries.end()) {
      entries.push_back(entry);
    }
  };
  for (const std::string& text : list.methods) {
    for (const std::string& name : SplitList(text)) {
      if (name == "all") {
        for (const MethodEntry& entry : Methods()) add(&entry);
      } else {
        add(Lookup(name, complaints));
      }
    }
  }
  if (entries.empty() && complaints->empty()) {
    complaints->push_back(FieldRef("methods") + " names no method; 'slm methods' lists them");
  }
  return entries;
}

std::map<const MethodEntry*, Settings> SettingsOf(const MethodList& list,
                                                  std::vector<std::string>* complaints) {
  std::map<const MethodEntry*, Settings> settings;
  for (const MethodSetting& one : list.set) {
    if (const MethodEntry* entry = Lookup(one.method, complaints)) {
      settings[entry].push_back({one.option, one.value});
    }
  }
  return settings;
}

}  // namespace

SelectorFactory FactoryOf(const MethodChoice& choice) {
  if (choice.make_selector) return choice.make_selector;
  return [&entry = FindMethod(choice.method), options = choice.options] {
    return MakeWith(entry, options);
  };
}

std::vector<ComparedMethod> MethodsOf(const MethodList& list) {
  std::vector<std::string> complaints;
  const std::vector<const MethodEntry*> entries = EntriesOf(list, &complaints);
  std::map<const MethodEntry*, Settings> settings = SettingsOf(list, &complaints);
  ThrowComplaints(complaints);
  std::vector<ComparedMethod> methods;
  for (const MethodEntry* entry : entries) {
    methods.push_back({std::string(entry->name),
                       [entry, own = settings[entry]] { return MakeWith(*entry, own); }});
  }
  return methods;
}

void AddMethodComplaints(const MethodChoice& choice, std::vector<std::string>* complaints) {
  if (choice.make_selector) return;
  const MethodEntry* entry = Lookup(choice.method, complaints);
  if (entry != nullptr) AddOptionComplaints(*entry, choice.options, complaints);
}

void AddMethodComplaints(const MethodList& list, std::vector<std::string>* complaints) {
  EntriesOf(list, complaints);
  for (const auto& [entry, settings] : SettingsOf(list, complaints)) {
    AddOptionComplaints(*entry, settings, complaints);
  }
}

std::string OwnersOf(std::string_view option) {
  std::string owners;
  for (const MethodEntry& method : Methods()) {
    const std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    if (options.Find(option) == nullptr) continue;
    owners += (owners.empty() ? "" : ", ") + std::string(method.name);
  }
  return owners;
}

}  // namespace slm
