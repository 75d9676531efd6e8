#include "core/distributed/first_failure.h"

#include "core/distributed/watch.h"

namespace earwright::distributed {

std::optional<Failure> firstFailure(c10d::Store& store)
{
    if (!store.check({ keys::kFailure }))
        return {};
    return failureFromJson(store.get_to_str(keys::kFailure));
}

Failure keepFirst(c10d::Store& store, const Failure& failure)
{
    const std::string mine = failureToJson(failure);
    std::string kept = store.compareSet(keys::kFailure, std::string(), mine);
    if (!failureFromJson(kept))
        kept = store.compareSet(keys::kFailure, kept, mine);
    return failureFromJson(kept).value_or(failure);
}

} // namespace earwright::distributed
