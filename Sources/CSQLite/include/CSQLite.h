// SQLite's own C interface, and fixed-argument functions for its variadic configuration, which Swift cannot call.
#pragma once
#include <sqlite3.h>

/// Keeps statement journals below so many bytes in memory; to be called before the process opens its first database.
/// Returns SQLite's result code.
int csqlite_keep_statement_journals(int bytes);

/// Makes a name in double quotes that is no column an error: SQLite would take it for a text. Returns SQLite's result code.
int csqlite_refuse_double_quoted_text(sqlite3 *connection);
