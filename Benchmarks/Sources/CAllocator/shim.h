#pragma once
/* mallinfo2, which the Glibc module leaves out. */
#include <malloc.h>
