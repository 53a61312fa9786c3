// An ordered run of nodes that are linked to their neighbours: insert, remove and move in O(1), with the
// neighbour as the place. A node is any object; `previous`, `next` and `chain` on it belong to the chain.

export class Chain {
    first = null;
    last = null;
    count = 0;

    /** Puts a node that is in no chain behind another one of this chain, or first if that is null. O(1). */
    insert(node, previous) {
        const next = previous ? previous.next : this.first;
        node.chain = this;
        node.previous = previous;
        node.next = next;
        if (previous) previous.next = node;
        else this.first = node;
        if (next) next.previous = node;
        else this.last = node;
        this.count += 1;
    }

    /** Takes a node of this chain out. O(1). */
    remove(node) {
        if (node.previous) node.previous.next = node.next;
        else this.first = node.next;
        if (node.next) node.next.previous = node.previous;
        else this.last = node.previous;
        node.chain = null;
        node.previous = null;
        node.next = null;
        this.count -= 1;
    }

    *[Symbol.iterator]() {
        for (let node = this.first; node; node = node.next) yield node;
    }
}
