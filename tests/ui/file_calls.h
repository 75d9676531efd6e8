#pragma once

#include <QStringList>

/// File calls of the GUI thread: file_calls.cpp stands between this program's libraries and libc.
/// Nothing is noted in a program without it.
class FileCalls final {
public:
    /// Notes what the calling thread, the program's first, asks of the disk from now on.
    FileCalls();
    ~FileCalls();

    /// "openat /home/me/a.yaml", in order. Without the desktop's own files (fonts, icons, locale,
    /// time zone), which the toolkit reads when it first needs them.
    QStringList seen() const;
};
