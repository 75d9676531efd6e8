#pragma once

#include "app/cli/arguments.h"
#include "core/train/recogniser.h"

namespace earwright::cli {

/// Those of `earwright transcribe` that take a value.
extern const std::vector<std::string> kTranscribeOptions;
extern const std::vector<std::string> kTranscribeFlags; ///< and that take none

/// What they say, but for the files that they name.
struct Request {
    train::DecodeSetting setting;
    std::optional<int64_t> batchSize; ///< none: the recipe's
    bool isJson = false;
    int64_t topErrors = 0; ///< utterances and speakers to tell of
};

/// The error names the option and what it takes.
Result<Request> decodingAsked(const Arguments& arguments);

/// The recipe's own in its test, which models that see padding were judged by.
int64_t testBatchSize(const plan::Plan& plan);

/// One device, as `earwright train --devices` reads it; without the option a GPU where there is
/// one.
Result<c10::Device> deviceOf(const Arguments& arguments);

} // namespace earwright::cli
