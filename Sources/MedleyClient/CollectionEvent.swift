/// What happens to a collection that is followed, and to the connection over which it is.
public enum CollectionEvent: Sendable {
    /// The server answers: at the beginning, and again after `disconnected`.
    case connected
    /// The server does not answer, or has no time. It is asked again after so many seconds.
    case disconnected(ClientError, retryIn: Double)
    /// The collection has changed, or is there.
    case updated(CollectionUpdate)
    /// What the server sent does not fit what is held; a reset comes next, as an `updated`.
    case resynchronizing(ClientError)
    /// There is no such collection, or it was deleted. It is waited for; when it comes, `updated` brings all of it.
    case gone
}
