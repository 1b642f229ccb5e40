#pragma once

#include <nanobind/nanobind.h>

namespace slm {

void BindTable(nanobind::module_& m);
void BindModel(nanobind::module_& m);
void BindCommands(nanobind::module_& m);
void BindCommandLine(nanobind::module_& m);

}  // namespace slm
