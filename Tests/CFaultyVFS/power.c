// What is not synced, and what a cut of the power leaves of it.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"

static const sqlite3_int64 sector = 512;

static struct change *append(struct node *node) {
    if (node->count == node->capacity) {
        int capacity = node->capacity ? 2 * node->capacity : 16;
        struct change *grown = realloc(node->changes, capacity * sizeof *grown);
        if (!grown) return NULL;
        node->changes = grown;
        node->capacity = capacity;
    }
    struct change *change = &node->changes[node->count++];
    memset(change, 0, sizeof *change);
    return change;
}

void forget_last(struct node *node) {
    struct change *change = &node->changes[--node->count];
    free(change->bytes);
    free(change->old_bytes);
}

void forget_all(struct node *node) {
    while (node->count > 0) forget_last(node);
}

// Reads what lies from an offset to an end that the file has.
static int keep_old(struct file *file, struct change *change, sqlite3_int64 offset, sqlite3_int64 end) {
    if (end <= offset) return SQLITE_OK;
    change->old_count = (int)(end - offset);
    change->old_bytes = malloc(change->old_count);
    if (!change->old_bytes) return SQLITE_NOMEM;
    return file->real->pMethods->xRead(file->real, change->old_bytes, change->old_count, offset);
}

int remember_write(struct file *file, const void *bytes, int count, sqlite3_int64 offset, sqlite3_int64 size) {
    struct change *change = append(file->node);
    if (!change) return SQLITE_NOMEM;
    change->offset = offset;
    change->old_size = size;
    change->count = count;
    change->bytes = malloc(count ? count : 1);
    int result = SQLITE_NOMEM;
    if (change->bytes) {
        memcpy(change->bytes, bytes, count);
        result = keep_old(file, change, offset, size < offset + count ? size : offset + count);
    }
    if (result) forget_last(file->node);
    return result;
}

int remember_truncation(struct file *file, sqlite3_int64 new_size, sqlite3_int64 size) {
    struct change *change = append(file->node);
    if (!change) return SQLITE_NOMEM;
    change->is_truncation = 1;
    change->offset = new_size;
    change->old_size = size;
    int result = keep_old(file, change, new_size, size);
    if (result) forget_last(file->node);
    return result;
}

// A file that is open through SQLite is changed through it: closing a second descriptor would drop its locks.
struct disk {
    sqlite3_file *real;
    int descriptor;
};

static void disk_write(struct disk *disk, const unsigned char *bytes, int count, sqlite3_int64 offset) {
    if (count <= 0) return;
    if (disk->real) {
        disk->real->pMethods->xWrite(disk->real, bytes, count, offset);
        return;
    }
    while (count > 0) {
        ssize_t written = pwrite(disk->descriptor, bytes, count, offset);
        if (written <= 0) return;
        bytes += written;
        count -= (int)written;
        offset += written;
    }
}

static void disk_truncate(struct disk *disk, sqlite3_int64 size) {
    if (disk->real) {
        disk->real->pMethods->xTruncate(disk->real, size);
    } else if (ftruncate(disk->descriptor, size)) {
        return;
    }
}

static void undo(struct disk *disk, const struct change *change) {
    disk_write(disk, change->old_bytes, change->old_count, change->offset);
    if (change->offset + change->count > change->old_size) disk_truncate(disk, change->old_size);
}

static void redo(struct disk *disk, const struct change *change) {
    if (change->is_truncation) {
        disk_truncate(disk, change->offset);
    } else {
        disk_write(disk, change->bytes, change->count, change->offset);
    }
}

static uint64_t below(uint64_t *state, uint64_t bound) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % bound;
}

// Redoes the part of a write before or after the end of a sector in it.
static void redo_torn(struct disk *disk, const struct change *change, uint64_t *random) {
    sqlite3_int64 first = change->offset / sector + 1, last = (change->offset + change->count - 1) / sector;
    if (change->is_truncation || last < first) return;
    int cut = (int)((first + (sqlite3_int64)below(random, last - first + 1)) * sector - change->offset);
    if (below(random, 2)) {
        disk_write(disk, change->bytes, cut, change->offset);
    } else {
        disk_write(disk, change->bytes + cut, change->count - cut, change->offset + cut);
    }
}

void cut_node(struct vfs *vfs, struct node *node, uint64_t *random) {
    if (node->count == 0) return;
    struct disk disk = {NULL, -1};
    for (struct file *file = vfs->files; file && !disk.real; file = file->next)
        if (file->node == node) disk.real = file->real;
    if (!disk.real) disk.descriptor = open(node->path, O_RDWR | O_CLOEXEC);
    if (disk.real || disk.descriptor >= 0) {
        for (int i = node->count; i-- > 0;) undo(&disk, &node->changes[i]);
        enum { nothing, beginning, any, all } left = below(random, 4);
        int end = left == beginning ? (int)below(random, node->count + 1) : node->count;
        int torn = below(random, 2) ? (int)below(random, node->count) : -1;
        for (int i = 0; i < end && left != nothing; i++) {
            if (i == torn) {
                redo_torn(&disk, &node->changes[i], random);
            } else if (left != any || below(random, 2)) {
                redo(&disk, &node->changes[i]);
            }
        }
        if (disk.descriptor >= 0) close(disk.descriptor);
    }
    forget_all(node);
}
