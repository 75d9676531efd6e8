#pragma once

#include <optional>
#include <QFuture>
#include <QObject>
#include <QString>
#include <QTimer>

namespace earwright::ui {

class FileWatch;

/// A recipe's file: read, written and watched without making the GUI thread wait for the disk. What
/// another program wrote is told and never written over unasked. GUI thread only.
class RecipeFile final : public QObject {
    Q_OBJECT
public:
    explicit RecipeFile(const QString& path, QObject* parent = nullptr);
    ~RecipeFile() override;

    const QString& path() const { return m_path; }

    void load(); ///< -> loaded or unreadable
    /// Whole or not at all (QSaveFile), of several in a row the last. -> saved or notSaved; nothing
    /// is written where the file does not hold what was last loaded, saved or accepted ->
    /// changedOnDisk or spoilt.
    void save(const QString& text);
    void overwrite(const QString& text); ///< the same, whatever the file holds by now
    /// The same into another file, which is this one's once it is written.
    void saveAs(const QString& path, const QString& text);
    /// As save(), for leaving the program: returns when that is done; false where it is not.
    bool saveAndWait(const QString& text);
    /// What another program wrote is known to the user.
    void accept(const QString& text);

Q_SIGNALS:
    void loaded(const QString& text);
    void unreadable(const QString& message);
    void pathChanged();
    void saved(const QString& text);
    void notSaved(const QString& path, const QString& message);
    // What another program did.
    void changedOnDisk(const QString& text); ///< the file now holds `text`
    void spoilt(const QString& message); ///< it is there and cannot be read as a recipe any more
    void vanished(); ///< removed or renamed
    void restored(); ///< again as if nothing had been told

private Q_SLOTS:
    void look() { look(false); } ///< something happened to the file

private:
    struct OnDisk {
        QString text {};
        QString error {}; ///< why there is no text
        bool isThere = true;

        bool operator==(const OnDisk&) const = default;
    };
    struct Write {
        QString path;
        QString text;
        std::optional<QString> known {}; ///< may be written over; nothing: the file must be new
        bool mayReplaceAll = false;
    };
    struct Outcome {
        QString error {};
        std::optional<OnDisk> inTheWay {}; ///< another program's
    };

    static OnDisk read(const QString& path);
    static Outcome write(const Write& write);
    void begin(Write write);
    void take(const Write& write, const Outcome& outcome);
    void onWritten(const Outcome& outcome);
    bool tellOutcome(const Write& write, const Outcome& outcome); ///< true: it was saved
    void look(bool isAgain);
    void compare(const OnDisk& disk);
    void tell(const OnDisk& disk);

    QString m_path;
    std::optional<QString> m_known; ///< what this window last read, wrote or accepted
    std::optional<OnDisk> m_told; ///< not what is known
    FileWatch* m_watch;
    QTimer m_nextLook; ///< at a file that was not there or could not be read
    int m_numLooks = 0;

    std::optional<Write> m_writing;
    std::optional<Write> m_next; ///< comes after it
    QFuture<Outcome> m_outcome;
    int m_numWrites = 0;
};

} // namespace earwright::ui
