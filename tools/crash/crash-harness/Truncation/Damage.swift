import ArgumentParser
internal import Primitives

/// The damage of a file in a scene, with many cases.
enum Damage: String, ExpressibleByArgument, CaseIterable {
    /// No damage, once: all events must be there.
    case none
    /// Truncates the file: at each byte of its used part, and at each page of the rest.
    case cut
    /// Flips a bit of the used part.
    case flip
    /// Replaces changed pages by their earlier state, in different combinations.
    case mix
    /// Copies a page of the earlier state to another position.
    case plant

    /// The number of cases for a file.
    func caseCount(_ image: FileImage, old: FileImage?) -> Int {
        switch self {
        case .none: return 1
        case .cut: return image.used.count + (image.length - image.used.count) / FileImage.pageBytes
        case .flip: return image.used.count * 8
        case .mix:
            let changed = Self.changedPages(image, old).count
            return changed == 0 ? 0 : changed <= 10 ? 1 << changed : 2_000
        case .plant: return old == nil ? 0 : 1_000
        }
    }

    /// Applies a case.
    ///
    /// - Returns: The length of a truncated file; nil for other damage.
    func apply(_ number: Int, to image: inout FileImage, old: FileImage?, seed: UInt64) -> Int? {
        switch self {
        case .none: return nil
        case .cut:
            let used = image.used.count
            let firstPage = (used + FileImage.pageBytes - 1) / FileImage.pageBytes
            let offset = number < used ? number : (firstPage + number - used) * FileImage.pageBytes
            image.cut(at: min(offset, image.length))
            return image.length
        case .flip:
            image.flip(bit: number)
            return nil
        case .mix:
            guard let old else { return nil }
            let pages = Self.changedPages(image, old)
            let choice = pages.count <= 10 ? UInt64(number) : SplitMix64.mixed(seed &+ UInt64(number))
            for (index, page) in pages.enumerated() where choice >> UInt64(index % 64) & 1 == 1 {
                image.replacePage(page, by: old, page: page)
            }
            return nil
        case .plant:
            guard let old else { return nil }
            var random = SplitMix64(seed: seed &+ UInt64(number))
            let target = Int.random(in: 0..<max(image.pageCount, 1), using: &random)
            let source = Int.random(in: 0..<max(old.pageCount, 1), using: &random)
            image.replacePage(target, by: old, page: source)
            return nil
        }
    }

    private static func changedPages(_ image: FileImage, _ old: FileImage?) -> [Int] {
        guard let old else { return [] }
        return (0..<image.pageCount).filter { image.page($0) != old.page($0) }
    }
}
