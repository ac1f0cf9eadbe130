// Publishing by a merge in the repository itself.

#include "lanes/forge.h"

namespace reprise {

Result<Published> LocalForge::open(const PublishRequest& request) {
  std::string message = request.title;
  if (!request.body.empty()) message += "\n\n" + request.body;
  MergeOutcome merged =
      TRY(ensure_merge(git_, {.branch = request.base, .source = request.head, .message = message}));
  return Published{.place = std::move(merged.commit),
                   .was_there = merged.kind == MergeOutcome::Kind::AlreadyThere,
                   .conflicts = std::move(merged.conflicts)};
}

}  // namespace reprise
