// A driver that hangs as it is unloaded, for LD_PRELOAD: rank 1 of a run never ends its exit.
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

__attribute__((destructor)) void linger()
{
    const char* rank = std::getenv("RANK");
    while (rank != nullptr && std::strcmp(rank, "1") == 0)
        pause();
}

} // namespace
