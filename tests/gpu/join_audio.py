"""Joins short utterances of a data set to long ones: python3 join_audio.py SOURCE OUT SECONDS COUNT [--exact]

--exact cuts all to the same length. Ends with 77 where the audio is no WAV and soundfile is not installed.
"""
import csv
import pathlib
import sys
import wave

CANNOT = 77
EVALUATED = 16  # utterances of dev and test each


def pcm_of(file):
    """(bytes of 16-bit samples, Hz) of a file with one channel."""
    if file.suffix == ".wav":
        with wave.open(str(file)) as audio:
            return audio.readframes(audio.getnframes()), audio.getframerate()
    try:
        import soundfile
    except ImportError:
        print(f"{file.suffix} needs the Python package soundfile", file=sys.stderr)
        sys.exit(CANNOT)
    samples, rate = soundfile.read(file, dtype="int16")
    return samples.tobytes(), rate


def write_wav(file, pcm, rate):
    with wave.open(str(file), "wb") as audio:
        audio.setnchannels(1)
        audio.setsampwidth(2)
        audio.setframerate(rate)
        audio.writeframes(pcm)


def joined(rows, source, seconds, count, is_exact):
    """Yields (samples, Hz, text); goes round the rows, one further each time, so that no two are alike."""
    known, at = {}, 0
    for made in range(count):
        parts, words, length, rate = [], [], 0, 1
        while length < seconds * rate * 2:
            row = rows[at % len(rows)]
            at += 1
            if row["ID"] not in known:
                known[row["ID"]] = pcm_of(pathlib.Path(row["wav"].replace("$data_root", str(source))))
            pcm, rate = known[row["ID"]]
            parts.append(pcm)
            words.append(row["wrd"])
            length += len(pcm)
        if made % len(rows) == 0:
            at += 1
        whole = b"".join(parts)
        yield whole[:seconds * rate * 2] if is_exact else whole, rate, " ".join(words)


def main():
    source, out, seconds, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    out.mkdir(parents=True, exist_ok=True)
    for split, limit in (("train", count), ("dev", EVALUATED), ("test", EVALUATED)):
        with open(source / f"{split}.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with open(out / f"{split}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["ID", "duration", "wav", "spk_id", "wrd"])
            for number, (pcm, rate, text) in enumerate(joined(rows, source, seconds, limit, "--exact" in sys.argv)):
                write_wav(out / f"{split}{number}.wav", pcm, rate)
                writer.writerow([f"{split}{number}", round(len(pcm) / 2 / rate, 3), f"$data_root/{split}{number}.wav", "a", text])
    (out / "ready").touch()


if __name__ == "__main__":
    main()
