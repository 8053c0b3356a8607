#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CSQLite.h"

// A database file as the system's own file functions have it open, with what the sums need beside it. The other file's
// structure follows in the same block of memory.
typedef struct {
  sqlite3_file base;
  int has_sums;
  int page_bytes;
  unsigned char *page;
} summed_file;

#define SUMMED(file) ((summed_file *)(file))
#define REAL(file) ((sqlite3_file *)(SUMMED(file) + 1))
#define REAL_VFS(vfs) ((sqlite3_vfs *)(vfs)->pAppData)

// The header of page 1 (sqlite.org/fileformat.html): its first bytes, its length, and where the number of reserved
// bytes of each page stands.
static const char magic[16] = "SQLite format 3";
enum { HEADER_BYTES = 100, RESERVED_AT = 20, LEAST_PAGE = 512, MOST_PAGE = 65536 };

static const uint64_t odd[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93};

static uint64_t mixed(uint64_t state, uint64_t word, uint64_t factor) {
  state ^= word;
  return ((state << 29) | (state >> 35)) * factor;
}

// Of a page's bytes but the reserved ones, and of its place in the file. Every step maps states one to one, so a change
// within one word of eight bytes always gives another sum.
static uint64_t page_sum(const unsigned char *page, int bytes, sqlite3_int64 offset) {
  uint64_t lane[4] = {odd[3], odd[2] ^ (uint64_t)offset, odd[1], odd[0]};
  int words = (bytes - CSQLITE_SUM_BYTES) / 8;
  for (int i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, page + 8 * i, 8);
    lane[i & 3] = mixed(lane[i & 3], word, odd[i & 3]);
  }
  uint64_t sum = lane[0];
  for (int i = 1; i < 4; i++) sum = mixed(sum, lane[i], odd[i]);
  return sum ^ (sum >> 32);
}

static int holds(const unsigned char *page, int bytes, sqlite3_int64 offset) {
  uint64_t sum = page_sum(page, bytes, offset);
  return memcmp(&sum, page + bytes - CSQLITE_SUM_BYTES, CSQLITE_SUM_BYTES) == 0;
}

static int is_page(int bytes, sqlite3_int64 offset) {
  return bytes >= LEAST_PAGE && bytes <= MOST_PAGE && (bytes & (bytes - 1)) == 0 && offset % bytes == 0;
}

// A copy that may be changed; null without memory.
static unsigned char *copied(summed_file *file, const void *page, int bytes) {
  if (file->page_bytes < bytes) {
    unsigned char *larger = realloc(file->page, (size_t)bytes);
    if (!larger) return 0;
    file->page = larger;
    file->page_bytes = bytes;
  }
  return memcpy(file->page, page, (size_t)bytes);
}

static void note_header(summed_file *file, const unsigned char *bytes) {
  if (memcmp(bytes, magic, sizeof magic) == 0) file->has_sums = bytes[RESERVED_AT] == CSQLITE_SUM_BYTES;
}

// Whether page 1 says that its pages have no sums, and yet has one: then that byte is the one that changed.
static int hides_sums(summed_file *file, const unsigned char *page, int bytes) {
  unsigned char *other = file->has_sums ? 0 : copied(file, page, bytes);
  if (!other) return 0;
  other[RESERVED_AT] = CSQLITE_SUM_BYTES;
  return holds(other, bytes, 0);
}

static int read_file(sqlite3_file *base, void *buffer, int bytes, sqlite3_int64 offset) {
  summed_file *file = SUMMED(base);
  int code = REAL(base)->pMethods->xRead(REAL(base), buffer, bytes, offset);
  if (code != SQLITE_OK) return code;
  if (offset == 0 && bytes >= HEADER_BYTES) note_header(file, buffer);
  if (!is_page(bytes, offset)) return SQLITE_OK;
  int is_whole = file->has_sums ? holds(buffer, bytes, offset) : offset != 0 || !hides_sums(file, buffer, bytes);
  return is_whole ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int write_file(sqlite3_file *base, const void *buffer, int bytes, sqlite3_int64 offset) {
  summed_file *file = SUMMED(base);
  if (offset == 0 && bytes >= HEADER_BYTES) note_header(file, buffer);
  if (file->has_sums && is_page(bytes, offset)) {
    unsigned char *page = copied(file, buffer, bytes);
    if (!page) return SQLITE_IOERR_NOMEM;
    uint64_t sum = page_sum(page, bytes, offset);
    memcpy(page + bytes - CSQLITE_SUM_BYTES, &sum, CSQLITE_SUM_BYTES);
    buffer = page;
  }
  return REAL(base)->pMethods->xWrite(REAL(base), buffer, bytes, offset);
}

static int close_file(sqlite3_file *base) {
  free(SUMMED(base)->page);
  return REAL(base)->pMethods->xClose(REAL(base));
}

static int truncate_file(sqlite3_file *f, sqlite3_int64 size) { return REAL(f)->pMethods->xTruncate(REAL(f), size); }
static int sync_file(sqlite3_file *f, int flags) { return REAL(f)->pMethods->xSync(REAL(f), flags); }
static int file_size(sqlite3_file *f, sqlite3_int64 *size) { return REAL(f)->pMethods->xFileSize(REAL(f), size); }
static int lock_file(sqlite3_file *f, int level) { return REAL(f)->pMethods->xLock(REAL(f), level); }
static int unlock_file(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int reserved(sqlite3_file *f, int *result) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), result); }
static int control(sqlite3_file *f, int op, void *value) { return REAL(f)->pMethods->xFileControl(REAL(f), op, value); }
static int sector_size(sqlite3_file *f) { return REAL(f)->pMethods->xSectorSize(REAL(f)); }
static int map_shared(sqlite3_file *f, int region, int bytes, int extends, void volatile **memory) {
  return REAL(f)->pMethods->xShmMap(REAL(f), region, bytes, extends, memory);
}
static int lock_shared(sqlite3_file *f, int offset, int count, int flags) {
  return REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags);
}
static void shared_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int unmap_shared(sqlite3_file *f, int deletes) { return REAL(f)->pMethods->xShmUnmap(REAL(f), deletes); }

static int characteristics(sqlite3_file *f) {
  // SQLITE_IOCAP_SUBPAGE_READ, of newer versions: a part of a page has no sum.
  return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f)) & ~0x00008000;
}

// Version 2: without the memory-mapped reads of version 3, which no sum would see.
static const sqlite3_io_methods summed_methods = {
    2,           close_file, read_file,     write_file, truncate_file, sync_file,   file_size,       lock_file,
    unlock_file, reserved,   control,       sector_size, characteristics, map_shared, lock_shared, shared_barrier,
    unmap_shared};

// Logs and temporary files are opened as they are: SQLite has sums of its own for its write-ahead log.
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
  sqlite3_vfs *real = REAL_VFS(vfs);
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return real->xOpen(real, name, file, flags, result);
  memset(file, 0, sizeof(summed_file));
  memset(REAL(file), 0, sizeof(sqlite3_file));
  int code = real->xOpen(real, name, REAL(file), flags, result);
  if (REAL(file)->pMethods) file->pMethods = &summed_methods;
  return code;
}

static int delete_file(sqlite3_vfs *v, const char *name, int syncs) {
  return REAL_VFS(v)->xDelete(REAL_VFS(v), name, syncs);
}
static int access_file(sqlite3_vfs *v, const char *name, int flags, int *result) {
  return REAL_VFS(v)->xAccess(REAL_VFS(v), name, flags, result);
}
static int full_path(sqlite3_vfs *v, const char *name, int bytes, char *path) {
  return REAL_VFS(v)->xFullPathname(REAL_VFS(v), name, bytes, path);
}
static int randomness(sqlite3_vfs *v, int bytes, char *out) {
  return REAL_VFS(v)->xRandomness(REAL_VFS(v), bytes, out);
}
static int sleep_for(sqlite3_vfs *v, int microseconds) { return REAL_VFS(v)->xSleep(REAL_VFS(v), microseconds); }
static int now(sqlite3_vfs *v, double *days) { return REAL_VFS(v)->xCurrentTime(REAL_VFS(v), days); }
static int now_precise(sqlite3_vfs *v, sqlite3_int64 *ms) { return REAL_VFS(v)->xCurrentTimeInt64(REAL_VFS(v), ms); }
static int last_error(sqlite3_vfs *v, int bytes, char *out) {
  return REAL_VFS(v)->xGetLastError ? REAL_VFS(v)->xGetLastError(REAL_VFS(v), bytes, out) : 0;
}

int csqlite_register_page_sums(void) {
  static sqlite3_vfs summed;
  sqlite3_vfs *real = sqlite3_vfs_find(0);
  if (!real || real->iVersion < 2) return SQLITE_ERROR;
  summed = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(summed_file) + real->szOsFile,
      .mxPathname = real->mxPathname,
      .zName = CSQLITE_PAGE_SUMS,
      .pAppData = real,
      .xOpen = open_file,
      .xDelete = delete_file,
      .xAccess = access_file,
      .xFullPathname = full_path,
      .xRandomness = randomness,
      .xSleep = sleep_for,
      .xCurrentTime = now,
      .xGetLastError = last_error,
      .xCurrentTimeInt64 = now_precise,
  };
  return sqlite3_vfs_register(&summed, 0);
}

int csqlite_reserve_page_sums(sqlite3 *connection) {
  int bytes = CSQLITE_SUM_BYTES;
  return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

// The page size that page 1 states, where it reserves the bytes of the sums; else 0.
static int summed_page_size(int descriptor) {
  unsigned char header[HEADER_BYTES];
  if (pread(descriptor, header, sizeof header, 0) != sizeof header) return 0;
  int bytes = header[16] << 8 | header[17];
  if (bytes == 1) bytes = MOST_PAGE;
  int has_sums = memcmp(header, magic, sizeof magic) == 0 && header[RESERVED_AT] == CSQLITE_SUM_BYTES;
  return has_sums && is_page(bytes, 0) ? bytes : 0;
}

int64_t csqlite_changed_page(const char *path) {
  enum { PIECE = 16 * MOST_PAGE };
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  int page = descriptor < 0 ? 0 : summed_page_size(descriptor);
  unsigned char *piece = page ? malloc(PIECE) : 0;
  int64_t changed = 0, offset = 0;
  ssize_t bytes = 0;
  while (piece && !changed && (bytes = pread(descriptor, piece, PIECE, offset)) > 0) {
    for (ssize_t at = 0; at + page <= bytes && !changed; at += page) {
      if (!holds(piece + at, page, offset + at)) changed = (offset + at) / page + 1;
    }
    offset += bytes;
  }
  free(piece);
  if (descriptor >= 0) close(descriptor);
  return changed;
}
