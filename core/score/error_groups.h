#pragma once

#include "core/score/error_rate.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::score {

/// What utterances are grouped by.
enum class GroupBy {
    Speaker,
    Seconds, ///< how long they last
    Rate, ///< the speaking rate: words of the reference a second, or where texts have no words
          ///< their units
};
/// "speaker", "seconds", "rate".
std::optional<GroupBy> groupByNamed(std::string_view name);

/// The errors of the utterances that are alike.
struct ErrorGroup {
    std::string speaker {}; ///< "" = none is named, or not grouped by speakers
    /// Not grouped by speakers: from this value to below that one; -1 = it is not known.
    double from = -1;
    double below = std::numeric_limits<double>::infinity();
    double seconds = 0; ///< of those whose length is known
    ErrorRate errors {};

    /// The speaker, "2 to 4", "30 and more", or "unknown".
    std::string name() const;
};

/// Sums errors by groups. Not thread-safe.
class ErrorGroups final {
public:
    explicit ErrorGroups(GroupBy by)
        : m_by(by)
    {
    }

    /// `seconds`: below 0 or NaN = not known. `edits` are those of one utterance.
    void add(const std::string& speaker, double seconds, const ErrorRate& edits);
    /// Speakers by their error rate, the highest first; figures from the least up, those that are
    /// not known last. Groups without an utterance are left out.
    std::vector<ErrorGroup> groups() const;

private:
    GroupBy m_by;
    std::map<std::string, ErrorGroup> m_bySpeaker;
    std::map<double, ErrorGroup> m_byFigure; ///< by ErrorGroup::from; infinity = not known
};

/// Reference tokens a second; NaN where the length is not known or nothing.
double speakingRate(int64_t tokens, double seconds);

} // namespace earwright::score
