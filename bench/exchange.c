// Exchanges a name and a link beside it for ever, atomically (Linux): the sharpest attacker there is. argv: name, target.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_link(const char *path) {
  struct stat stats;
  return lstat(path, &stats) == 0 && S_ISLNK(stats.st_mode);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const char *name = arguments[1], *target = arguments[2];
  char link[PATH_MAX];
  snprintf(link, sizeof link, "%s.link", name);
  if (symlink(target, link) != 0) return 1;
  puts("ready");
  fflush(stdout);
  for (unsigned round = 0;; round++) {
    // A victim that renames over the link makes a file of it: put a new one there.
    if (round % 16 == 0 && !is_link(link) && !is_link(name) && unlink(link) == 0 && symlink(target, link) != 0) return 1;
    syscall(SYS_renameat2, AT_FDCWD, name, AT_FDCWD, link, 2);
    for (volatile unsigned spin = 0; spin < (round % 11) * 60; spin++);
  }
}
