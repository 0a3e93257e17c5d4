/**
 * Loaded before all tests. Elysia has the heap collected whenever an app is made, for a server that
 * makes one and runs for months. Tests make thousands of them, beside the modules of all others: a
 * seventh of what they took was that. The engine collects by itself when it is time,
 * and at once where a test asks for it.
 */

const collect = Bun.gc.bind(Bun);
Bun.gc = (isAtOnce) => (isAtOnce ? collect(true) : 0);
