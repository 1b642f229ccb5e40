#pragma once

// Every method, in one sorted table. Adding one touches one new file and one line of catalog.cc.

#include <memory>
#include <span>
#include <string_view>

#include "slm/selector.h"

namespace slm {

// What a method learns from.
enum class MethodKind {
  kSupervised,    // inputs and labels
  kUnsupervised,  // inputs alone
  kReference,     // nothing that predicts: a line to compare with
};

struct MethodEntry {
  std::string_view name;
  std::string_view summary;    // one line
  std::string_view reference;  // the paper it implements; empty if none
  MethodKind kind;
  std::unique_ptr<Selector> (*make)();
};

std::span<const MethodEntry> Methods();

// Throws a UsageError that suggests the nearest name.
const MethodEntry& FindMethod(std::string_view name);

}  // namespace slm
