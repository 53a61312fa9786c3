/// The positions of a longest strictly increasing subsequence, ascending: what need not move when the rest does.
/// O(n log n), by patience sorting (Fredman 1975).
package func longestIncreasingSubsequence<Value: Comparable>(_ values: [Value]) -> [Int] {
    var tails: [Int] = []  // tails[k]: where the least last value of a subsequence of length k + 1 stands
    var previous = [Int](repeating: -1, count: values.count)
    for (position, value) in values.enumerated() {
        var (low, high) = (0, tails.count)
        while low < high {
            let middle = (low + high) / 2
            if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
        }
        previous[position] = low > 0 ? tails[low - 1] : -1
        if low == tails.count { tails.append(position) } else { tails[low] = position }
    }
    var result = [Int](repeating: 0, count: tails.count)
    var position = tails.last ?? -1
    for slot in stride(from: tails.count - 1, through: 0, by: -1) {
        result[slot] = position
        position = previous[position]
    }
    return result
}
