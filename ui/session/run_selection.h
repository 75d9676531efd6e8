#pragma once

#include <QObject>
#include <QStringList>

namespace earwright::ui {

struct WindowParts;

/// Which run is shown, which are compared and which lie beside the one that is shown; the session
/// watches these. GUI thread only.
class RunSelection final : public QObject {
    Q_OBJECT
public:
    explicit RunSelection(const WindowParts& parts);

    void select(const QString& runPath); ///< "" = none
    QString current() const { return m_current; }
    void setCompared(const QStringList& runPaths);
    QStringList compared() const { return m_compared; }
    /// Of an earlier window. The figures of what is compared appear once its events were read.
    void restore(const QString& runPath, const QStringList& compared);

    QStringList selected() const; ///< in the list of runs
    QStringList beside() const; ///< runs to hold the current one against

    bool isCapsule(const QString& runPath) const;
    QStringList withoutCapsules(QStringList runPaths) const;

Q_SIGNALS:
    void currentChanged(const QString& runPath);
    void comparedChanged();
    void selectedChanged();

private:
    void watch();

    const WindowParts& m_parts;
    QString m_current;
    QStringList m_compared;
};

} // namespace earwright::ui
