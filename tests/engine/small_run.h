#pragma once

#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/files.h"

#include <QTemporaryDir>

namespace earwright::tests {

/// A small model of 24 real recordings, trained in moments, for `earwright transcribe` and
/// `export`. Its folder goes with the object.
class SmallRun {
protected:
    /// False where there are no real recordings.
    bool train()
    {
        m_data = realData(m_folder.path());
        if (m_data.folder.isEmpty())
            return false;
        writeSet(path("set"), smallSet(m_data.folder, 24));
        m_run = path("run");
        const Ended trained = runEarwright({ "train", m_data.recipe, "--data_folder=" + path("set"),
            "--devices", "cpu", "--run-dir", m_run, "--number_of_epochs=2", "--channels=32" });
        if (trained.code != 0)
            qFatal("%s", qPrintable(trained.errors));
        return true;
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { writeFile(path(name), text); }

    RealData m_data;
    QString m_run; ///< its folder

private:
    QTemporaryDir m_folder;
};

} // namespace earwright::tests
