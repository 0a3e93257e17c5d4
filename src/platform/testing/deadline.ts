/**
 * How long tests wait for what must come, in milliseconds of the machine's own time: so long that
 * only what never comes is late, on a machine that gives a test a twentieth of a processor too.
 */
export const DEADLINE_MS = 120_000;
