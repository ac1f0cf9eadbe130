// The state files of the orchestrator in a project, read: epics, QA loops, general workflow states and the folders
// of spec pipelines.
//
//   epic           .aios/ and .aiox/epic-<id>-state.yaml
//   qa loop        qa/loop-status.json, qa/<story>/loop-status.json
//   workflow       .nexos/, .aiox/ and .aios/workflow-state/*, .aiox/*-state.yaml, .aiox/session-state.json,
//                  .aiox/master-orchestrator/*.json
//   spec pipeline  docs/stories/**/spec, docs/specs/*
//
// Of several files for one subject the newest counts, by what it says of its last activity; the others are named.
// Copies beside a file (".bak", ".tmp.…") are never taken for the state, but are weighed where it is damaged. An
// index of QA loops is not needed: all of them are found by looking.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/found_files.h"
#include "app/story_files.h"
#include "model/orchestrator_snapshot.h"
#include "planner/orchestrator_course.h"

namespace reprise {

/// One state, as it claims to be. Of the snapshot only what the state itself gives is filled in.
struct OrchestratorState {
  OrchestratorSnapshot seen;
  std::vector<std::string> others = {};  // further files of the same subject, and copies
  std::string remark = {};               // on those of them that matter; "" if none does
};

/// Returns all states, by kind and subject. Sound files of these names that are something else go to the ignored
/// ones of `files`.
std::vector<OrchestratorState> read_orchestrator_states(App& app, FoundFiles& files,
                                                        const std::vector<std::string>& spec_folders);

/// Reads the claims of `bytes`, the state file of `seen`, which has its kind, into it. What cannot be read makes
/// it unreadable; Invalid if it is sound and something else. Not for spec pipelines and stories.
Result<void> read_claims(App& app, OrchestratorSnapshot& seen, std::string_view bytes);

/// Reads the spec pipeline in `folder` into `seen`, with its state file's path and the newest time of its files.
/// Returns the names of the artifacts that are there.
std::vector<std::string> read_spec_folder(FoundFiles& files, const std::string& folder,
                                          OrchestratorSnapshot& seen);

/// Whether a file in a spec pipeline's folder is by its name an artifact of it.
bool is_spec_artifact(std::string_view name);

/// Whether a file is by its name a copy that a program made of a state file, or was making when it was stopped.
bool is_copy_of_state(std::string_view path);

/// Whether the claims are only what single lines of a broken file give, or cannot be read at all.
bool is_damaged(const OrchestratorSnapshot& seen);

/// Returns the status as the state words it.
std::string status_word_of(const OrchestratorSnapshot& seen);

/// Returns the ids of the stories that the workflow is about, as its state and its execution plan write them.
std::vector<std::string> stories_of(const OrchestratorSnapshot& seen);

/// Whether the workflow is at work on a story, by what its state says of it: it lists it, and not as done with.
bool covers(const OrchestratorSnapshot& seen, std::string_view story);

/// Returns where the workflow stands, by the rules of its kind.
WorkflowCourse course_of(const OrchestratorSnapshot& seen);

/// Returns a story as plans see it.
StorySeen to_seen(const FoundStory& file, const StoryShelf& shelf);
/// Puts the stories that the workflow is about, and those that they depend on, into `seen`.
void add_stories(OrchestratorSnapshot& seen, const StoryShelf& shelf);

}  // namespace reprise
