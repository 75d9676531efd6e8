#pragma once

#include <memory>
#include <sndfile.h>

namespace earwright::data {

struct SoundFileCloser {
    void operator()(SNDFILE* file) const { sf_close(file); }
};

/// Of libsndfile.
using SoundFile = std::unique_ptr<SNDFILE, SoundFileCloser>;

} // namespace earwright::data
