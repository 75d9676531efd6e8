#pragma once

#include "core/score/error_groups.h"
#include "ui/utterances/utterance_set.h"

#include <QVariant>

namespace earwright::ui {

/// Errors of many utterances together, a row each kind.
struct ErrorTable {
    struct Row {
        QList<QVariant> cells {}; ///< texts, counts (qlonglong) and figures (double)
        QString filter {}; ///< finds its utterances (UtteranceFilter); "" = they cannot be found
    };

    QStringList titles {}; ///< of the columns
    int numTexts = 0; ///< columns of text, which come first
    std::vector<Row> rows {};
};
using ErrorTablePtr = std::shared_ptr<const ErrorTable>;

/// What was heard in place of what was said, the most frequent first. It aligns every wrong
/// utterance: not in the GUI thread.
ErrorTablePtr confusionTable(const UtteranceSet& set);

/// The errors by speaker, length or speaking rate (score::ErrorGroups). Safe in any thread.
ErrorTablePtr groupTable(const UtteranceSet& set, score::GroupBy by);

} // namespace earwright::ui
