// What a copy of JSON does where memory ends.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "base/json.h"

namespace {

// How many allocations of this thread succeed before the next one fails; negative for all.
thread_local long allocations_left = -1;

}  // namespace

[[gnu::noinline]] void* operator new(size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// That of std::stable_sort, whose blocks the delete below frees.
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}

namespace slm {
namespace {

TEST(Json, CopiesThatRunOutOfMemoryLeaveWhatWasThere) {
  Json json = Json::MakeObject();
  json.Add("a text that is too long to be kept in place", "another text that is too long for that");
  Json array = Json::MakeArray();
  for (int i = 0; i < 5; ++i) array.Push("the text of a part that is kept elsewhere");
  json.Add("array", array);
  json.Add("number", 0.5);
  const std::string text = json.Dump();
  long failed = 0;
  for (bool whole = false; !whole; ++failed) {
    Json target = "what was there before, which is also a text elsewhere";
    try {
      allocations_left = failed;
      Json copy = json;
      target = copy;
      allocations_left = -1;
      whole = true;
      EXPECT_EQ(copy.Dump(), text);
      copy.Add("of the first copy alone", 1);
      EXPECT_EQ(target.Dump(), text);
    } catch (const std::bad_alloc&) {
      allocations_left = -1;
      EXPECT_TRUE(target.is_text());
    }
  }
  EXPECT_GT(failed, 10);
  EXPECT_EQ(json.Dump(), text);
}

}  // namespace
}  // namespace slm
