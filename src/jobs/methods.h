#pragma once

// The methods that a request names, with the options it sets.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "slm/requests.h"
#include "slm/selector.h"

namespace slm {

using SelectorFactory = std::function<std::unique_ptr<Selector>()>;

struct ComparedMethod {
  std::string name;
  SelectorFactory make;  // may throw
};

// The selector of the request, with its options. Throws a UsageError for names that do not exist.
SelectorFactory FactoryOf(const MethodChoice& choice);

// The methods that are named, each once and in that order; "all" stands for the whole catalog.
// Throws a UsageError for names and settings that do not exist.
std::vector<ComparedMethod> MethodsOf(const MethodList& list);

// What is wrong with the names and the options, fields marked.
void AddMethodComplaints(const MethodChoice& choice, std::vector<std::string>* complaints);
void AddMethodComplaints(const MethodList& list, std::vector<std::string>* complaints);

// The methods that have an option of that name, between commas; empty if none has.
std::string OwnersOf(std::string_view option);

}  // namespace slm
