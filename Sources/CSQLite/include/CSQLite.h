// A fixed-argument door to SQLite's variadic configuration, which Swift cannot call.
#pragma once

/// Keeps statement journals below so many bytes in memory; to be called before the process opens its first database. Returns SQLite's result code.
int csqlite_keep_statement_journals(int bytes);
