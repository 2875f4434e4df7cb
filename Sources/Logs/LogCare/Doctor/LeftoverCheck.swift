/// Names what damaged or cut-short operations have left behind.
enum LeftoverCheck {
    static func findings(_ inventory: LogInventory) -> [Finding] {
        var findings = inventory.quarantines.map { folder in
            Finding(
                .leftovers, .note, folder, "files that were put aside as damaged; reason.txt says why",
                advice: "keep them until nobody asks for what they hold, then remove the folder")
        }
        for file in inventory.lineFiles {
            switch file.role {
            case .setAside:
                findings.append(
                    Finding(
                        .leftovers, .note, file.path, "a file that was put aside as damaged",
                        advice: "compare it with the files beside it, then remove it"))
            case .partial:
                findings.append(
                    Finding(
                        .leftovers, .warning, file.path, "a file that was never finished",
                        advice: file.path.hasSuffix(".resume.partial")
                            ? "run the replay again that left it, with its --resume, or remove it"
                            : "if nobody is writing it, remove it and run what wrote it again"))
            case .deadLetters where (FileFacts(file.path)?.size ?? 0) > 0:
                findings.append(
                    Finding(
                        .leftovers, .warning, file.path, "events that were refused",
                        advice: "see why, mend it and deliver them again, or remove the file"))
            default: break
            }
        }
        findings += inventory.leftovers.map { path in
            Finding(
                .leftovers, .note, path, "a working copy of a salvage or an erasure that was cut short",
                advice: "run trackctl prune --user again if it was an erasure; else open the log, then remove it")
        }
        return findings.isEmpty ? [Finding(.leftovers, .ok, inventory.path, "none")] : findings
    }
}
