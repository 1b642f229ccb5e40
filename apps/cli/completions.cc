// slm completions: scripts for shells. They know nothing themselves but ask `slm complete`, so that
// flags of methods and values come from the description that parsing and help have too.

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct Shell {
  std::string_view name;
  std::string_view install;  // what to write where the shell starts
  std::string_view script;
};

constexpr Shell kShells[] = {
    {"bash", "source <(slm completions bash)   in ~/.bashrc",
     R"(_slm() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _slm slm
)"},
    {"zsh", "source <(slm completions zsh)   in ~/.zshrc, after compinit",
     R"(#compdef slm
_slm() {
  local -a found
  local line word
  for line in "${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    word=${${line%%$'\t'*}//:/\\:}
    [[ $line == *$'\t'* ]] && word+=":${line#*$'\t'}"
    found+=("$word")
  done
  if (( $#found )); then _describe slm found; else _files; fi
}
if [[ $funcstack[1] == _slm ]]; then _slm "$@"; else compdef _slm slm; fi
)"},
    {"fish", "slm completions fish | source   in ~/.config/fish/config.fish",
     R"(function __slm_complete
  set -l words (commandline -opc)
  $words[1] complete $words[2..] (commandline -ct) 2>/dev/null
end
complete -c slm -a '(__slm_complete)'
)"},
};

}  // namespace

int RunCompletions(Arguments arguments) {
  std::string name;
  std::vector<std::string> names;
  std::string shells, lines;
  for (const Shell& shell : kShells) {
    names.emplace_back(shell.name);
    shells += (shells.empty() ? "" : ", ") + names.back();
    lines += "\n  " + std::string(shell.install);
  }
  CommandFlags flags(arguments,
                     {.example = "source <(slm completions bash)",
                      .usage = "completions SHELL [flags]",
                      .summary = "Prints a script that makes a shell complete commands, flags and "
                                 "their values:" +
                                 lines});
  flags.parser().Positional("SHELL", &name, "One of " + shells + ".", "name the shell: " + shells,
                            names);
  if (!flags.Parse()) return kDone;
  for (const Shell& shell : kShells) {
    if (shell.name != name) continue;
    WriteStdout(std::string(shell.script));
    return flags.Done("wrote the script for " + name);
  }
  throw UsageError("there are no completions for '" + name + "'; there are those for " + shells);
}

}  // namespace slm
