// harsh_exec [-s SYSCALL]... [-n FD]... -- PROGRAM ARGUMENT...: starts a program on a poorer machine.
//
//   -s SYSCALL   the kernel answers ENOSYS to pidfd_open, pidfd_send_signal or clone3, as an older one or a sandbox does
//   -n FD        the descriptor does not block

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int number_of(const char *name) {
  if (strcmp(name, "pidfd_open") == 0) return SYS_pidfd_open;
  if (strcmp(name, "pidfd_send_signal") == 0) return SYS_pidfd_send_signal;
  if (strcmp(name, "clone3") == 0) return SYS_clone3;
  return -1;
}

static int refuse(int number) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int count, char **words) {
  for (int option; (option = getopt(count, words, "+s:n:")) != -1;) {
    int done = 0;
    if (option == 's') done = number_of(optarg) >= 0 && refuse(number_of(optarg));
    if (option == 'n') done = fcntl(atoi(optarg), F_SETFL, fcntl(atoi(optarg), F_GETFL) | O_NONBLOCK) == 0;
    if (!done) {
      fprintf(stderr, "harsh_exec: -%c %s: %s\n", option, optarg, strerror(errno));
      return 125;
    }
  }
  execvp(words[optind], words + optind);
  perror(words[optind]);
  return 127;
}
