// slm._core: the engine for Python. What is here turns Python's data into tables, dicts into
// requests and results into JSON; everything that decides a number is the library's own.

#include <nanobind/nanobind.h>

#include "base/version.h"
#include "bindings.h"
#include "slm/errors.h"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.doc() = "The engine of slm.";
  m.attr("__version__") = slm::Version();
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const slm::InputError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const slm::RuntimeFailure& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
  slm::BindTable(m);
  slm::BindModel(m);
  slm::BindCommands(m);
  slm::BindCommandLine(m);
}
