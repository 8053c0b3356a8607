// SQLite's own C interface, and fixed-argument functions for its variadic configuration, which Swift cannot call.
#pragma once
#include <sqlite3.h>
#include <stdint.h>

/// Keeps statement journals below so many bytes in memory; to be called before the process opens its first database.
/// Returns SQLite's result code.
int csqlite_keep_statement_journals(int bytes);

/// Makes a name in double quotes that is no column an error: SQLite would take it for a text. Returns SQLite's result code.
int csqlite_refuse_double_quoted_text(sqlite3 *connection);

/// The name under which `csqlite_register_page_sums` registers its file functions (sqlite3_open_v2).
#define CSQLITE_PAGE_SUMS "crossfoot-page-sums"
/// How many bytes at the end of each page hold its sum.
#define CSQLITE_SUM_BYTES 8

/// Registers file functions that write a sum into each page of a database file and compare it when the page is read: a
/// page that is not as it was written is SQLITE_IOERR_DATA. Files without reserved bytes are read and written as they
/// are. To be called once. Returns SQLite's result code.
int csqlite_register_page_sums(void);

/// Reserves the bytes of the sums in a database that is about to be created; another keeps what it has. Returns
/// SQLite's result code.
int csqlite_reserve_page_sums(sqlite3 *connection);

/// The number, from 1, of the first page in a file whose sum does not hold; 0: none, or the file has no sums. The file
/// must be whole: no write-ahead log may belong to it.
int64_t csqlite_changed_page(const char *path);
