// Registration, plans and counters.

#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static struct vfs **registered;
static int registered_count;

static struct vfs *find(int number) {
    struct vfs *vfs = NULL;
    pthread_mutex_lock(&registry);
    if (number >= 1 && number <= registered_count) vfs = registered[number - 1];
    pthread_mutex_unlock(&registry);
    return vfs;
}

static struct vfs *lock(int number) {
    struct vfs *vfs = find(number);
    if (vfs) pthread_mutex_lock(&vfs->mutex);
    return vfs;
}

static void unlock(struct vfs *vfs) { pthread_mutex_unlock(&vfs->mutex); }

int faulty_vfs_register(void) {
    struct vfs *vfs = calloc(1, sizeof *vfs);
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    if (!vfs || !real) {
        free(vfs);
        return 0;
    }
    pthread_mutex_lock(&registry);
    struct vfs **grown = realloc(registered, (registered_count + 1) * sizeof *registered);
    if (!grown) {
        pthread_mutex_unlock(&registry);
        free(vfs);
        return 0;
    }
    registered = grown;
    registered[registered_count] = vfs;
    int number = ++registered_count;
    pthread_mutex_unlock(&registry);

    pthread_mutex_init(&vfs->mutex, NULL);
    vfs->real = real;
    vfs->room = -1;
    snprintf(vfs->name, sizeof vfs->name, "faulty-%d", number);
    set_methods(vfs);
    sqlite3_vfs_register(&vfs->base, 0);
    return number;
}

void faulty_vfs_unregister(int number) {
    struct vfs *vfs = find(number);
    if (!vfs || vfs->files) return;
    pthread_mutex_lock(&registry);
    registered[number - 1] = NULL;
    pthread_mutex_unlock(&registry);
    sqlite3_vfs_unregister(&vfs->base);
    for (struct node *node = vfs->nodes; node;) {
        struct node *next = node->next;
        forget_all(node);
        free(node->changes);
        free(node->path);
        free(node);
        node = next;
    }
    pthread_mutex_destroy(&vfs->mutex);
    free(vfs);
}

void faulty_vfs_reset(int number) {
    struct vfs *vfs = lock(number);
    if (!vfs) return;
    memset(vfs->calls, 0, sizeof vfs->calls);
    vfs->failures = 0;
    vfs->failed_kind = FAULTY_ANY;
    vfs->is_planned = 0;
    vfs->room = -1;
    vfs->is_off = 0;
    for (struct node *node = vfs->nodes; node; node = node->next) forget_all(node);
    unlock(vfs);
}

long faulty_vfs_calls(int number) { return faulty_vfs_calls_of(number, FAULTY_ANY); }

long faulty_vfs_calls_of(int number, faulty_vfs_kind kind) {
    struct vfs *vfs = lock(number);
    if (!vfs) return 0;
    long calls = vfs->calls[kind];
    unlock(vfs);
    return calls;
}

long faulty_vfs_failures(int number) {
    struct vfs *vfs = lock(number);
    if (!vfs) return 0;
    long failures = vfs->failures;
    unlock(vfs);
    return failures;
}

faulty_vfs_kind faulty_vfs_failed_kind(int number) {
    struct vfs *vfs = lock(number);
    if (!vfs) return FAULTY_ANY;
    faulty_vfs_kind kind = vfs->failed_kind;
    unlock(vfs);
    return kind;
}

void faulty_vfs_fail_at(int number, long call, int persistent, int error) {
    faulty_vfs_fail_kind_at(number, FAULTY_ANY, call, persistent, error);
}

void faulty_vfs_fail_kind_at(int number, faulty_vfs_kind kind, long call, int persistent, int error) {
    struct vfs *vfs = lock(number);
    if (!vfs) return;
    vfs->is_planned = 1;
    vfs->kind = kind;
    vfs->call = call;
    vfs->is_persistent = persistent;
    vfs->error = error;
    unlock(vfs);
}

void faulty_vfs_set_room(int number, long long bytes) {
    struct vfs *vfs = lock(number);
    if (!vfs) return;
    vfs->room = bytes;
    unlock(vfs);
}

void faulty_vfs_heal(int number) {
    struct vfs *vfs = lock(number);
    if (!vfs) return;
    vfs->is_planned = 0;
    vfs->room = -1;
    unlock(vfs);
}

void faulty_vfs_cut(int number, uint64_t seed) {
    struct vfs *vfs = lock(number);
    if (!vfs) return;
    for (struct node *node = vfs->nodes; node; node = node->next) cut_node(vfs, node, &seed);
    vfs->is_off = 1;
    vfs->generation++;
    unlock(vfs);
}

long faulty_vfs_unsynced(int number) {
    struct vfs *vfs = lock(number);
    if (!vfs) return 0;
    long count = 0;
    for (struct node *node = vfs->nodes; node; node = node->next) count += node->count;
    unlock(vfs);
    return count;
}

static int default_error(faulty_vfs_kind kind) {
    switch (kind) {
    case FAULTY_OPEN: return SQLITE_CANTOPEN;
    case FAULTY_READ: return SQLITE_IOERR_READ;
    case FAULTY_WRITE: return SQLITE_IOERR_WRITE;
    case FAULTY_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
    case FAULTY_SYNC: return SQLITE_IOERR_FSYNC;
    case FAULTY_FILE_SIZE: return SQLITE_IOERR_FSTAT;
    case FAULTY_LOCK: return SQLITE_IOERR_LOCK;
    case FAULTY_DELETE: return SQLITE_IOERR_DELETE;
    case FAULTY_ACCESS: return SQLITE_IOERR_ACCESS;
    default: return SQLITE_IOERR;
    }
}

int count_call(struct vfs *vfs, struct file *file, faulty_vfs_kind kind) {
    vfs->calls[FAULTY_ANY]++;
    vfs->calls[kind]++;
    int error = SQLITE_OK;
    if (vfs->is_off || (file && file->generation != vfs->generation)) {
        error = default_error(kind);
    } else if (
        vfs->is_planned && (vfs->kind == FAULTY_ANY || vfs->kind == kind) &&
        (vfs->error != SQLITE_FULL || kind == FAULTY_WRITE)) {
        long call = vfs->calls[vfs->kind];
        // A full disk fails the next write where the call itself was none.
        if (call == vfs->call || (call > vfs->call && (vfs->is_persistent || vfs->error == SQLITE_FULL))) {
            error = vfs->error ? vfs->error : default_error(kind);
            if (!vfs->is_persistent) vfs->is_planned = 0;
        }
    }
    if (error) {
        vfs->failures++;
        vfs->failed_kind = kind;
    }
    return error;
}

struct node *find_node(struct vfs *vfs, const char *path) {
    for (struct node *node = vfs->nodes; node; node = node->next)
        if (!strcmp(node->path, path)) return node;
    struct node *node = calloc(1, sizeof *node);
    if (!node || !(node->path = strdup(path))) {
        free(node);
        return NULL;
    }
    node->next = vfs->nodes;
    vfs->nodes = node;
    return node;
}
