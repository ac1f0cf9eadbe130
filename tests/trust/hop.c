/* A process that is hard to catch: it forks and exits after every PAUSE microseconds, each time in a session of its
 * own and with an empty environment, and adds a byte to the file `hops` at each hop. It ends by itself after COUNT
 * hops.
 *
 *   reprise_hop COUNT PAUSE */

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  const int hops = atoi(words[1]);
  const useconds_t pause_us = (useconds_t)atoi(words[2]);
  if (fork() != 0) return 0;
  const int file = open("hops", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  for (int fd = 0; fd < 3; ++fd) close(fd);
  clearenv();
  for (int i = 0; i < hops; ++i) {
    usleep(pause_us);
    const pid_t child = fork();
    if (child != 0) _exit(child < 0);
    setsid();
    if (write(file, ".", 1) != 1) _exit(1);
  }
  return 0;
}
