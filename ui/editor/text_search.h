#pragma once

#include <QRegularExpression>
#include <QString>
#include <vector>

namespace earwright::ui {

/// What the find bar looks for.
struct Search {
    QString text {};
    bool isRegex = false; ///< Perl's, as QRegularExpression reads it; ^ and $ are of a line
    bool wholeWord = false;
    bool matchCase = false;
};

/// In UTF-16 code units of the text searched.
struct Match {
    qsizetype begin = 0;
    qsizetype length = 0;
    bool operator==(const Match&) const = default;
};

/// Invalid (isValid(), errorString()) where the user's expression is.
QRegularExpression patternOf(const Search& search);

/// Every match in order; those of no length are left out: there is nothing to show or replace.
std::vector<Match> findAll(const QString& text, const QRegularExpression& pattern);

/// What the match becomes: \1 … \9 and \0 in the replacement of a regular expression are its
/// groups, \n and \t a newline and a tab; otherwise the replacement as it stands.
QString replacementOf(const QString& text, const Match& match, const QRegularExpression& pattern,
    const Search& search, const QString& replacement);

} // namespace earwright::ui
