// Tells the thread sanitizer of the order that Swift's Mutex makes between threads.
//
// A mutex that nobody waits for is taken and given back by an atomic operation in Medley's own code, which the sanitizer
// sees. One that somebody waits for goes through the kernel, in functions of libswiftSynchronization that the sanitizer was
// not built into: without this, all that is guarded by a Mutex is reported as soon as two threads meet there.
// Scripts/sanitize has this library loaded before that one, so that these functions are called in place of those.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Not there in processes that are not sanitized.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SELF __attribute__((swift_context)) void *self
#define METHOD __attribute__((swiftcall))

// Synchronization._MutexHandle, with its word of state first: _lockSlow(UInt32), _tryLockSlow() -> Bool, _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

METHOD void medley_lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD void medley_lock(uint32_t thread, SELF) {
    ((METHOD void (*)(uint32_t, SELF))next(LOCK))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

METHOD _Bool medley_try_lock(SELF) __asm__(TRY_LOCK);
METHOD _Bool medley_try_lock(SELF) {
    _Bool taken = ((METHOD _Bool (*)(SELF))next(TRY_LOCK))(self);
    if (taken && __tsan_acquire) __tsan_acquire(self);
    return taken;
}

METHOD void medley_unlock(SELF) __asm__(UNLOCK);
METHOD void medley_unlock(SELF) {
    if (__tsan_release) __tsan_release(self);
    ((METHOD void (*)(SELF))next(UNLOCK))(self);
}
