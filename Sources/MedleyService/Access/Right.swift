/// What someone may do with the collections that they are let at; each right includes those before it.
package enum Right: String, CaseIterable, Comparable, Sendable {
    /// Read and follow.
    case read
    /// Edit and replace what exists.
    case write
    /// Create and delete collections.
    case admin

    /// Whether a right is less than another.
    package static func < (left: Right, right: Right) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .admin: 2
        }
    }
}
