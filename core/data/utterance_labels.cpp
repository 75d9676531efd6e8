#include "core/data/utterance_labels.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace earwright::data {

std::vector<std::string> membersOf(const std::vector<settings::UtteranceLabel>& labels)
{
    std::vector<std::string> members;
    for (const settings::UtteranceLabel& label : labels)
        members.push_back(label.member);
    return members;
}

std::string noneText(const std::vector<settings::UtteranceLabel>& labels)
{
    std::vector<std::string> usual;
    for (const settings::UtteranceLabel& label : labels)
        usual.push_back(label.usual);
    return "no row has " + join(membersOf(labels), ", ") + " (members of a .jsonl's lines); "
        + join(usual, ", ") + " are used for all rows";
}

UtteranceLabels::UtteranceLabels(
    std::vector<settings::UtteranceLabel> labels, const TextEncoder& encoder)
    : m_labels(std::move(labels))
    , m_encoder(&encoder)
{
}

Result<std::vector<int64_t>> UtteranceLabels::tokensOf(const Utterance& utterance) const
{
    const std::vector<std::string> own = split(utterance.labels, '\n');
    std::vector<int64_t> tokens;
    for (size_t i = 0; i < m_labels.size(); ++i) {
        const bool isOwn = i < own.size() && !own[i].empty();
        const std::string& label = isOwn ? own[i] : m_labels[i].usual;
        const std::optional<int64_t> token = m_encoder->indexOf(label);
        const std::vector<std::string>& choices = m_labels[i].choices;
        if (!choices.empty() && std::find(choices.begin(), choices.end(), label) == choices.end())
            return Error { "the label '" + label + "' of '" + m_labels[i].member + "' is none of "
                + join(choices, ", ") + "; write one of them" };
        if (!token)
            return Error { "the label '" + label + "' " + (isOwn ? "of '" : "that stands for no '")
                + m_labels[i].member
                + "' is none of the tokens; write one that the token list has" };
        tokens.push_back(*token);
    }
    return tokens;
}

} // namespace earwright::data
