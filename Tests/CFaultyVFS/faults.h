// A VFS, its plan and its counters.

#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "faulty_vfs.h"

// A write or truncation that is not synced: how to undo and to redo it.
struct change {
    int is_truncation;
    sqlite3_int64 offset;    // a truncation: the new size
    sqlite3_int64 old_size;  // of the file
    int count;               // bytes that were written
    int old_count;           // bytes that lay where it wrote, or past where it truncated
    unsigned char *bytes;
    unsigned char *old_bytes;
};

// What is known of a path; it outlives the open files.
struct node {
    struct node *next;
    char *path;
    struct change *changes;
    int count, capacity;
};

struct file {
    sqlite3_file base;  // first: SQLite sees only this
    struct vfs *vfs;
    struct node *node;  // NULL for a temporary file
    struct file *next;
    long generation;  // the cuts before it was opened
    sqlite3_file *real;
};

struct vfs {
    sqlite3_vfs base;  // first: SQLite sees only this
    sqlite3_vfs *real;
    char name[32];
    pthread_mutex_t mutex;  // over all that follows and the changes of files

    long calls[FAULTY_KINDS];  // [FAULTY_ANY] is their sum
    long failures;
    faulty_vfs_kind failed_kind;

    int is_planned, is_persistent, error;
    faulty_vfs_kind kind;
    long call;
    sqlite3_int64 room;  // less than 0: without limit

    int is_off;
    long generation;
    struct node *nodes;
    struct file *files;  // open ones
};

// Counts a call; SQLITE_OK, or the code that it must fail with. `file` may be NULL. With the mutex held.
int count_call(struct vfs *vfs, struct file *file, faulty_vfs_kind kind);

struct node *find_node(struct vfs *vfs, const char *path);

// Keeps what a write or truncation is about to change. SQLITE_OK or SQLITE_NOMEM or the code of a failing read.
int remember_write(struct file *file, const void *bytes, int count, sqlite3_int64 offset, sqlite3_int64 size);
int remember_truncation(struct file *file, sqlite3_int64 new_size, sqlite3_int64 size);
void forget_last(struct node *node);
void forget_all(struct node *node);

// Puts a path's file into a state that a cut may leave.
void cut_node(struct vfs *vfs, struct node *node, uint64_t *random);

// VFS and file methods over the default VFS.
void set_methods(struct vfs *vfs);
