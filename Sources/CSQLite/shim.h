#pragma once
#include <sqlite3.h>

// Swift does not import the macro, a cast of -1 to a pointer to a function.
static inline sqlite3_destructor_type sqlite3_transient_destructor(void) { return SQLITE_TRANSIENT; }
