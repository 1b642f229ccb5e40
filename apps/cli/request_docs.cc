// The reference of every request, from its description.

#include <string>
#include <string_view>
#include <utility>

#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "jobs/requests.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kHead =
    "# Requests\n\n"
    "Made by `slm help --markdown` from the description of every request; do not edit.\n\n"
    "A field has one name everywhere: `time_limit` is `--time-limit` on the command line (and `-k` "
    "for "
    "`k`), a key of\n`--config` files, a key of the request as JSON, a keyword in Python and a "
    "member of "
    "the struct in `slm/requests.h`.\nOptions of the method ([methods.md](methods.md)) are flags "
    "of their "
    "own on the command line, and `options` elsewhere.\nPython's functions take the data as "
    "arguments "
    "and call `threads` `n_jobs`.\n";

constexpr std::pair<std::string_view, std::string_view> kRequests[] = {
    {"select", "SelectRequest"}, {"compare", "CompareRequest"},     {"tune", "TuneRequest"},
    {"path", "PathRequest"},     {"stability", "StabilityRequest"}, {"predict", "PredictRequest"},
    {"apply", "ApplyRequest"}};

// Text with the characters that a Markdown table would take for its own kept apart.
std::string TableCell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|' || c == '*' || c == '_') out += '\\';
    if (c != '`') out += c;
  }
  return out;
}

}  // namespace

std::string RequestsToMarkdown() {
  std::string out(kHead);
  for (const auto& [command, type] : kRequests) {
    out += "\n## `slm " + std::string(command) + "`: `" + std::string(type) + "`\n";
    std::string group = "none yet";
    const OptionList fields = FieldsOf(command);
    for (const OptionField& field : fields.fields()) {
      if (field.group != group) {
        group = field.group;
        out += "\n**" + (group.empty() ? std::string("Arguments") : group) +
               "**\n\n| field | type | default | allowed | what it does |\n|---|---|---|---|---|\n";
      }
      out += "| `" + field.name + "` | " + KindName(field.kind) + " | " +
             (field.missing.empty()  ? TableCell(field.get())
              : field.unless.empty() ? "required"
                                     : "required, or `" + field.unless + "`") +
             " | " + TableCell(field.name == "method" ? "a name of `slm methods`" : field.allowed) +
             " | " + TableCell(RenderFields(field.help)) + " |\n";
    }
  }
  return out;
}

}  // namespace slm
