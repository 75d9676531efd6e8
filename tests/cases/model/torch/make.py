"""Makes the files beside it, and tests/cases/train/CKPT+speechbrain+00.

python make.py        (with the PyTorch of packaging/setup.sh)

Those in `sound` are written by torch.save; those in `broken` by hand, opcode by opcode, as no
torch.save would. tst_torch_file.cpp says what is in each and what reading it must say.
"""
import collections
import io
import pathlib
import pickle
import struct
import zipfile

import torch

HERE = pathlib.Path(__file__).parent
TYPES = ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]


def counted(*shape):
    """0, 1, 2, ... in a shape."""
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float32).reshape(shape)


def model():
    layers = torch.nn.ModuleList([torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)])
    with torch.no_grad():
        for number, parameter in enumerate(layers.parameters()):
            parameter.copy_(counted(*parameter.shape) + number)
    return layers


def beside_weights():
    """What else lies in a training's file: plain values, and a Parameter with an attribute of its own."""
    schedule = torch.optim.lr_scheduler.MultiStepLR(torch.optim.SGD([counted(2)], lr=0.1), [2, 5, 5])
    marked = torch.nn.Parameter(counted(2))
    marked.mark = True
    return {"state_dict": {"w": counted(2, 2), "p": marked}, "scheduler": schedule.state_dict(), "seen": {1, "a"},
            "none seen": set(), "fixed": frozenset({1}), "shape": torch.Size([2, 3]), "dtype": torch.bfloat16,
            "hash": 1 << 70, "counts": collections.Counter("aab"), "no counts": collections.Counter()}


def write_sound(folder):
    folder.mkdir(exist_ok=True)
    torch.save({name: counted(2, 3).to(getattr(torch, name)) for name in TYPES}, folder / "types.pt")
    whole = counted(4, 3)
    torch.save(
        collections.OrderedDict(
            whole=whole, row=whole[1], transposed=whole.t(), tied=whole, scalar=torch.tensor(1.5),
            empty=torch.empty(0, 4), parameter=torch.nn.Parameter(counted(2)), count=7, rate=0.5, name="x"),
        folder / "views.pt")
    torch.save({"w": counted(1, 3).expand(4, 3), "v": counted(2)[:1].expand(5)}, folder / "expanded.pt")
    torch.save(beside_weights(), folder / "beside_weights.pt")
    torch.save(beside_weights(), folder / "beside_weights4.pt", pickle_protocol=4)
    torch.save(model().state_dict(), folder / "state_dict.ckpt")
    torch.save(model().state_dict(), folder / "protocol4.ckpt", pickle_protocol=4)
    wrapped = torch.nn.Sequential(collections.OrderedDict(module=model()))
    optimizer = torch.optim.AdamW(wrapped.parameters(), lr=0.0)
    wrapped.get_parameter("module.0.weight").sum().backward()
    optimizer.step()
    torch.save(
        {"epoch": 3, "step": None, "state_dict": wrapped.state_dict(), "optimizer": optimizer.state_dict(),
         "val_acc_step_or_epoch": {"model.pt.ep3": float("inf")}, "use": [True, False, (-1, 1 << 40)]},
        folder / "funasr.pt")


def write_refused(folder):
    """By torch.save, but not what may be read."""
    folder.mkdir(exist_ok=True)
    torch.save(model().state_dict(), folder / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(torch.nn.Linear(1, 1), folder / "whole_model.pt")
    torch.save([counted(2)], folder / "list.pt")
    torch.save({"note": "no tensor"}, folder / "no_tensors.pt")
    torch.save({"epoch": 3, "net": model().state_dict()}, folder / "other_key.pt")
    (folder / "no_torch.pt").write_bytes(pickle.dumps({"w": 1}, protocol=4))
    torch.save({"z": torch.zeros(1, dtype=torch.complex64)}, folder / "complex.pt")
    torch.jit.script(torch.nn.Linear(1, 1)).save(folder / "scripted.pt")


def text(value):
    return b"X" + struct.pack("<I", len(value)) + value.encode()


def integer(value):
    return b"\x8a\x08" + struct.pack("<q", value)


def numbers(values):
    return b"(" + b"".join(map(integer, values)) + b"t"


def called(module, name, arguments):
    return b"c" + module.encode() + b"\n" + name.encode() + b"\n" + arguments + b"R"


def storage(key="0", numel=4, kind="FloatStorage"):
    return b"(" + text("storage") + f"ctorch\n{kind}\n".encode() + text(key) + text("cpu") + integer(numel) + b"tQ"


def tensor(sizes, strides, offset=0, **of):
    return called(
        "torch._utils", "_rebuild_tensor_v2",
        b"(" + storage(**of) + integer(offset) + numbers(sizes) + numbers(strides) + b"\x89" + b"}" + b"t")


def dictionary(**values):
    return b"\x80\x02}(" + b"".join(text(name) + value for name, value in values.items()) + b"u."


def archive(file, pickled, records=None, compression=zipfile.ZIP_STORED, order="little",
            version=(b"3\n", zipfile.ZIP_STORED)):
    records = {"0": struct.pack("<4f", 0, 1, 2, 3)} if records is None else records
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as made:
        for name, data in [("data.pkl", pickled), ("byteorder", order.encode())]:
            made.writestr(zipfile.ZipInfo(f"archive/{name}"), data)
        made.writestr(zipfile.ZipInfo("archive/version"), *version)
        for key, data in records.items():
            made.writestr(zipfile.ZipInfo(f"archive/data/{key}"), data, compression)
    file.write_bytes(content.getvalue())


def directory_of(content):
    """Where it begins, and its bytes."""
    end = content.rfind(b"PK\5\6")
    size, begin = struct.unpack("<II", content[end + 12:end + 20])
    return begin, content[begin:begin + size]


def write_compressed_versions(folder, pickled):
    """LibTorch inflates the record `version` as soon as it opens an archive, and takes 3 and millions of line ends for 3."""
    archive(folder / "compressed_short.pt", pickled, version=(b"3\n", zipfile.ZIP_DEFLATED))
    archive(folder / "compressed_version.pt", pickled, version=(b"3" + b"\n" * (1 << 22), zipfile.ZIP_DEFLATED))
    # With a sound directory behind the other, which minizip takes: it looks right before the end, not where the end says.
    content = (folder / "compressed_version.pt").read_bytes()
    archive(folder / "two_directories.pt", pickled)
    _, sound = directory_of((folder / "two_directories.pt").read_bytes())
    begin, own = directory_of(content)
    assert len(sound) == len(own)
    end = begin + len(own)
    (folder / "two_directories.pt").write_bytes(content[:end] + sound + content[end:])


def write_huge_record(folder, pickled):
    """A stored record of 2^40 bytes, says the field for what 32 bits do not hold."""
    file = folder / "huge_record.pt"
    archive(file, pickled)
    content = bytearray(file.read_bytes())
    begin, own = directory_of(bytes(content))
    at = begin + own.rfind(b"PK\1\2")
    field = struct.pack("<HHQQ", 1, 16, 1 << 40, 1 << 40)
    content[at + 20:at + 28] = b"\xff" * 8
    content[at + 30:at + 32] = struct.pack("<H", len(field))
    end = content.rfind(b"PK\5\6")
    content[end + 12:end + 16] = struct.pack("<I", len(own) + len(field))
    file.write_bytes(content[:end] + field + content[end:])


def write_broken(folder):
    folder.mkdir(exist_ok=True)
    sound = tensor([2, 2], [2, 1])
    pickles = {
        "os_system": b"\x80\x02" + called("posix", "system", b"(" + text("touch kymo-was-here") + b"t") + b".",
        "eval": dictionary(w=called("builtins", "eval", b"(" + text("open('kymo-was-here', 'w')") + b"t")),
        "getattr": b"\x80\x04" + text("builtins") + text("getattr") + b"\x93.",
        "newobj": b"\x80\x02ccollections\nOrderedDict\n)\x81.",
        "inst": b"\x80\x02(" + text("touch kymo-was-here") + b"iposix\nsystem\n.",
        "extension": b"\x80\x02\x82\x01.",
        "storage_called": dictionary(w=called("torch", "FloatStorage", b"(" + integer(1 << 40) + b"t")),
        "counter_of_text": dictionary(w=called("collections", "Counter", b"(" + text("aab") + b"t")),
        "set_of_storage": dictionary(w=called("builtins", "set", b"(" + storage() + b"t")),
        "storage_number": dictionary(w=text("0") + b"Q"),
        "small_storage": dictionary(w=tensor([1000], [1], numel=1000)),
        "two_kinds": dictionary(a=sound, b=tensor([4], [1], kind="IntStorage")),
        "missing_record": dictionary(w=tensor([4], [1], key="1")),
        "record_outside": dictionary(w=tensor([4], [1], key="../../etc/passwd")),
        "huge_shape": dictionary(w=tensor([1 << 62, 4], [4, 1])),
        "huge_product": dictionary(w=tensor([1 << 32, 1 << 32], [0, 0])),
        "expanded": dictionary(w=tensor([1 << 20, 1 << 10], [0, 0])),
        "past_end": dictionary(w=tensor([2, 2], [2, 1], offset=1)),
        "negative_offset": dictionary(w=tensor([2], [1], offset=-1)),
        "negative_size": dictionary(w=tensor([-1], [1])),
        "negative_stride": dictionary(w=tensor([2], [-1], offset=2)),
        "huge_stride": dictionary(w=tensor([2], [(1 << 63) - 1])),
        "short_strides": dictionary(w=tensor([2, 2], [1])),
        "many_dimensions": dictionary(w=tensor([1] * 200, [1] * 200)),
        "negative_storage": dictionary(w=tensor([0], [1], numel=-4)),
        "text_for_size": dictionary(w=called(
            "torch._utils", "_rebuild_tensor_v2",
            b"(" + storage() + integer(0) + text("2") + numbers([1]) + b"\x89}t")),
        "key_without_value": b"\x80\x02}(" + text("w") + b"u.",
        "keys_of_list": b"\x80\x02](" + text("w") + sound + b"u.",
        "append_to_dict": b"\x80\x02}(" + sound + b"e.",
        "empty_stack": b"\x80\x02R.",
        "below_mark": b"\x80\x02}(0.",
        "no_mark": b"\x80\x02t.",
        "memo": b"\x80\x02j\xff\xff\xff\xff.",
        "nothing": b"\x80\x02.",
        "two_values": b"\x80\x02}}.",
        "no_stop": dictionary(w=sound)[:-1],
        "text_past_end": b"\x80\x02X\xff\xff\xff\x7fabc",
        "long_integer": b"\x80\x02\x8a\x09" + bytes(9) + b".",
        "contains_itself": b"\x80\x02}q\x00(" + text("w") + b"h\x00u.",
        "deep": b"\x80\x02" + b"(" * 4000 + b"t" * 4000 + b".",
    }
    for name, pickled in pickles.items():
        archive(folder / f"{name}.pt", pickled)
    archive(folder / "compressed.pt", dictionary(w=tensor([1 << 20], [1], numel=1 << 20)),
            {"0": bytes(1 << 22)}, zipfile.ZIP_DEFLATED)
    write_compressed_versions(folder, dictionary(w=sound))
    write_huge_record(folder, dictionary(w=sound))
    archive(folder / "big_endian.pt", dictionary(w=sound), order="big")
    with zipfile.ZipFile(folder / "other_zip.pt", "w") as made:
        made.writestr(zipfile.ZipInfo("archive/version"), b"3\n")
    (folder / "text.pt").write_text("weights\n")
    (folder / "empty.pt").write_bytes(b"")


def write_speechbrain(folder):
    """As speechbrain.utils.checkpoints.Checkpointer (1.1.2) saves the recoverables of imported.yaml: a
    state_dict for a module, InputNormalization's own dict, texts for the others."""
    folder.mkdir(exist_ok=True)
    weights = collections.OrderedDict()
    for name, shape in [("0.w.weight", (6, 8)), ("0.w.bias", (6,)), ("1.w.weight", (8, 6)), ("1.w.bias", (8,))]:
        weights[name] = counted(*shape) + len(weights)
    torch.save(weights, folder / "model.ckpt")
    torch.save({"count": 70, "glob_mean": counted(8), "glob_std": counted(8) + 1}, folder / "normalizer.ckpt")
    (folder / "counter.ckpt").write_text("3")
    (folder / "CKPT.yaml").write_text("# yamllint disable\nWER: 12.5\nend-of-epoch: true\nunixtime: 1700000000.0\n")


if __name__ == "__main__":
    torch.manual_seed(1)
    write_sound(HERE / "sound")
    write_refused(HERE / "refused")
    write_broken(HERE / "broken")
    write_speechbrain(HERE.parent.parent / "train" / "CKPT+speechbrain+00")
