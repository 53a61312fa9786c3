import HTTPCore
import JSONText
import MedleyCore
import MedleyFormats

/// An import's body, read to its end: its items as they are, before anybody knows where they go.
struct ImportDocument: Sendable {
    let steps: [ImportReading.Step]
    /// What has become of the records so far.
    let summary: ImportSummary
    /// Whether every record could be read.
    let isComplete: Bool
    /// The memory that the steps take.
    private let reservation: ByteReservation

    /// The most refusals, and the most kinds of notices, that an answer lists.
    static let listed = 100

    /// The bytes that an item takes beside its model: in this list, in the plan, and in the changes.
    private static let itemOverhead = 384

    /// Reads a body; whatever keeps it from being read to its end is a problem.
    init(_ body: [UInt8], _ request: ImportRequest, in service: Service) throws(Problem) {
        reservation = ByteReservation(of: service.importBytes)
        let limit = service.configuration.limits.importBytes
        // Most readers hold a document whole, in several times its bytes, before there is a first entry to weigh.
        try Self.hold(min(limit, ServiceLimits.importFactor * body.count), reservation, limit)
        let sectionLimit = service.configuration.limits.sectionBytes
        var reading = try Self.reading(body, request)
        var weight = 0
        var steps: [ImportReading.Step] = []
        while let step = try Self.next(of: &reading) {
            if case .nothing = step { continue }
            try Self.check(step, sectionLimit)
            weight += Self.weight(step)
            guard weight <= limit else {
                throw ProblemCode.contentTooLarge.problem(
                    "The entries would take more than \(limit) bytes of memory; send fewer at a time."
                ).with("limit", limit)
            }
            try Self.hold(weight, reservation, limit)
            steps.append(step)
        }
        self.steps = steps
        summary = reading.summary
        isComplete = reading.isComplete
    }

    private static func hold(_ count: Int, _ reservation: ByteReservation, _ limit: Int) throws(Problem) {
        guard reservation.hold(count) else {
            throw ProblemCode.overloaded.problem("Too many imports are under way. Nothing was applied.")
                .with("limit", limit)
        }
    }

    /// Refuses a section that an edit could not make either.
    private static func check(_ step: ImportReading.Step, _ limit: Int) throws(Problem) {
        let section: SectionContent? =
            switch step {
            case .item(let item): item.section
            case .section(let section, _): section
            case .collection, .nothing: nil
            }
        guard let section, section.members.bytes.count > limit else { return }
        let id = String("\(section.id)".prefix(80))
        throw ProblemCode.contentTooLarge.problem(
            "The section \"\(id)\" has more than \(limit) bytes of its own; put what is long into items."
        ).with("limit", limit)
    }

    private static func reading(_ body: [UInt8], _ request: ImportRequest) throws(Problem) -> ImportReading {
        do throws(FormatError) {
            // Without a name: what a playlist is called stands in it, or it is not called anything.
            let (_, reader) = try MediaFile.open(ByteReader(body), name: "-", as: request.format)
            return try ImportReading(reader, request.mapping, refusalLimit: listed)
        } catch { throw Problem(error) }
    }

    private static func next(of reading: inout ImportReading) throws(Problem) -> ImportReading.Step? {
        do throws(FormatError) {
            return try reading.next()
        } catch { throw Problem(error) }
    }

    private static func weight(_ step: ImportReading.Step) -> Int {
        switch step {
        case .item(let item): itemOverhead + item.content.model.bytes.count
        case .section(let section, _): itemOverhead + section.members.bytes.count
        case .collection(let members): members.bytes.count
        case .nothing: 0
        }
    }
}

extension Problem {
    /// The problem of a document that cannot be read.
    init(_ error: FormatError) {
        let code: ProblemCode =
            switch error.code {
            case .unknownField: .invalidQuery
            case .tooLarge: .contentTooLarge
            default: .invalidDocument
            }
        let cause = error.cause.map { " (\($0))" } ?? ""
        self = code.problem(Self.sentence(error.message + cause))
        if let line = error.line { self = with("line", line) }
    }
}
