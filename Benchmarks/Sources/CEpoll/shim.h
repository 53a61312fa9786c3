#pragma once
// The Glibc module leaves this header out.
#include <sys/epoll.h>
