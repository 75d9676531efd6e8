#pragma once

#include "core/check/machine.h"
#include "core/plan/checked.h"

#include <memory>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace kymo::ui {

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
    std::vector<recipe::Diagnostic> diagnostics;
    recipe::NodePtr resolved; ///< for tooltips; null where the text does not parse
    bool isClean = false; ///< a plan exists
};
using CheckResultPtr = std::shared_ptr<const CheckResult>;

/// Overrides as the command line would read them, the dedicated options last. A word that cannot be
/// read becomes a diagnostic.
CheckResultPtr checkNow(const QString& text, const QString& fileName, const CheckContext& context);

/// Checks a text in the thread pool 200 ms after it last changed; of several checks under way only
/// the latest one answers. GUI thread only.
class RecipeChecker final : public QObject {
    Q_OBJECT
public:
    explicit RecipeChecker(QObject* parent = nullptr);

    void setContext(const CheckContext& context); ///< checks again
    void schedule(const QString& text, const QString& fileName);

Q_SIGNALS:
    void checked(const kymo::ui::CheckResultPtr& result);

private:
    void run();

    QString m_text;
    QString m_fileName;
    CheckContext m_context;
    quint64 m_generation = 0;
    QTimer m_debounce;
};

} // namespace kymo::ui
