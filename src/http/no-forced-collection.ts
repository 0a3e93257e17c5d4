/**
 * Elysia has the whole heap collected whenever it puts an app together, which it does amid the first
 * request: a tenth of what a gateway has done by then, and a seventh of tests that make thousands of
 * apps. The engine collects by itself when it is time, and at once where that is asked for.
 */

const collect = Bun.gc.bind(Bun);
Bun.gc = (isAtOnce) => (isAtOnce ? collect(true) : 0);
