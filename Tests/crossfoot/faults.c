// Lets one call of the program fail: loaded before libc (LD_PRELOAD), so that it reaches every write, flush, name, read
// and answer, whoever makes it: our code, SQLite, libpq, libcurl.
//
// FAULT_ROOT: files below it, and sockets, count. FAULT_CLASS, FAULT_AT, FAULT_KIND: which call fails how; without them
// calls are counted. FAULT_KILL_AFTER: microseconds until the program is killed. FAULT_COUNTS: a file that gets the counts, a line each, and which call failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

enum class { WRITE, FLUSH, NAME, READ, CUT, OPEN, RECEIVE, SEND, CLASSES };
static const char *const classes[] = {"write", "flush", "name", "read", "cut", "open", "receive", "send"};
enum kind { NONE, FULL, STAYS_FULL, BROKEN, SHORT, TORN, LATE, ENDS, RESET, KILL, KILL_TORN, KILL_AFTER, KINDS };
static const char *const kinds[] = {"none", "full", "stays full", "broken", "short", "torn", "late",
                                    "ends", "reset", "kill", "kill torn", "kill after"};

static atomic_long counts[CLASSES];
static atomic_int full, happened;
static int wanted_class = -1, wanted_kind = NONE;
static long wanted_at = -1;
static char root[PATH_MAX];
static const char *counts_path;

static int of(const char *const *names, int count, const char *name) {
  for (int i = 0; name && i < count; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static void killed(int signal) { raise(signal == SIGALRM ? SIGKILL : signal); }

__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("FAULT_ROOT"), *at = getenv("FAULT_AT");
  if (where) snprintf(root, sizeof root, "%s", where);
  counts_path = getenv("FAULT_COUNTS");
  wanted_class = of(classes, CLASSES, getenv("FAULT_CLASS"));
  wanted_kind = of(kinds, KINDS, getenv("FAULT_KIND"));
  wanted_at = at ? atol(at) : -1;
  const char *kill_after = getenv("FAULT_KILL_AFTER");
  if (kill_after) {
    long microseconds = atol(kill_after);
    struct itimerval timer = {.it_value = {microseconds / 1000000, microseconds % 1000000 + 1}};
    signal(SIGALRM, killed);
    setitimer(ITIMER_REAL, &timer, NULL);
  }
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((destructor)) static void end(void) {
  if (!counts_path) return;
  FILE *file = fopen(counts_path, "w");
  if (!file) return;
  for (int i = 0; i < CLASSES; i++) fprintf(file, "%s %ld\n", classes[i], atomic_load(&counts[i]));
  if (atomic_load(&happened)) fprintf(file, "happened 1\n");
  fclose(file);
}

static int is_below(const char *path) { return root[0] && path && strncmp(path, root, strlen(root)) == 0; }

// Relative paths are below: the program runs in the root.
static int is_ours(const char *path) { return root[0] && path && (path[0] != '/' || is_below(path)); }

// 0: of nobody's concern; 1: a file below the root; 2: a socket.
static int sort_of(int descriptor) {
  int saved = errno, sort = 0;
  struct stat status;
  if (root[0] && fstat(descriptor, &status) == 0) {
    if (S_ISSOCK(status.st_mode)) sort = 2;
    if (S_ISREG(status.st_mode)) {
      char link[64], path[PATH_MAX];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t length = readlink(link, path, sizeof path - 1);
      if (length > 0) path[length] = 0;
      sort = length > 0 && is_below(path);
    }
  }
  errno = saved;
  return sort;
}

// What becomes of this call.
static enum kind fate(enum class class) {
  long number = atomic_fetch_add(&counts[class], 1);
  int grows = class == WRITE || class == OPEN || class == NAME;
  if (atomic_load(&full) && grows) return FULL;
  if ((int)class != wanted_class || number != wanted_at) return NONE;
  atomic_store(&happened, 1);
  if (wanted_kind == STAYS_FULL) atomic_store(&full, 1);
  if (wanted_kind == KILL) raise(SIGKILL);
  if (wanted_kind == LATE) usleep(200000);
  return wanted_kind == LATE ? NONE : wanted_kind;
}

static int failed(enum kind kind) {
  if (kind == FULL || kind == STAYS_FULL) errno = ENOSPC;
  else errno = kind == RESET ? ECONNRESET : EIO;
  return -1;
}

static void after(enum kind kind) {
  if (kind == KILL_AFTER || kind == KILL_TORN) raise(SIGKILL);
}

// A call that moves bytes: a part of them, or none.
#define MOVE(class, size, whole, part) \
  enum kind kind = fate(class); \
  if (kind == RESET || kind == ENDS) shutdown(fd, SHUT_RDWR); /* the connection is gone, not this call alone */ \
  if (kind == NONE) return whole; \
  if (kind == ENDS) return 0; \
  if (kind == KILL_AFTER) { ssize_t moved = whole; after(kind); return moved; } \
  size_t half = (size) / 2; \
  if (kind == SHORT && half > 0) return part; \
  if (kind == SHORT) return whole; \
  if ((kind == TORN || kind == KILL_TORN) && half > 0) (void)!(part); \
  after(kind); \
  return failed(kind)

ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(ssize_t, write, int, const void *, size_t);
  int sort = sort_of(fd);
  if (!sort) return real(fd, bytes, size);
  MOVE(sort == 1 ? WRITE : SEND, size, real(fd, bytes, size), real(fd, bytes, half));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  if (sort_of(fd) != 1) return real(fd, bytes, size, at);
  MOVE(WRITE, size, real(fd, bytes, size, at), real(fd, bytes, half, at));
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

ssize_t read(int fd, void *bytes, size_t size) {
  REAL(ssize_t, read, int, void *, size_t);
  int sort = sort_of(fd);
  if (!sort) return real(fd, bytes, size);
  MOVE(sort == 1 ? READ : RECEIVE, size, real(fd, bytes, size), real(fd, bytes, half));
}
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room) { return (void)room, read(fd, bytes, size); }

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at) {
  REAL(ssize_t, pread64, int, void *, size_t, off64_t);
  if (sort_of(fd) != 1) return real(fd, bytes, size, at);
  MOVE(READ, size, real(fd, bytes, size, at), real(fd, bytes, half, at));
}
ssize_t pread(int fd, void *bytes, size_t size, off_t at) { return pread64(fd, bytes, size, at); }
ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t at, size_t room) {
  return (void)room, pread64(fd, bytes, size, at);
}

ssize_t recv(int fd, void *bytes, size_t size, int flags) {
  REAL(ssize_t, recv, int, void *, size_t, int);
  if (flags & MSG_PEEK) return real(fd, bytes, size, flags);
  MOVE(RECEIVE, size, real(fd, bytes, size, flags), real(fd, bytes, half, flags));
}
ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags) {
  return (void)room, recv(fd, bytes, size, flags);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags) {
  REAL(ssize_t, send, int, const void *, size_t, int);
  MOVE(SEND, size, real(fd, bytes, size, flags), real(fd, bytes, half, flags));
}

// A call that is done or not.
#define DO(class, call) \
  enum kind kind = fate(class); \
  if (kind != NONE && kind != KILL_AFTER) return failed(kind); \
  int result = call; \
  after(kind); \
  return result

int fsync(int fd) {
  REAL(int, fsync, int);
  DO(FLUSH, real(fd));
}
int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  DO(FLUSH, real(fd));
}
int syncfs(int fd) {
  REAL(int, syncfs, int);
  DO(FLUSH, real(fd));
}
int ftruncate64(int fd, off64_t length) {
  REAL(int, ftruncate64, int, off64_t);
  if (sort_of(fd) != 1) return real(fd, length);
  DO(CUT, real(fd, length));
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (!is_ours(to)) return real(from, to);
  DO(NAME, real(from, to));
}
int unlink(const char *path) {
  REAL(int, unlink, const char *);
  if (!is_ours(path)) return real(path);
  DO(NAME, real(path));
}
int symlink(const char *target, const char *path) {
  REAL(int, symlink, const char *, const char *);
  if (!is_ours(path)) return real(target, path);
  DO(NAME, real(target, path));
}
int link(const char *from, const char *to) {
  REAL(int, link, const char *, const char *);
  if (!is_ours(to)) return real(from, to);
  DO(NAME, real(from, to));
}
int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (!is_ours(path)) return real(path, mode);
  DO(NAME, real(path, mode));
}

#define OPENED(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = va_arg(rest, mode_t); \
      va_end(rest); \
    } \
    if (!is_ours(path)) return real(path, flags, mode); \
    if (!(flags & (O_CREAT | O_WRONLY | O_RDWR)) && atomic_load(&full)) return real(path, flags, mode); \
    DO(OPEN, real(path, flags, mode)); \
  }
OPENED(open)
OPENED(open64)
