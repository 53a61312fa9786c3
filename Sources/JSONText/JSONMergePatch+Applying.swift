extension JSONMergePatch {
    /// The members after the patch. O(members of both), nested ones included.
    public func applied(to target: JSONMembers) -> JSONMembers {
        var output: [UInt8] = []
        output.reserveCapacity(target.bytes.count + 32)
        append(appliedTo: target.bytes, in: 0..<target.bytes.count, to: &output)
        return JSONMembers(trusted: output)
    }

    /// Appends what becomes of the members whose text is a range of `bytes`, without braces.
    private func append(appliedTo bytes: [UInt8], in range: Range<Int>, to output: inout [UInt8]) {
        let start = output.count
        let index = NameIndex(members)
        var isUsed = [Bool](repeating: false, count: members.count)
        var iterator = JSONMembers.Iterator(bytes, in: range)
        while let member = iterator.next() {
            guard let position = index.position(of: member.name.utf8) else {
                Self.append(nameText: member.name.text, to: &output, since: start)
                output.append(contentsOf: member.value)
                continue
            }
            isUsed[position] = true
            switch members[position].action {
            case .remove: break
            case .set(let value):
                Self.append(nameText: member.name.text, to: &output, since: start)
                output.append(contentsOf: value)
            case .merge(let patch):
                Self.append(nameText: member.name.text, to: &output, since: start)
                let isObject = member.value.first == UInt8(ascii: "{")
                let content = member.value.dropFirst().dropLast()
                output.append(UInt8(ascii: "{"))
                patch.append(appliedTo: isObject ? bytes : [], in: isObject ? content.indices : 0..<0, to: &output)
                output.append(UInt8(ascii: "}"))
            }
        }
        for (member, isUsed) in zip(members, isUsed) where !isUsed {
            switch member.action {
            case .remove: break
            case .set(let value):
                Self.append(nameText: member.nameText[...], to: &output, since: start)
                output.append(contentsOf: value)
            case .merge(let patch):
                Self.append(nameText: member.nameText[...], to: &output, since: start)
                output.append(UInt8(ascii: "{"))
                patch.append(appliedTo: [], in: 0..<0, to: &output)
                output.append(UInt8(ascii: "}"))
            }
        }
    }

    private static func append(nameText: ArraySlice<UInt8>, to output: inout [UInt8], since start: Int) {
        if output.count > start { output.append(UInt8(ascii: ",")) }
        output.append(contentsOf: nameText)
        output.append(UInt8(ascii: ":"))
    }

    /// Finds a patch's member by name: by looking at each while there are few, hashed beyond.
    private struct NameIndex {
        private let members: [Member]
        private let positions: [ArraySlice<UInt8>: Int]?

        init(_ members: [Member]) {
            self.members = members
            guard members.count > 8 else {
                positions = nil
                return
            }
            positions = Dictionary(members.enumerated().map { ($1.name[...], $0) }) { first, _ in first }
        }

        func position(of name: ArraySlice<UInt8>) -> Int? {
            if let positions { return positions[name] }
            return members.firstIndex { $0.name.count == name.count && $0.name.elementsEqual(name) }
        }
    }
}
