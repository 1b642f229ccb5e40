#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/checkpoint.h"

namespace slm {

// Runs work() for one of several methods and says why it failed; empty if it did not. A checkpoint
// that cannot be used is not the method's fault and goes on to the caller.
template <class Work>
std::string FailureOf(Work work) {
  try {
    work();
    return "";
  } catch (const CheckpointFailure&) {
    throw;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace slm
