#include "core/data/text_codec.h"

namespace earwright::data {

Result<TextCodec::Cuts> TextCodec::encodePhrase(const std::string& phrase) const
{
    const Result<std::vector<int64_t>> tokens = encode(phrase);
    if (!tokens)
        return tokens.error();
    return Cuts { *tokens };
}

} // namespace earwright::data
