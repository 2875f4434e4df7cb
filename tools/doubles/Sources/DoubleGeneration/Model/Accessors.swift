internal import SwiftSyntax

/// The accessors of a property or subscript.
struct Accessors: Equatable {
    var isSettable = false
    var getter = Effects()

    init(_ block: AccessorBlockSyntax?) {
        guard case .accessors(let accessors)? = block?.accessors else { return }
        for accessor in accessors {
            switch accessor.accessorSpecifier.tokenKind {
            case .keyword(.set): isSettable = true
            case .keyword(.get):
                getter = Effects(
                    isAsync: accessor.effectSpecifiers?.asyncSpecifier != nil,
                    throwing: accessor.effectSpecifiers?.throwsClause)
            default: break
            }
        }
    }
}
