"""Which modules the symbols of each Swift file come from, as the compiler noted while it built: `.build/debug/index`.

The index is read with libIndexStore, which is in every Swift toolchain.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


class Text(ctypes.Structure):
    """indexstore_string_ref_t"""

    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


RECORD = 2  # INDEXSTORE_UNIT_DEPENDENCY_RECORD
RECEIVER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
NAMES = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


def library():
    """libIndexStore, next to the compiler."""
    compiler = Path(shutil.which("swift") or sys.exit("layers: cannot find swift; install Swift 6.1 or later")).resolve()
    for name in ["libIndexStore.so", "libIndexStore.dylib"]:
        path = compiler.parent.parent / "lib" / name
        if path.exists():
            break
    else:
        sys.exit(f"layers: cannot find libIndexStore next to {compiler}; install the complete Swift toolchain")
    lib = ctypes.CDLL(str(path))
    for name, result in {
        "store_create": ctypes.c_void_p, "unit_reader_create": ctypes.c_void_p,
        "record_reader_create": ctypes.c_void_p, "unit_reader_get_main_file": Text,
        "unit_reader_get_module_name": Text, "unit_dependency_get_name": Text, "symbol_get_usr": Text,
        "unit_dependency_get_kind": ctypes.c_int,
    }.items():
        getattr(lib, f"indexstore_{name}").restype = result
    return lib


def symbols_by_file(store, root):
    """By path below `root`: the target that was built, and the USRs of the symbols that the file names."""
    lib = library()
    error = ctypes.c_void_p()
    index = lib.indexstore_store_create(str(store).encode(), ctypes.byref(error))
    if not index:
        sys.exit(f"layers: cannot find the index at {store}; run  tools/quiet-build --build-tests")
    index = ctypes.c_void_p(index)
    units = []
    lib.indexstore_store_units_apply_f(index, 0, None, NAMES(lambda _, name: units.append(str(name)) or True))

    newest = {}
    for unit in units:
        reader = ctypes.c_void_p(lib.indexstore_unit_reader_create(index, unit.encode(), ctypes.byref(error)))
        path = str(lib.indexstore_unit_reader_get_main_file(reader))
        records = []

        def note(_, dependency):
            dependency = ctypes.c_void_p(dependency)
            if lib.indexstore_unit_dependency_get_kind(dependency) == RECORD:
                records.append(str(lib.indexstore_unit_dependency_get_name(dependency)))
            return True

        if path.endswith(".swift") and path.startswith(f"{root}/") and os.path.exists(path):
            lib.indexstore_unit_reader_dependencies_apply_f(reader, None, RECEIVER(note))
            made = os.path.getmtime(store / "v5" / "units" / unit)
            module = str(lib.indexstore_unit_reader_get_module_name(reader))
            if path not in newest or newest[path][0] < made:
                newest[path] = (made, module, records)
        lib.indexstore_unit_reader_dispose(reader)

    found = {}
    for path, (made, module, records) in newest.items():
        symbols = set()
        for record in records:
            reader = lib.indexstore_record_reader_create(index, record.encode(), ctypes.byref(error))
            if not reader:
                continue
            reader = ctypes.c_void_p(reader)
            lib.indexstore_record_reader_symbols_apply_f(
                reader, False, None,
                RECEIVER(
                    lambda _, symbol: symbols.add(str(lib.indexstore_symbol_get_usr(ctypes.c_void_p(symbol)))) or True))
            lib.indexstore_record_reader_dispose(reader)
        found[path[len(str(root)) + 1:]] = (module, made, symbols)
    return found


def modules_of(usrs):
    """By USR: the modules that its symbol is from; a member of an extension is from the module of the extension."""
    swift = sorted(usr for usr in usrs if usr.startswith("s:"))
    mangled = "\n".join("$s" + usr[2:] for usr in swift)
    names = subprocess.run(
        ["swift", "demangle", "--compact"], input=mangled, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    found = {usr: {"C"} for usr in usrs if not usr.startswith("s:")}
    for usr, name in zip(swift, names):
        extension = re.search(r"\(extension in (\w+)\)", name)
        first = re.match(r"(?:static |prefix |postfix |infix |protocol witness for )*(\w+)\.", name)
        found[usr] = {match.group(1) for match in (extension, first) if match}
    return found
