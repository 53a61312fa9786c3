#pragma once
// libevent's configuration header defines _GNU_SOURCE; without features.h first, fd_set clashes with
// the one of Swift's Glibc module.
#include <features.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <event2/event.h>
#include <event2/buffer.h>
#include <event2/util.h>

// glibc declares these only under _GNU_SOURCE, which the Glibc module is built without.
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pthread_setname_np(pthread_t thread, const char *name);

// poll.h defines it under _GNU_SOURCE only.
enum { MEDLEY_POLLRDHUP = 0x2000 };
