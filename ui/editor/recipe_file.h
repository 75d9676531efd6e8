#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace kymo::ui {

class FileWatch;

/// A recipe's file: read, written and watched without making the GUI thread wait for the disk. GUI
/// thread only.
class RecipeFile final : public QObject {
    Q_OBJECT
public:
    explicit RecipeFile(const QString& path, QObject* parent = nullptr);
    ~RecipeFile() override;

    const QString& path() const { return m_path; }
    void setPath(const QString& path); ///< for "save as"

    void load(); ///< -> loaded or failed
    /// Whole or not at all (QSaveFile). -> saved or failed
    void save(const QString& text);
    /// For leaving the program: returns when the file is written; false where it cannot be (and
    /// `failed` says why).
    bool saveAndWait(const QString& text);

Q_SIGNALS:
    void loaded(const QString& text);
    void saved(const QString& text);
    void failed(const QString& message);
    /// Another program wrote the file: it now holds `text`.
    void changedOnDisk(const QString& text);
    /// Another program removed or renamed the file.
    void vanished();

private:
    void onFileChanged();
    void lookAgain();

    QString m_path;
    QString m_known; ///< what this window last read or wrote
    FileWatch* m_watch;
    QTimer m_absence; ///< some programs remove a file to write it anew: given time to come back
};

} // namespace kymo::ui
