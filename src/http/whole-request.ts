/**
 * What came behind a request in the same piece of data. Bun reads on while a request is being
 * answered. An empty line there, as clients written by hand send after a body, a trailer behind a
 * chunked body, or anything else that begins no request: Bun answers 400 without a word and ends the
 * connection, whatever the request itself comes to. A till that is told 400 believes that nothing was
 * done. So nothing is done for a request until the turn in which it came is over: by then it is known.
 * What comes later finds the request at work. Bun then writes its 400 and ends the connection before
 * any of our code runs, so that neither an answer nor silence of ours could take its place: the tills'
 * documentation has them read a 400 without a body as no answer.
 */

/** True for a method of which it matters whether its request was carried out. */
export function changes(method: string): boolean {
  return !READING.has(method);
}

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * To be asked when all of a request is here, before anything is done for it.
 * @returns false when its connection has ended, so that nobody would read an answer
 */
export async function isWhole(request: Request): Promise<boolean> {
  await endOfTurn();
  return !request.signal.aborted;
}

let turn: Promise<void> | undefined;

/** One wait for all requests of a turn. */
function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
