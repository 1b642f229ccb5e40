#include "cli/build_facts.h"

#include "base/version.h"

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

namespace slm {
namespace {

BuildFact Protection(std::string name, bool there, const std::string& meaning) {
  return {std::move(name), (there ? "yes: " : "no: ") + meaning, there};
}

#ifdef __linux__
// What the headers of the loaded file say that holds this very function: the program, or the
// extension module of Python.
struct LoadedFile {
  bool found = false, moved = false, read_only_tables = false, bound_at_start = false;
  bool plain_stack = false;

  static LoadedFile Read() {
    LoadedFile file;
    dl_iterate_phdr(Visit, &file);
    return file;
  }

 private:
  static bool Holds(const dl_phdr_info& object, ElfW(Addr) address) {
    for (int i = 0; i < object.dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = object.dlpi_phdr[i];
      const ElfW(Addr) begin = object.dlpi_addr + header.p_vaddr;
      if (header.p_type == PT_LOAD && address >= begin && address < begin + header.p_memsz) {
        return true;
      }
    }
    return false;
  }

  static int Visit(dl_phdr_info* object, size_t, void* out) {
    if (!Holds(*object, reinterpret_cast<ElfW(Addr)>(&Visit))) return 0;
    LoadedFile& file = *static_cast<LoadedFile*>(out);
    file.found = true;
    file.moved = object->dlpi_addr != 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = object->dlpi_phdr[i];
      if (header.p_type == PT_GNU_RELRO) file.read_only_tables = true;
      if (header.p_type == PT_GNU_STACK) file.plain_stack = (header.p_flags & PF_X) == 0;
      if (header.p_type != PT_DYNAMIC) continue;
      // The loader gives addresses as numbers.  NOLINTNEXTLINE(performance-no-int-to-ptr)
      const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + header.p_vaddr);
      for (; entry->d_tag != DT_NULL; ++entry) {
        if ((entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW) != 0) ||
            (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NOW) != 0)) {
          file.bound_at_start = true;
        }
      }
    }
    return 1;
  }
};
#endif

}  // namespace

std::vector<BuildFact> FactsOfBuild() {
#ifdef __SSP_STRONG__
  constexpr bool kStackProtector = true;
#else
  constexpr bool kStackProtector = false;
#endif
#ifdef _FORTIFY_SOURCE
  constexpr int kFortify = _FORTIFY_SOURCE;
#else
  constexpr int kFortify = 0;
#endif
#ifdef _GLIBCXX_ASSERTIONS
  constexpr bool kAssertions = true;
#else
  constexpr bool kAssertions = false;
#endif
  std::vector<BuildFact> facts = {
      {"version", Version()},
      {"compiler", __VERSION__},
      Protection("stack protector", kStackProtector, "a smashed stack ends the program"),
      Protection("fortify", kFortify > 0,
                 "level " + std::to_string(kFortify) + " of checked memory functions"),
      Protection("assertions", kAssertions, "an index outside of a vector ends the program"),
  };
#ifdef __linux__
  if (const LoadedFile file = LoadedFile::Read(); file.found) {
    facts.push_back(Protection("random place", file.moved, "loaded at another address each time"));
    facts.push_back(Protection("full relro", file.read_only_tables && file.bound_at_start,
                               "tables of the loader are read-only once it has started"));
    facts.push_back(Protection("plain stack", file.plain_stack, "nothing on the stack can be run"));
  }
#endif
  return facts;
}

}  // namespace slm
