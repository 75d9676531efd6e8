#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// What every target is: libFuzzer calls it with one input after another.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace earwright::fuzz {

inline std::string_view textOf(const uint8_t* data, size_t size)
{
    return { reinterpret_cast<const char*>(data), size };
}

/// A property that does not hold is a crash, which libFuzzer keeps with its input.
inline void require(bool holds, const char* property, const std::string& seen = "")
{
    if (holds)
        return;
    std::fprintf(stderr, "property broken: %s\n%s\n", property, seen.c_str());
    std::abort();
}

} // namespace earwright::fuzz
