#pragma once
// libevent's configuration header defines _GNU_SOURCE; without features.h first, fd_set clashes with
// the one of Swift's Glibc module.
#include <features.h>
#include <event2/event.h>
#include <event2/buffer.h>
#include <event2/util.h>
