#pragma once

#include "core/score/error_rate.h"

#include <QString>

#include <vector>

namespace earwright::ui {

/// A reference and what was recognised, token beside token.
struct Alignment {
    struct Pair {
        QString reference; ///< "" of an insertion
        QString hypothesis; ///< "" of a deletion
        char edit = '='; ///< '=' equal, 'S', 'I', 'D', as score::Scored::operations
    };

    QString title; ///< "" where there is but one
    std::vector<Pair> pairs;

    QString text() const; ///< for screen readers: "open [D: the] [S: menu → men] [I: oh]"
};

enum class AlignmentUnit { Word, Character };

/// By characters where the texts have no words, those that the CER counts. Takes time and memory in
/// the product of both lengths. Safe in any thread.
Alignment align(const QString& reference, const QString& hypothesis, AlignmentUnit unit,
    bool haveWords, score::WordSplit split);

} // namespace earwright::ui
