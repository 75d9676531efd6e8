#pragma once

#include "ui/utterances/manifest_set.h"
#include "ui/widgets/info_bar.h"

#include <atomic>
#include <QObject>

class QAction;

namespace earwright::ui {

/// A manifest that is looked at in the place of a run's utterances. Files are read in the thread
/// pool, and no longer than they are wanted. GUI thread only.
class ManifestLook final : public QObject {
    Q_OBJECT
public:
    explicit ManifestLook(QWidget* parent);
    ~ManifestLook() override;

    bool isOpen() const { return !m_choice.file.empty(); }
    QString name() const; ///< of its file
    /// `runPath`: see ManifestChoice.
    void open(const std::filesystem::path& file, const QString& runPath);
    void close();
    void askForFile(const QString& runPath); ///< and opens it
    /// What else can be done with the manifest that is open; nothing where none is.
    std::vector<InfoBar::Choice> choices();
    QAction* closeAction() const { return m_close; } ///< for a menu

Q_SIGNALS:
    void reading();
    void read(const UtteranceSetPtr& set);
    void closed();

private:
    void readNow();
    void stopReading();
    void ask(const QString& title, const std::function<void(const QString& file)>& take);

    QWidget* m_parent;
    QAction* m_close;
    ManifestChoice m_choice;
    std::shared_ptr<std::atomic<bool>> m_isWanted; ///< of the latest reading
};

} // namespace earwright::ui
