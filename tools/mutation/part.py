"""Extracts the part of the package that a test target needs into a separate package, which builds in seconds after a change."""

import json
import subprocess


def targets(root, wanted):
    """The names of a target and of all package targets that it depends on, and the package's description."""
    described = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=root, check=True, capture_output=True, text=True).stdout)
    by_name = {target["name"]: target for target in described["targets"]}
    names, left = [], [wanted]
    while left:
        name = left.pop()
        if name in names:
            continue
        names.append(name)
        for dependency in by_name[name]["dependencies"]:
            other = dependency.get("byName", [None])[0]
            if other in by_name:
                left.append(other)
    return [by_name[name] for name in sorted(names)], described


def folder(target):
    """The folder of a target's sources."""
    return target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}"


def manifest(root, wanted):
    """A manifest of these targets."""
    found, described = targets(root, wanted)
    products = {name: package for target in found for dependency in target["dependencies"] if "product" in dependency
                for name, package in [dependency["product"][:2]]}
    packages = []
    for dependency in described["dependencies"]:
        control = dependency["sourceControl"][0]
        url = control["location"]["remote"][0]["urlString"]
        if url.rsplit("/", 1)[1].removesuffix(".git") in products.values():
            packages.append(f'.package(url: "{url}", from: "{control["requirement"]["range"][0]["lowerBound"]}")')
    lines = ["// swift-tools-version: 6.1", "import PackageDescription", "let package = Package(", f'    name: "{wanted}",',
             "    platforms: [.macOS(.v14)],", f"    dependencies: [{', '.join(packages)}],", "    targets: ["]
    for target in found:
        if target["type"] == "system":
            lines.append(
                f'        .systemLibrary(name: "{target["name"]}", path: "{folder(target)}", '
                f'pkgConfig: {json.dumps(target["pkgConfig"])}),')
            continue
        kind = "testTarget" if target["type"] == "test" else "target"
        names = [f'"{d["byName"][0]}"' if "byName" in d else
                 f'.product(name: "{d["product"][0]}", package: "{d["product"][1]}")' for d in target["dependencies"]]
        resources = [f'.copy("{resource["path"]}")' for resource in target["resources"]]
        features = [f'.enableUpcomingFeature("{setting["kind"]["enableUpcomingFeature"]["_0"]}")'
                    for setting in target["settings"] if "enableUpcomingFeature" in setting["kind"]]
        exclude = ", ".join(json.dumps(path) for path in target["exclude"])
        lines.append(
            f'        .{kind}(name: "{target["name"]}", dependencies: [{", ".join(names)}], path: "{folder(target)}", '
            f'exclude: [{exclude}], resources: [{", ".join(resources)}], swiftSettings: [{", ".join(features)}]),')
    return "\n".join(lines + ["    ],", "    swiftLanguageModes: [.v6]", ")", ""]), [folder(target) for target in found]
