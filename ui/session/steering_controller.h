#pragma once

#include <optional>
#include <QObject>
#include <QStringList>

namespace earwright::ui {

class RunSelection;
struct WindowParts;

/// What runs that train are told: the one that is shown, or all of them where the window closes.
/// GUI thread only.
class SteeringController final : public QObject {
    Q_OBJECT
public:
    SteeringController(const WindowParts& parts, const RunSelection& selection);

    void tell(const char* command); ///< see Session::tell()
    void askKill();
    void askLearningRate();

    /// Asks which runs at work to stop; nothing where the window shall stay.
    std::optional<QStringList> askForRuns();
    static void stopAll(const QStringList& runPaths);

private:
    const WindowParts& m_parts;
    const RunSelection& m_selection;
};

} // namespace earwright::ui
