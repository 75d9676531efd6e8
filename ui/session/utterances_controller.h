#pragma once

#include "ui/session/window_pages.h"

#include <QObject>
#include <vector>

namespace earwright::ui {

class RunSelection;
struct UtteranceRun;
struct WindowParts;

/// Gives the page of utterances its runs: the one that is shown, and those beside it. GUI thread
/// only.
class UtterancesController final : public QObject {
    Q_OBJECT
public:
    UtterancesController(const WindowParts& parts, const RunSelection& selection);

private:
    void onAboutToShow(WindowPage page);
    void onSnapshot(const QString& runPath);
    void showEvaluation(const QString& alignmentsFile, const QString& hotword);
    void refresh(); ///< where the page is in front
    std::vector<UtteranceRun> runs() const; ///< the selected one first

    const WindowParts& m_parts;
    const RunSelection& m_selection;
};

} // namespace earwright::ui
