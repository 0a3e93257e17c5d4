/**
 * What came behind a request in the same piece of data. Bun reads on while a request is being
 * answered. An empty line there, as clients written by hand send after a body, a trailer behind a
 * chunked body, or anything else that begins no request: Bun answers 400 without a word and ends the
 * connection, whatever the request itself comes to. A till that is told 400 believes that nothing was
 * done. So nothing is done for a request until the turn in which it came is over: by then it is known.
 */

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
