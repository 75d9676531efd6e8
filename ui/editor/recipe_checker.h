#pragma once

#include "core/check/machine.h"
#include "core/language/document.h"
#include "ui/editor/outline_model.h"

#include <memory>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace earwright::ui {

/// What the launch panel would start with: diagnostics are about that run, on this machine.
struct CheckContext {
    QString devices = QStringLiteral("auto");
    QString precision {}; ///< "" = as the recipe says
    QString evalPrecision {};
    QStringList overrides {}; ///< "lr=0.01"
    check::Machine machine {};
};

/// Immutable: shared with the thread that made it.
struct CheckResult {
    std::vector<recipe::Diagnostic> diagnostics; ///< of the overrides and of the document
    language::DocumentPtr document;
    SymbolsPtr symbols; ///< the document's outline
    bool isClean = false; ///< a plan exists
};
using CheckResultPtr = std::shared_ptr<const CheckResult>;

/// Overrides as the command line would read them, the dedicated options last. A word that cannot be
/// read becomes a diagnostic. `previous` as language::analyse takes it; may be null.
CheckResultPtr checkNow(const QString& text, const QString& fileName, const CheckContext& context,
    const language::DocumentPtr& previous = {});

/// Checks a text in the thread pool a moment after it last changed, one check at a time; a text
/// typed over gets no answer. GUI thread only.
class RecipeChecker final : public QObject {
    Q_OBJECT
public:
    explicit RecipeChecker(QObject* parent = nullptr);

    void setContext(const CheckContext& context); ///< checks again
    void schedule(const QString& text, const QString& fileName);
    void hurry(); ///< somebody waits for the answer: without the moment
    bool isCurrent() const { return m_checkedRevision == m_revision; } ///< nothing to wait for

Q_SIGNALS:
    void checked(const earwright::ui::CheckResultPtr& result);

private:
    void run();
    void onDone(quint64 revision, const CheckResultPtr& result);

    QString m_text;
    QString m_fileName;
    CheckContext m_context;
    language::DocumentPtr m_previous;
    quint64 m_revision = 0; ///< of text and context
    quint64 m_checkedRevision = 0;
    bool m_isRunning = false;
    bool m_isWaiting = false; ///< due, but one is running
    QTimer m_debounce;
};

} // namespace earwright::ui
