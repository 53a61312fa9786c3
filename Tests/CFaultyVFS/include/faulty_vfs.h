// SQLite VFSs for tests: they hand everything to the default VFS, and on demand let a call fail, the disk be full or the
// power be cut.
//
// Each VFS has a plan and counters of its own, so tests that register one each may run at the same time. Every function
// may be called on any thread.
//
// What a file's -shm holds goes through the default VFS and never fails, except for connections that were cut off. xSync
// does not reach the disk: it is the moment after which a write outlives `faulty_vfs_cut`.

#pragma once

#include <stdint.h>

// The calls that are counted and can fail.
typedef enum {
    FAULTY_ANY = 0,
    FAULTY_OPEN,       // SQLITE_CANTOPEN
    FAULTY_READ,       // SQLITE_IOERR_READ
    FAULTY_WRITE,      // SQLITE_IOERR_WRITE
    FAULTY_TRUNCATE,   // SQLITE_IOERR_TRUNCATE
    FAULTY_SYNC,       // SQLITE_IOERR_FSYNC
    FAULTY_FILE_SIZE,  // SQLITE_IOERR_FSTAT
    FAULTY_LOCK,       // SQLITE_IOERR_LOCK
    FAULTY_DELETE,     // SQLITE_IOERR_DELETE
    FAULTY_ACCESS,     // SQLITE_IOERR_ACCESS
    FAULTY_KINDS
} faulty_vfs_kind;

// Registers a new VFS, never as the default. Returns its number n, from 1 on; its name is "faulty-n". 0: no memory.
int faulty_vfs_register(void);

// Takes a VFS away again. No file may be open through it.
void faulty_vfs_unregister(int vfs);

// Counters to 0, no plan, no limit, power on; what was written counts as synced. Connections that were cut off stay so.
void faulty_vfs_reset(int vfs);

// Calls since the VFS was registered or reset, failed ones too.
long faulty_vfs_calls(int vfs);
long faulty_vfs_calls_of(int vfs, faulty_vfs_kind kind);

// Calls that failed on purpose since the VFS was registered or reset.
long faulty_vfs_failures(int vfs);

// The kind of the call that failed on purpose last; FAULTY_ANY: none has.
faulty_vfs_kind faulty_vfs_failed_kind(int vfs);

// Lets the call with a number fail, as `faulty_vfs_calls` counts: 1 is the first. Replaces an earlier plan.
//
// persistent: all calls after it fail too, until `faulty_vfs_heal`.
// error: SQLite's code; 0: what fits the kind of call. SQLITE_FULL fails writes only, so it is the first write from that
//        call on.
void faulty_vfs_fail_at(int vfs, long call, int persistent, int error);

// The same for calls of one kind, numbered as `faulty_vfs_calls_of` counts; calls of other kinds go on.
void faulty_vfs_fail_kind_at(int vfs, faulty_vfs_kind kind, long call, int persistent, int error);

// By how many bytes files may still grow; less than 0: without limit. A write past it fills what is left and gives
// SQLITE_FULL. Bytes that a file had can be written over, and what truncation and deletion free is room again.
void faulty_vfs_set_room(int vfs, long long bytes);

// Ends the plan of failures and the limit.
void faulty_vfs_heal(int vfs);

// Cuts the power: of what was written to a file since its last xSync that succeeded, by chance nothing, a beginning, any
// part or all is there afterwards, and one write may be torn where a sector of 512 bytes ends. Then every call fails until
// `faulty_vfs_reset`, and on files that were open then for ever. Close their connections before opening new ones: as long
// as one is open, the index of the log in memory outlives the cut. To cut the power amid a statement, let a call in it
// and all after it fail first.
void faulty_vfs_cut(int vfs, uint64_t seed);

// Writes since the last xSync of their file that succeeded: what a cut could take.
long faulty_vfs_unsynced(int vfs);
