// Sockets at long paths, and lines over them.

#include "os/socket.h"

#include <gtest/gtest.h>

#include "os/entropy.h"

namespace reprise {
namespace {

TEST(Socket, LinesArriveWholeInOrderAndInAnyPieces) {
  auto [left, right] = *socket_pair();
  LineSocket sender(std::move(left));
  LineSocket receiver(std::move(right));
  const std::string large(1 << 20, 'x');
  sender.queue("one");
  sender.queue("");
  sender.queue(large);
  sender.queue("last");
  std::vector<std::string> lines;
  while (lines.size() < 4) {
    ASSERT_TRUE(sender.flush());
    ASSERT_TRUE(receiver.receive());
    while (const std::optional<std::string_view> line = receiver.next_line()) lines.emplace_back(*line);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", large, "last"}));
}

TEST(Socket, WhatWasSentBeforeTheEndIsStillRead) {
  auto [left, right] = *socket_pair();
  LineSocket receiver(std::move(right));
  {
    LineSocket sender(std::move(left));
    sender.queue("farewell");
    ASSERT_TRUE(sender.flush());
  }
  while (receiver.receive()) {
  }
  EXPECT_EQ(receiver.next_line(), "farewell");
  EXPECT_EQ(receiver.next_line(), std::nullopt);
}

TEST(Socket, AFolderOfAnyDepthWillDo) {
  const std::filesystem::path top =
      std::filesystem::temp_directory_path() / ("reprise-" + SystemEntropy().hex(12));
  std::filesystem::path folder = top;
  while (folder.string().size() < 400) folder /= "a-rather-long-name";
  ASSERT_TRUE(PosixFileSystem().make_directories(folder));
  EXPECT_EQ(connect_to(folder / "s").error().kind, ErrorKind::NotFound);
  {
    const Result<Fd> listener = listen_at(folder / "s");
    ASSERT_TRUE(listener) << listener.error().message;
    EXPECT_FALSE(accept_from(listener->get()));
    const Result<Fd> connection = connect_to(folder / "s");
    ASSERT_TRUE(connection) << connection.error().message;
    EXPECT_TRUE(accept_from(listener->get()));
  }
  EXPECT_EQ(connect_to(folder / "s").error().kind, ErrorKind::NotFound) << "nobody listens any more";
  EXPECT_TRUE(listen_at(folder / "s")) << "what a dead process left there is replaced";
  std::filesystem::remove_all(top);
}

}  // namespace
}  // namespace reprise
