extension Database {
    /// Runs `body` in a transaction: all that it does is done, or nothing.
    ///
    /// With `synchronous=FULL` what was done is durable when this returns. On an error, of COMMIT too, the transaction is
    /// rolled back, if SQLite has not done that already, and the error is thrown on. Transactions do not nest.
    ///
    /// - Parameters:
    ///   - begin: the statement that starts it. `BEGIN IMMEDIATE` takes the lock to write first, so that a body cannot fail
    ///     half-way because another connection has it.
    ///   - body: what to do; it must not end the transaction itself.
    package func transaction<R>(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws -> R) throws -> R {
        try execute(begin)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // The first error is what the caller needs; a failing ROLLBACK leaves nothing behind either, since the
            // journal or the log then lacks its commit.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }
}
