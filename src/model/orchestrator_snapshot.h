// Everything a plan for a workflow of the orchestrator is made from: what its state file and its stories claim,
// and what was seen of files, other workflows, locks and workers. The planner gets this and nothing else.
//
// Whoever fills it in looks; whoever reads it decides. A thing that could not be found out is left empty, and
// never filled with a guess: "not known" and "not so" are told apart by std::optional.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/orchestrator.h"
#include "model/story.h"

namespace reprise {

/// The workflows of the orchestrator; the token is the first part of a run's id.
enum class OrchestratorKind { Epic, QaLoop, StoryCycle, SpecPipeline, Flow };
inline constexpr TokenTable<OrchestratorKind, 5> kOrchestratorKindTokens = {
    {{OrchestratorKind::Epic, "epic"},
     {OrchestratorKind::QaLoop, "qa-loop"},
     {OrchestratorKind::StoryCycle, "story-cycle"},
     {OrchestratorKind::SpecPipeline, "spec-pipeline"},
     {OrchestratorKind::Flow, "workflow"}}};
constexpr std::string_view to_token(OrchestratorKind kind) { return token_in(kOrchestratorKindTokens, kind); }

/// How it is known that something is not as it was at the state's last activity.
enum class KnownBy {
  Stored,  // compared with a digest that we recorded
  Git,     // compared with git's version of that time
  Time,    // the file is newer; what changed is not known
};

enum class FileRole { Story, Artifact, Template, Config, ExecutionPlan };

/// A file that the workflow refers to, as it is now.
struct ReferencedFile {
  std::string path;  // relative to the project
  FileRole role = FileRole::Artifact;
  std::string phase;    // path of the step that needs it
  std::string made_by;  // path of the step that makes it; "" if no step does
  std::string story;    // that it belongs to; "" if none
  bool exists = false;
  std::string digest;  // "" if it is not there
  std::optional<Timestamp> modified_at;
};

/// A story that the state refers to, as it is now.
struct StorySeen {
  std::string path;                 // of the file that was read; "" if there is none
  std::vector<std::string> others;  // further files of the same id
  bool exists = false;
  std::string unreadable = {};  // why it could not be read; "" if it could
  StoryClaims claims;
  std::optional<std::map<std::string, std::string>> sections_then;  // digests at the state's last activity
  KnownBy sections_by = KnownBy::Git;
  std::optional<Timestamp> modified_at;
};

/// A file of this workflow that somebody else changed since its last activity.
struct ChangedFile {
  std::string path;
  KnownBy by = KnownBy::Git;
  std::string who;  // a commit and its author; "" if not known
};

/// A dependency that a story has now and had not at the state's last activity.
struct NewDependency {
  std::string story;
  std::string on;  // id of the story that it needs
};

/// Another workflow with a state of its own on one of these stories. One that only the story's status implies is
/// not another one: it is this work, seen a second time.
struct OtherWorkflow {
  std::string id;  // "epic/5"
  std::string story;
  std::string status;   // as written
  bool active = false;  // it can be read, and is neither finished nor given up
  Timestamp updated_at;
};

/// A story of the epic that its state does not list.
struct NewStory {
  std::string id;
  std::string path;
};

/// A further state file of the same work, beside the one that counts.
struct OtherStateFile {
  std::string path;
  bool is_copy = false;  // a program's own: made before it replaced the file, or being made when it was stopped
  Timestamp updated_at;
  std::string status;  // as written; "" if it does not say
};

/// A lock on this workflow or one of its stories.
struct LockSeen {
  OrchestratorLock lock;
  std::string path;
  bool alive = false;  // its process is there
};

struct OrchestratorSnapshot {
  OrchestratorKind kind = OrchestratorKind::Epic;
  std::string subject;     // "5", "2.1", "login": the second part of the run's id
  std::string state_file;  // relative to the project; of a story cycle the story
  std::string unreadable;  // why the state file could not be read; "" if it could
  bool is_closed = false;  // and that it could not be opened, so that nothing says that it is damaged
  std::vector<std::string> closed_places;  // folders where other states may be and that could not be listed
  Timestamp now;
  Timestamp file_time;  // of the state file, where it gives no time of its own
  std::vector<OtherStateFile> other_state_files;

  // What the state file claims; `kind` says which one counts.
  EpicClaims epic;
  std::optional<ExecutionPlanClaims> execution_plan;  // of an epic, where it was found
  QaLoopClaims qa_loop;
  FlowClaims flow;
  SpecPipelineClaims spec;

  std::map<std::string, StorySeen> stories;  // by id as the state writes it, with those that they depend on
  std::vector<ReferencedFile> files;
  std::vector<ChangedFile> changed;
  std::vector<NewDependency> new_dependencies;
  std::vector<OtherWorkflow> others;
  std::vector<NewStory> new_stories;
  std::vector<LockSeen> locks;
  std::set<std::string> roles_without_worker;  // without "@"
  bool has_config = false;                     // the project has a configuration, where workers can be added
  std::set<std::string> accepted;              // codes of findings that a person overruled
  std::string from;                            // step where a person wants to go on; "" if none was named
};

}  // namespace reprise
