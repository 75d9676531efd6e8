#include "ui/editor/find_bar.h"

#include "ui/editor/recipe_editor.h"
#include "ui/widgets/counted.h"

#include <algorithm>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace earwright::ui {

FindBar::FindBar(RecipeEditor* editor, QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_text(new QLineEdit(this))
    , m_matchCase(addOption(
          QStringLiteral("Aa"), tr("Match upper and lower case"), QStringLiteral("findMatchCase")))
    , m_wholeWord(
          addOption(QStringLiteral("W"), tr("Whole words only"), QStringLiteral("findWholeWord")))
    , m_regex(
          addOption(QStringLiteral(".*"), tr("Regular expression"), QStringLiteral("findRegex")))
    , m_result(new QLabel(this))
    , m_replaceRow(new QWidget(this))
    , m_replacement(new QLineEdit(m_replaceRow))
    , m_replace(new QPushButton(tr("Re&place"), m_replaceRow))
    , m_replaceAll(new QPushButton(tr("Replace &All"), m_replaceRow))
{
    build();
    connectParts();
    hide();
}

QToolButton* FindBar::addOption(const QString& text, const QString& help, const QString& name)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setToolTip(help);
    button->setAccessibleName(help);
    return button;
}

void FindBar::build()
{
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setPlaceholderText(tr("Find in the recipe"));
    m_text->setAccessibleName(tr("Find in the recipe"));
    m_text->setClearButtonEnabled(true);
    m_result->setObjectName(QStringLiteral("findResult"));
    m_result->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000 of 0000")));
    m_replacement->setObjectName(QStringLiteral("replaceText"));
    m_replacement->setPlaceholderText(tr("Replace with"));
    m_replacement->setAccessibleName(tr("Replace with"));
    m_replace->setObjectName(QStringLiteral("replaceOne"));
    m_replaceAll->setObjectName(QStringLiteral("replaceAll"));
    m_replaceAll->setToolTip(tr("Every match, as one undo step (Ctrl+Alt+Enter)"));
    auto* top = new QHBoxLayout;
    for (QWidget* widget :
        std::initializer_list<QWidget*> { m_text, m_matchCase, m_wholeWord, m_regex, m_result })
        top->addWidget(widget, widget == m_text ? 1 : 0);
    auto* bottom = new QHBoxLayout(m_replaceRow);
    bottom->setContentsMargins(0, 0, 0, 0);
    bottom->addWidget(m_replacement, 1);
    bottom->addWidget(m_replace);
    bottom->addWidget(m_replaceAll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    column->addLayout(top);
    column->addWidget(m_replaceRow);
}

void FindBar::connectParts()
{
    const auto again = [this] {
        const auto [begin, end] = m_editor->selectedRange();
        findFrom(begin, true);
    };
    connect(m_text, &QLineEdit::textEdited, this, again);
    for (QToolButton* option : { m_matchCase, m_wholeWord, m_regex })
        connect(option, &QToolButton::toggled, this, again);
    connect(m_replace, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(m_replaceAll, &QPushButton::clicked, this, &FindBar::replaceAll);
}

void FindBar::open()
{
    if (m_editor->hasSelectedText() && !m_editor->selectedText().contains(QLatin1Char('\n')))
        m_text->setText(m_editor->selectedText());
    m_replaceRow->hide();
    show();
    m_text->setFocus();
    m_text->selectAll();
}

void FindBar::openReplace()
{
    open();
    m_replaceRow->show();
}

Search FindBar::search() const
{
    return { .text = m_text->text(),
        .isRegex = m_regex->isChecked(),
        .wholeWord = m_wholeWord->isChecked(),
        .matchCase = m_matchCase->isChecked() };
}

void FindBar::findNext(bool forward)
{
    const auto [begin, end] = m_editor->selectedRange();
    findFrom(forward ? end : begin, forward);
}

void FindBar::findFrom(qsizetype caret, bool forward)
{
    const QRegularExpression pattern = patternOf(search());
    if (m_text->text().isEmpty() || !pattern.isValid())
        return say(m_text->text().isEmpty() ? QString() : pattern.errorString());
    const std::vector<Match> matches = findAll(m_editor->text(), pattern);
    if (matches.empty())
        return say(tr("Not found"));
    const auto ahead = std::find_if(
        matches.begin(), matches.end(), [caret](const Match& m) { return m.begin >= caret; });
    auto chosen = ahead == matches.end() ? matches.begin() : ahead;
    if (!forward)
        chosen = std::prev(ahead == matches.begin() ? matches.end() : ahead);
    select(*chosen);
    say(tr("%1 of %2").arg(chosen - matches.begin() + 1).arg(matches.size()));
}

void FindBar::select(const Match& match)
{
    m_editor->selectRange(match.begin, match.begin + match.length);
}

bool FindBar::isSelected(const Match& match) const
{
    return m_editor->selectedRange() == std::pair(match.begin, match.begin + match.length);
}

void FindBar::replaceOne()
{
    const QRegularExpression pattern = patternOf(search());
    const QString text = m_editor->text();
    for (const Match& match : findAll(text, pattern))
        if (isSelected(match)) {
            const QString with
                = replacementOf(text, match, pattern, search(), m_replacement->text());
            m_editor->replaceRanges({ { match.begin, match.begin + match.length, with } });
            return findFrom(match.begin + with.size(), true);
        }
    findNext();
}

void FindBar::replaceAll()
{
    const QRegularExpression pattern = patternOf(search());
    if (!pattern.isValid())
        return say(pattern.errorString());
    const QString text = m_editor->text();
    std::vector<RangeEdit> edits;
    for (const Match& match : findAll(text, pattern))
        edits.push_back({ match.begin, match.begin + match.length,
            replacementOf(text, match, pattern, search(), m_replacement->text()) });
    m_editor->replaceRanges(edits);
    say(counted(
        static_cast<qsizetype>(edits.size()), tr("Replaced %1 match"), tr("Replaced %1 matches")));
}

void FindBar::say(const QString& text) const
{
    m_result->setText(text);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape) {
        hide();
        m_editor->setFocus();
    } else if (isEnter && event->modifiers() == (Qt::ControlModifier | Qt::AltModifier)) {
        replaceAll();
    } else if (isEnter && m_replacement->hasFocus()) {
        replaceOne();
    } else if (isEnter) {
        findNext(!event->modifiers().testFlag(Qt::ShiftModifier));
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace earwright::ui
