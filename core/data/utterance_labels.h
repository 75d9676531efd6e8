#pragma once

#include "core/base/result.h"
#include "core/data/manifest.h"
#include "core/data/text_encoder.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::data {

/// The members that a manifest's rows may have.
std::vector<std::string> membersOf(const std::vector<settings::UtteranceLabel>& labels);

/// What is said of a manifest where no row has any of them.
std::string noneText(const std::vector<settings::UtteranceLabel>& labels);

/// Labels of whole utterances as tokens. Safe from any thread.
class UtteranceLabels final {
public:
    /// `encoder` outlives it.
    UtteranceLabels(std::vector<settings::UtteranceLabel> labels, const TextEncoder& encoder);

    /// One for each label, the usual one where the utterance says none. The error names a label
    /// that is no token.
    Result<std::vector<int64_t>> tokensOf(const Utterance& utterance) const;

private:
    std::vector<settings::UtteranceLabel> m_labels;
    const TextEncoder* m_encoder;
};

} // namespace earwright::data
