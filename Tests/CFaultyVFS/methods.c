// The methods that SQLite calls: counted, and handed to the default VFS.

#include <string.h>
#include <sys/stat.h>

#include "faults.h"

static int begin(struct file *file, faulty_vfs_kind kind) {
    pthread_mutex_lock(&file->vfs->mutex);
    return count_call(file->vfs, file, kind);
}

static int end(struct file *file, int result) {
    pthread_mutex_unlock(&file->vfs->mutex);
    return result;
}

// ---- files

static int file_close(sqlite3_file *base) {
    struct file *file = (struct file *)base;
    struct vfs *vfs = file->vfs;
    pthread_mutex_lock(&vfs->mutex);
    struct file **link = &vfs->files;
    while (*link != file) link = &(*link)->next;
    *link = file->next;
    int result = file->real->pMethods->xClose(file->real);
    pthread_mutex_unlock(&vfs->mutex);
    return result;
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    struct file *file = (struct file *)base;
    int result = end(file, begin(file, FAULTY_READ));
    if (result) {
        memset(bytes, 0, count);
        return result;
    }
    return file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int write_counted(struct file *file, const void *bytes, int count, sqlite3_int64 offset) {
    const sqlite3_io_methods *methods = file->real->pMethods;
    sqlite3_int64 size, *room = &file->vfs->room;
    int result = methods->xFileSize(file->real, &size), is_full = 0;
    if (result) return result;
    sqlite3_int64 growth = offset + count > size ? offset + count - size : 0;
    if (*room >= 0 && growth > *room) {
        is_full = 1;
        sqlite3_int64 fits = size + *room - offset;
        count = fits > 0 ? (int)fits : 0;
        growth = count > 0 ? *room : 0;
        file->vfs->failures++;
        file->vfs->failed_kind = FAULTY_WRITE;
    }
    if (count > 0) {
        if (file->node && (result = remember_write(file, bytes, count, offset, size))) return result;
        result = methods->xWrite(file->real, bytes, count, offset);
        if (result && file->node) forget_last(file->node);
        if (!result && *room >= 0) *room -= growth;
    }
    return is_full && !result ? SQLITE_FULL : result;
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    struct file *file = (struct file *)base;
    int result = begin(file, FAULTY_WRITE);
    return end(file, result ? result : write_counted(file, bytes, count, offset));
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
    struct file *file = (struct file *)base;
    const sqlite3_io_methods *methods = file->real->pMethods;
    sqlite3_int64 old = 0;
    int result = begin(file, FAULTY_TRUNCATE);
    if (!result) result = methods->xFileSize(file->real, &old);
    if (!result && file->node) result = remember_truncation(file, size, old);
    if (!result) {
        result = methods->xTruncate(file->real, size);
        if (result && file->node) forget_last(file->node);
    }
    if (!result && file->vfs->room >= 0 && old > size) file->vfs->room += old - size;
    return end(file, result);
}

static int file_sync(sqlite3_file *base, int flags) {
    (void)flags;
    struct file *file = (struct file *)base;
    int result = begin(file, FAULTY_SYNC);
    if (!result && file->node) forget_all(file->node);
    return end(file, result);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
    struct file *file = (struct file *)base;
    int result = end(file, begin(file, FAULTY_FILE_SIZE));
    return result ? result : file->real->pMethods->xFileSize(file->real, size);
}

static int file_lock(sqlite3_file *base, int level) {
    struct file *file = (struct file *)base;
    int result = end(file, begin(file, FAULTY_LOCK));
    return result ? result : file->real->pMethods->xLock(file->real, level);
}

static int file_unlock(sqlite3_file *base, int level) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xUnlock(real, level);
}

static int file_check_lock(sqlite3_file *base, int *is_reserved) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xCheckReservedLock(real, is_reserved);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xFileControl(real, operation, argument);
}

static int file_sector_size(sqlite3_file *base) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xSectorSize(real);
}

static int file_characteristics(sqlite3_file *base) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xDeviceCharacteristics(real);
}

static int shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **region) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xShmMap(real, page, size, extend, region);
}

// Whoever was cut off gets no lock, and so reads nothing from its cache either; locks it has can be given back.
static int shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    struct file *file = (struct file *)base;
    pthread_mutex_lock(&file->vfs->mutex);
    int is_cut_off = file->generation != file->vfs->generation;
    pthread_mutex_unlock(&file->vfs->mutex);
    if (is_cut_off && flags & SQLITE_SHM_LOCK) return SQLITE_IOERR_SHMLOCK;
    return file->real->pMethods->xShmLock(file->real, offset, count, flags);
}

static void shm_barrier(sqlite3_file *base) {
    sqlite3_file *real = ((struct file *)base)->real;
    real->pMethods->xShmBarrier(real);
}

static int shm_unmap(sqlite3_file *base, int delete) {
    sqlite3_file *real = ((struct file *)base)->real;
    return real->pMethods->xShmUnmap(real, delete);
}

// Version 2: no memory-mapped reads, which could not fail.
static const sqlite3_io_methods file_methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_check_lock,
    file_control, file_sector_size, file_characteristics, shm_map, shm_lock, shm_barrier, shm_unmap, NULL, NULL,
};

// ---- the VFS

static sqlite3_vfs *real_of(sqlite3_vfs *base) { return ((struct vfs *)base)->real; }

static int open_counted(struct vfs *vfs, const char *path, struct file *file, int flags, int *out_flags) {
    int is_temporary = !path || flags & SQLITE_OPEN_DELETEONCLOSE;
    file->vfs = vfs;
    file->node = is_temporary ? NULL : find_node(vfs, path);
    file->generation = vfs->generation;
    file->real = (sqlite3_file *)(file + 1);
    file->real->pMethods = NULL;
    if (!is_temporary && !file->node) return SQLITE_NOMEM;
    int result = vfs->real->xOpen(vfs->real, path, file->real, flags, out_flags);
    if (result) {
        if (file->real->pMethods) file->real->pMethods->xClose(file->real);
        return result;
    }
    file->next = vfs->files;
    vfs->files = file;
    file->base.pMethods = &file_methods;
    return SQLITE_OK;
}

static int vfs_open(sqlite3_vfs *base, const char *path, sqlite3_file *opened, int flags, int *out_flags) {
    struct vfs *vfs = (struct vfs *)base;
    opened->pMethods = NULL;
    pthread_mutex_lock(&vfs->mutex);
    int result = count_call(vfs, NULL, FAULTY_OPEN);
    if (!result) result = open_counted(vfs, path, (struct file *)opened, flags, out_flags);
    pthread_mutex_unlock(&vfs->mutex);
    return result;
}

static int vfs_delete(sqlite3_vfs *base, const char *path, int sync_directory) {
    struct vfs *vfs = (struct vfs *)base;
    struct stat status;
    pthread_mutex_lock(&vfs->mutex);
    int result = count_call(vfs, NULL, FAULTY_DELETE);
    if (!result) {
        int is_there = !stat(path, &status);
        // Deleted for good, whether its folder is synced or not: what a cut takes is only more by that.
        (void)sync_directory;
        result = vfs->real->xDelete(vfs->real, path, 0);
        if (!result) {
            if (vfs->room >= 0 && is_there) vfs->room += status.st_size;
            struct node *node = find_node(vfs, path);
            if (node) forget_all(node);
        }
    }
    pthread_mutex_unlock(&vfs->mutex);
    return result;
}

static int vfs_access(sqlite3_vfs *base, const char *path, int flags, int *is_so) {
    struct vfs *vfs = (struct vfs *)base;
    pthread_mutex_lock(&vfs->mutex);
    int result = count_call(vfs, NULL, FAULTY_ACCESS);
    pthread_mutex_unlock(&vfs->mutex);
    return result ? result : vfs->real->xAccess(vfs->real, path, flags, is_so);
}

static int vfs_full_path(sqlite3_vfs *base, const char *path, int count, char *full) {
    return real_of(base)->xFullPathname(real_of(base), path, count, full);
}

static int vfs_randomness(sqlite3_vfs *base, int count, char *bytes) {
    return real_of(base)->xRandomness(real_of(base), count, bytes);
}

static int vfs_sleep(sqlite3_vfs *base, int microseconds) { return real_of(base)->xSleep(real_of(base), microseconds); }

static int vfs_time(sqlite3_vfs *base, double *time) { return real_of(base)->xCurrentTime(real_of(base), time); }

static int vfs_time64(sqlite3_vfs *base, sqlite3_int64 *time) {
    return real_of(base)->xCurrentTimeInt64(real_of(base), time);
}

static int vfs_last_error(sqlite3_vfs *base, int count, char *text) {
    return real_of(base)->xGetLastError(real_of(base), count, text);
}

void set_methods(struct vfs *vfs) {
    vfs->base = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(struct file) + vfs->real->szOsFile,
        .mxPathname = vfs->real->mxPathname,
        .zName = vfs->name,
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_path,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_time,
        .xGetLastError = vfs_last_error,
        .xCurrentTimeInt64 = vfs_time64,
    };
}
