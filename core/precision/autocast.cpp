#include "core/precision/precision.h"
#include "core/precision/tf32.h"

#include <ATen/autocast_mode.h>

namespace earwright::precision {

namespace {

bool isReduced(Type type)
{
    return type == Type::Fp16 || type == Type::Bf16;
}

} // namespace

Result<Type> parseType(const std::string& name)
{
    for (const Type type : { Type::Fp32, Type::Tf32, Type::Fp16, Type::Bf16 })
        if (name == typeName(type))
            return type;
    return Error { "unknown precision '" + name + "': use fp32, tf32, fp16 or bf16" };
}

std::string typeName(Type type)
{
    switch (type) {
    case Type::Tf32:
        return "tf32";
    case Type::Fp16:
        return "fp16";
    case Type::Bf16:
        return "bf16";
    case Type::Fp32:
        break;
    }
    return "fp32";
}

struct Autocast::Saved {
    explicit Saved(c10::DeviceType deviceType, bool allowTf32)
        : device(deviceType)
        , enabled(at::autocast::is_autocast_enabled(deviceType))
        , dtype(at::autocast::get_autocast_dtype(deviceType))
        , tf32(allowTf32)
    {
    }

    c10::DeviceType device;
    bool enabled;
    at::ScalarType dtype;
    Tf32Scope tf32;
};

Autocast::Autocast(Type type, c10::DeviceType device)
    : m_saved(std::make_unique<Saved>(device, type == Type::Tf32))
{
    at::autocast::set_autocast_enabled(device, isReduced(type));
    if (isReduced(type))
        at::autocast::set_autocast_dtype(device, type == Type::Fp16 ? at::kHalf : at::kBFloat16);
    at::autocast::increment_nesting();
}

Autocast::~Autocast()
{
    // Casts of the weights are cached for one forward; kept longer they would miss the optimizer's
    // update.
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(m_saved->device, m_saved->enabled);
    at::autocast::set_autocast_dtype(m_saved->device, m_saved->dtype);
}

} // namespace earwright::precision
