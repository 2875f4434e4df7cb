internal import Foundation

/// Selects targets of a package.
struct TargetChoice {
    let root: PackageRoot
    let manifest: Manifest

    /// Returns the app's target: the given one, the only one, the only one that names Tracking, or the only one of these
    /// that names the plugin, which generates the events.
    ///
    /// - Throws: ``ScaffoldError``: `notFound`, `ambiguous`.
    func app(_ name: String?) throws(ScaffoldError) -> ManifestTarget {
        let declared = manifest.targets.filter { !$0.isTest }
        let all = declared.isEmpty ? folders("Sources", areTests: false) : declared
        if let name {
            if let target = all.first(where: { $0.name == name }) { return target }
            throw ScaffoldError(.notFound, "no target \(name) in \(root.path("Package.swift"))\(among(all))")
        }
        let users = all.filter { $0.names("Tracking") }
        for candidates in [all, users, users.filter({ $0.names(AppLayout.plugin) })] where candidates.count == 1 {
            return candidates[0]
        }
        guard !all.isEmpty else {
            throw ScaffoldError(.notFound, "no targets in \(root.path("Package.swift")): add the app's target")
        }
        throw ScaffoldError(
            .ambiguous, "several targets match: select the app's with --target\(among(users.isEmpty ? all : users))")
    }

    /// Returns the target of the app's tests: the given one, the one with the matching name, or the only one that names
    /// the app.
    ///
    /// - Throws: ``ScaffoldError``: `notFound`.
    func tests(_ name: String?, of app: ManifestTarget) throws(ScaffoldError) -> ManifestTarget {
        let declared = manifest.targets.filter(\.isTest)
        let all = declared.isEmpty ? folders("Tests", areTests: true) : declared
        if let target = all.first(where: { $0.name == name ?? "\(app.name)Tests" }) { return target }
        guard name == nil else {
            throw ScaffoldError(
                .notFound, "no test target \(name ?? "") in \(root.path("Package.swift"))\(among(all))")
        }
        let own = all.filter { $0.names(app.name) }
        if let only = own.count == 1 ? own.first : nil { return only }
        throw ScaffoldError(
            .notFound,
            "no test target \(app.name)Tests in \(root.path("Package.swift")): add it, or select another with --test-target"
        )
    }

    /// Returns the folders of a package whose manifest computes its targets.
    private func folders(_ parent: String, areTests: Bool) -> [ManifestTarget] {
        // A missing folder has no content.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path(parent))) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.compactMap { name in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root.path("\(parent)/\(name)"), isDirectory: &isFolder),
                isFolder.boolValue
            else { return nil }
            return ManifestTarget(name: name, isTest: areTests, path: nil, text: "")
        }
    }

    private func among(_ targets: [ManifestTarget]) -> String {
        targets.isEmpty ? "" : "; available: \(targets.map(\.name).joined(separator: ", "))"
    }
}
