"""Whether a run of a bench can be taken as it is."""
import json


def result_of(run, source, base=None):
    """The result.json of a run that has ended, of the recipe `source` as it is now and, where it starts from a run, of `base` as that
    is; else None."""
    files = [run / name for name in ("result.json", "recipe.yaml", "plan.json")]
    if not all(file.exists() for file in files) or files[1].read_text() != source.read_text():
        return None
    result = json.loads(files[0].read_text())
    start = base / "result.json" if base else None
    is_older = start and (not start.exists() or start.stat().st_mtime > files[2].stat().st_mtime)
    return None if result["state"] != "done" or is_older else result
