"""Reads what `ablate export` wrote, and prints it as JSON. Shares no code with the writer.

    read_exports.py tensorboard FOLDER    {run: {tag: [[step, value]], "version", "wall_time"}}
    read_exports.py mlflow FOLDER         {experiment: {run name: {"status", "start_time", "end_time",
                                           "params", "tags", "metrics": {name: [[time, value, step]]}}}}
"""

import json
import pathlib
import struct
import sys


def crc32c(data):
    """CRC-32C, bit by bit. Source: RFC 3720, section 12.1."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def check(data, masked):
    crc = crc32c(data)
    expected = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert masked == expected, f"checksum {masked:#x}, expected {expected:#x}"


def records(data):
    """The TFRecords of a file."""
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        check(data[:8], struct.unpack("<I", data[8:12])[0])
        body = data[12:12 + length]
        assert len(body) == length, "torn record"
        check(body, struct.unpack("<I", data[12 + length:16 + length])[0])
        yield body
        data = data[16 + length:]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a protocol buffer: (number, value), where a value is an integer or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            if wire == 2:
                length, at = varint(data, at)
            else:
                length = {1: 8, 5: 4}[wire]
            value, at = data[at:at + length], at + length
            assert len(value) == length, "torn field"
        yield key >> 3, value


def read_events(file):
    run = {}
    for body in records(file.read_bytes()):
        event = dict(fields(body))
        if 3 in event:
            run["version"] = event[3].decode()
            (run["wall_time"],) = struct.unpack("<d", event[1])
        for number, value in fields(event.get(5, b"")):
            assert number == 1
            scalar = dict(fields(value))
            (read,) = struct.unpack("<f", scalar[2])
            run.setdefault(scalar[1].decode(), []).append([event.get(2, 0), read])
    return run


def read_tensorboard(folder):
    return {str(file.parent.relative_to(folder)): read_events(file)
            for file in folder.rglob("*tfevents*")}


def read_meta(file):
    """A meta.yaml, whose values are numbers, words, or texts in quotes."""
    meta = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        key, value = line.split(": ", 1)
        if value[0] == '"':
            meta[key] = json.loads(value)
        elif value[0] == "'":
            meta[key] = value[1:-1]
        else:
            meta[key] = int(value) if value.isdigit() else value
    return meta


def read_run(folder):
    def text(file):
        return file.read_text(encoding="utf-8")

    meta = read_meta(folder / "meta.yaml")
    assert meta["run_id"] == meta["run_uuid"] == folder.name
    assert meta["experiment_id"] == folder.parent.name
    numbers = {"metrics": {}}
    for file in (folder / "metrics").iterdir():
        rows = [line.split(" ") for line in text(file).splitlines()]
        numbers["metrics"][file.name] = [[int(t), float(v), int(s)] for t, v, s in rows]
    for kind in ("params", "tags"):
        numbers[kind] = {file.name: text(file) for file in (folder / kind).iterdir()}
    return meta["run_name"], {**meta, **numbers}


def read_mlflow(folder):
    experiments = {}
    for experiment in (folder / "mlruns").iterdir():
        meta = read_meta(experiment / "meta.yaml")
        assert meta["experiment_id"] == experiment.name
        runs = [entry for entry in experiment.iterdir() if entry.is_dir()]
        experiments[meta["name"]] = dict(read_run(run) for run in runs)
    return experiments


if __name__ == "__main__":
    reader = {"tensorboard": read_tensorboard, "mlflow": read_mlflow}[sys.argv[1]]
    json.dump(reader(pathlib.Path(sys.argv[2])), sys.stdout)
