#include "cli/install.h"

#ifdef _WIN32

#include "slm/errors.h"

namespace slm {

std::optional<bool> InstalledDuckdbIsIntact() { return std::nullopt; }

void InstallLibrary(const std::string& name) {
  throw RuntimeFailure("nothing can be installed on Windows yet: get " + name +
                       ".dll from its releases, and set the variable that 'slm doctor' names");
}

}  // namespace slm

#else

#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/sha256.h"
#include "base/shared_library.h"
#include "base/text.h"
#include "data/readers/bytes.h"
#include "slm/errors.h"

extern char** environ;

namespace slm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libduckdb.so";

// A package of npm, and the SHA-256 of the library in it; tools/get-duckdb reads them from here.
struct PinnedPackage {
  std::string_view machine;  // as uname says
  std::string_view package;
  std::string_view digest;
};

constexpr PinnedPackage kDuckdb[] = {
    {"x86_64", "@duckdb/node-bindings-linux-x64@1.5.6-r.1",
     "3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633"},
};

// Null if there is none.
const PinnedPackage* FindPackage(const utsname& machine) {
  for (const PinnedPackage& pinned : kDuckdb) {
    if (std::string_view(machine.sysname) == "Linux" && pinned.machine == machine.machine) {
      return &pinned;
    }
  }
  return nullptr;
}

const PinnedPackage& PackageForThisMachine() {
  utsname machine{};
  uname(&machine);
  if (const PinnedPackage* pinned = FindPackage(machine)) return *pinned;
  throw RuntimeFailure(std::string("no library is known for ") + machine.sysname + " " +
                       machine.machine + "; get libduckdb from the releases of DuckDB and set " +
                       "SLM_DUCKDB to its path");
}

// A directory that goes with everything in it.
class WorkDirectory {
 public:
  explicit WorkDirectory(const fs::path& parent) {
    std::error_code failed;
    fs::create_directories(parent, failed);
    std::string name = (parent / "fetch.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw RuntimeFailure("cannot write to " + parent.string() + ": " + std::strerror(errno));
    }
    path_ = name;
  }
  ~WorkDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Runs a program, without a shell, its standard output going to standard error. Throws a
// RuntimeFailure unless it succeeds.
void Run(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw RuntimeFailure("cannot run " + command[0] + ": " + std::strerror(error) +
                         "; install it, or get libduckdb.so from the releases of DuckDB and set " +
                         "SLM_DUCKDB to its path");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw RuntimeFailure("'" + command[0] + " " + command[1] + "' failed; nothing was installed");
  }
}

bool IsPinned(const std::string& library, const PinnedPackage& pinned) {
  return Sha256(FileBytes(library).view()) == pinned.digest;
}

fs::path OnlyFileIn(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) return entry.path();
  throw RuntimeFailure("npm fetched nothing; nothing was installed");
}

}  // namespace

std::optional<bool> InstalledDuckdbIsIntact() {
  utsname machine{};
  uname(&machine);
  const PinnedPackage* pinned = FindPackage(machine);
  const std::string library = LibraryOfUser(kFile);
  std::error_code ignored;
  if (pinned == nullptr || library.empty() || !fs::exists(library, ignored)) return std::nullopt;
  return IsPinned(library, *pinned);
}

void InstallLibrary(const std::string& name) {
  if (name != "duckdb") {
    throw UsageError("there is no library " + Quoted(name) + " to install; there is duckdb");
  }
  const PinnedPackage& pinned = PackageForThisMachine();
  const std::string target = LibraryOfUser(kFile);
  if (target.empty()) {
    throw RuntimeFailure("neither HOME nor XDG_DATA_HOME says where to put the library; set one");
  }
  const WorkDirectory work(fs::path(target).parent_path());
  Run({"npm", "pack", "--loglevel=error", "--pack-destination", work.path().string(),
       std::string(pinned.package)});
  Run({"tar", "-xzf", OnlyFileIn(work.path()).string(), "-C", work.path().string(),
       std::string("package/") + kFile});
  const fs::path library = work.path() / "package" / kFile;
  if (!IsPinned(library.string(), pinned)) {
    throw RuntimeFailure(std::string(pinned.package) +
                         " is not what this release was tested with: its checksum is another; "
                         "nothing was installed");
  }
  std::error_code failed;
  fs::rename(library, target, failed);
  if (failed) throw RuntimeFailure("cannot write " + target + ": " + failed.message());
}

}  // namespace slm

#endif  // _WIN32
