#pragma once
/* SQLite as it is, to measure against; another name than the server's module, which is a target of its own. */
#include <sqlite3.h>

/* Swift does not import the macro. */
static inline sqlite3_destructor_type plain_sqlite3_transient(void) { return SQLITE_TRANSIENT; }
