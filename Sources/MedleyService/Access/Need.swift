/// What a request needs, decided for each operation in the routing table.
enum Need: Hashable, Sendable {
    /// Nothing, and nobody looks at what is shown.
    case nothing
    /// Nothing; but a token that is shown must be one.
    case identity
    /// A right, with whatever collections it is for.
    case some(Right)
    /// A right for all collections.
    case all(Right)
    /// A right for the collection that the path names.
    case collection(Right)
}
