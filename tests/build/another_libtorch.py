#!/usr/bin/env python3
"""What CMake says of another LibTorch: one of the old C++ ABI is refused, and so is another one than the folder was configured for.

    tests/build/another_libtorch.py
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Enough of a LibTorch for CMake to configure with; nothing is compiled.
CONFIG = """
add_library(torch INTERFACE)
set(Torch_FOUND TRUE)
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI={abi}")
"""


def libtorch(folder, abi):
    config = folder / "share/cmake/Torch/TorchConfig.cmake"
    config.parent.mkdir(parents=True)
    config.write_text(CONFIG.format(abi=abi))
    return folder


def configure(build, prefix):
    """Exit status and what CMake says, in one line."""
    done = subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, " ".join(done.stdout.split())


def main():
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        old, new, other = (libtorch(place / folder, abi) for folder, abi in (("old", 0), ("new", 1), ("other", 1)))
        cases = [
            ("the old ABI", place / "build-old", old, "has the old C++ ABI"),
            ("one with the new ABI", place / "build", new, None),
            ("the same once more", place / "build", new, None),
            ("another one in the same folder", place / "build", other, "in a folder of its own"),
        ]
        for what, build, prefix, refusal in cases:
            status, said = configure(build, prefix)
            if (status != 0) != (refusal is not None) or (refusal and refusal not in said):
                print(f"{what}: CMake ended with {status}, expected {refusal or 'success'}: {said[-2000:]}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
