#pragma once

#include "ui/widgets/qsci.h"

#include <QPalette>

namespace earwright::ui {

/// Colours and folds HyperPyYAML: keys, tags and their classes, references. Folding follows
/// indentation.
class RecipeLexer final : public QsciLexerCustom {
    Q_OBJECT
public:
    explicit RecipeLexer(QObject* parent = nullptr);

    void setTheme(const QPalette& palette, const QFont& font);

    const char* language() const override { return "HyperPyYAML"; }
    QString description(int style) const override;
    void styleText(int start, int end) override;

private:
    void styleLine(int line, QByteArrayView text, int& blockIndent);
    void foldLine(int line, QByteArrayView text);
};

} // namespace earwright::ui
