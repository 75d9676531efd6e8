#include "core/precision/tf32.h"

#include <ATen/Context.h>
#include <mutex>
#include <vector>

namespace earwright::precision {

namespace {

struct Switches {
    bool cublas = false;
    bool cudnn = true;
};

Switches read()
{
    return { at::globalContext().allowTF32CuBLAS(), at::globalContext().allowTF32CuDNN() };
}

void write(const Switches& switches)
{
    at::globalContext().setAllowTF32CuBLAS(switches.cublas);
    at::globalContext().setAllowTF32CuDNN(switches.cudnn);
}

} // namespace

/// cuDNN's switch is two in PyTorch, which refuses to read them once they differ: two ranks of one
/// process that write at the same time would leave them so.
struct Tf32Scope::All {
    std::mutex mutex; ///< guards all below and PyTorch's switches
    std::vector<const Tf32Scope*> alive; ///< the newest last
    Switches before; ///< the first one alive

    void apply() const
    {
        write(
            alive.empty() ? before : Switches { alive.back()->m_allowed, alive.back()->m_allowed });
    }
};

Tf32Scope::All& Tf32Scope::all()
{
    static All instance;
    return instance;
}

Tf32Scope::Tf32Scope(bool allowed)
    : m_allowed(allowed)
{
    const std::lock_guard lock(all().mutex);
    if (all().alive.empty())
        all().before = read();
    all().alive.push_back(this);
    all().apply();
}

Tf32Scope::~Tf32Scope()
{
    const std::lock_guard lock(all().mutex);
    std::erase(all().alive, this);
    all().apply();
}

} // namespace earwright::precision
