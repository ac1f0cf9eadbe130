// What a person sees at the seed's examples and at every shape of a resume, at 40, 80 and 120 columns: the screens
// are kept in screens/ and compared. With colour the text is the same; no line is wider than the terminal, but for
// a single word or a command that can be pasted. UPDATE=1 writes the screens anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <regex>

#include "cli/layout.h"
#include "prompt_scenes.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

struct Line {
  std::string shows;  // is waited for
  std::string types;  // "": the screen ends here
};
struct Scene {
  std::string name;
  std::function<void(const World&)> set_up;
  std::vector<std::string> words;
  std::vector<Line> lines;
};

void several(const World& world) {
  stale_loop(world, "3.1");
  clean_story(world);
  begun_spec(world);
}

void partial(const World& world) {
  world.workflow("w",
                 "stages:\n"
                 "  fetch: {run: 'echo data >data.txt', produces: [data.txt]}\n"
                 "  build: {needs: fetch, run: 'cp data.txt app.txt', produces: [app.txt]}\n"
                 "  tests: {needs: build, run: 'test -e fixed'}\n");
  must(world, "reprise run w one >/dev/null 2>&1 || rm app.txt");
}

void waiting(const World& world) {
  world.workflow("ask",
                 "stages:\n"
                 "  make: {run: 'echo made >made.txt', produces: [made.txt]}\n"
                 "  ship: {needs: make, gate: {ask: 'Ship it, with everything that was made for it?',"
                 " shows: [made.txt]}}\n");
  must(world, "reprise run ask a >/dev/null 2>&1 || true");
}

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> kScenes = {
      {"clean",
       [](const World& world) { clean_story(world); },
       {"resume"},
       {{"cancel)", "yes\n"}, {"Handing off to @dev...", ""}}},
      {"stale",
       [](const World& world) { stale_loop(world); },
       {"resume", "qa-loop/2.1"},
       {{"cancel)", "yes\n"}, {"Handing off to @", ""}}},
      {"several",
       several,
       {"resume"},
       {{"none)", "7\n"}, {"none)", "2\n"}, {"cancel)", "cancel\n"}, {"later", ""}}},
      {"unrecoverable",
       broken_epic,
       {"resume", "epic/3"},
       {{"cancel)", "2\n"}, {"(yes / no)", "no\n"}, {"--yes", ""}}},
      {"autopilot-halt",
       broken_epic,
       {"resume", "epic/3", "--mode", "autopilot"},
       {{"cancel)", "cancel\n"}, {"nothing was changed", ""}}},
      {"partial", partial, {"resume"}, {{"cancel)", "cancel\n"}, {"later", ""}}},
      {"preflight",
       clean_epic,
       {"resume", "epic/3", "--mode", "preflight"},
       {{"(proceed / cancel)", "cancel\n"}, {"later", ""}}},
      {"spec-loop", spec_loop, {"resume"}, {{"cancel)", "cancel\n"}, {"later", ""}}},
      {"gate", waiting, {"resume"}, {{"(yes / no / later)", "later\n"}, {"then: reprise", ""}}},
      {"nothing", [](const World&) {}, {"resume"}, {{"workflow list)", ""}}},
  };
  return kScenes;
}

std::string plain(const std::string& text) {
  static const std::regex kCodes("\x1b\\[[0-9;?]*[A-Za-z]");
  std::string out = std::regex_replace(text, kCodes, "");
  std::erase(out, '\r');
  return out;
}

// What differs from run to run, by something of the same length where lines are broken.
std::string normal(std::string text) {
  static const std::pair<std::regex, const char*> kVarying[] = {
      {std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"), "2026-01-01T00:00:00Z"},
      {std::regex(R"(sha256:[0-9a-f]{12})"), "sha256:0123456789ab"},
      {std::regex(R"(\b\d+\.\ds\b)"), "0.0s"},
  };
  for (const auto& [pattern, instead] : kVarying) text = std::regex_replace(text, pattern, instead);
  return text;
}

// Until the end of the line in which the last text was shown.
std::string play(const Scene& scene, World& world, int columns) {
  const std::unique_ptr<Terminal> screen = world.terminal(scene.words, columns);
  for (const Line& line : scene.lines) {
    EXPECT_TRUE(screen->shows(line.shows)) << scene.name << ": " << line.shows << "\n" << screen->screen();
    if (!line.types.empty()) screen->type(line.types);
  }
  EXPECT_TRUE(screen->shows("\n")) << scene.name;
  const std::string shown = screen->screen();
  const std::size_t last = shown.rfind(scene.lines.back().shows);
  return shown.substr(0, shown.find('\n', last) + 1);
}

void check_widths(const std::string& name, const std::string& text, int columns) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
    const bool is_word = line.find(' ', margin) == std::string::npos;
    const bool is_command = line.find("reprise ") != std::string::npos;
    if (!is_word && !is_command) {
      EXPECT_LE(columns_of(line), columns) << name << " at " << columns << ": " << line;
    }
  }
}

class Screen : public testing::TestWithParam<std::tuple<std::size_t, int>> {};

TEST_P(Screen, IsAsKept) {
  const Scene& scene = scenes()[std::get<0>(GetParam())];
  const int columns = std::get<1>(GetParam());
  std::string texts[2];
  for (const bool has_colour : {false, true}) {
    World world;
    set_up_agents(world);
    scene.set_up(world);
    if (!has_colour) world.set("NO_COLOR", "1");
    const std::string shown = play(scene, world, columns);
    EXPECT_EQ(shown.find("\x1b[1m") != std::string::npos, has_colour && scene.name != "nothing") << scene.name;
    texts[has_colour ? 1 : 0] = normal(plain(shown));
  }
  check_widths(scene.name, texts[0], columns);
  EXPECT_EQ(texts[1], texts[0]) << "colour says nothing that the text does not";
  const fs::path kept =
      sources() / "tests" / "cli" / "screens" / ("resume-" + scene.name + "-" + std::to_string(columns) + ".txt");
  if (getenv("UPDATE") != nullptr) std::ofstream(kept) << texts[0];
  EXPECT_EQ(texts[0], slurp(kept)) << kept;
}

INSTANTIATE_TEST_SUITE_P(Resume, Screen,
                         testing::Combine(testing::Range<std::size_t>(0, scenes().size()),
                                          testing::Values(40, 80, 120)),
                         [](const testing::TestParamInfo<std::tuple<std::size_t, int>>& each) {
                           std::string name = scenes()[std::get<0>(each.param)].name;
                           std::ranges::replace(name, '-', '_');
                           return name + "_" + std::to_string(std::get<1>(each.param));
                         });

}  // namespace
}  // namespace reprise::cli_test
