#pragma once

#include <c10/util/Exception.h>
#include <optional>
#include <string>

namespace earwright::distributed {

/// That there was no memory for what an operator or a collective asked for.
struct MemoryShortage {
    /// Allocator: LibTorch's own, which has given back all it keeps before it says so. Library: of
    /// the GPU, which takes its memory beside it. Collective: NCCL, whose sum is lost.
    enum class Of { Allocator, Library, Collective };
    Of of = Of::Allocator;
    std::string cause; ///< one line: what was asked for, or the library's word
};

/// Nothing for an error of another kind.
std::optional<MemoryShortage> memoryShortage(const c10::Error& error);

/// Whether the device itself failed, and not for lack of memory: all that comes after fails too.
bool isOfDevice(const c10::Error& error);

} // namespace earwright::distributed
