#include "core/base/keep_memory.h"

#include <climits>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace earwright {

void keepFreedMemory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

} // namespace earwright
