/** The codes that end a WebSocket of the API, whichever side says so. From 4000 on they are its own. */
export const CLOSE_CODES = {
  /** RFC 6455, 7.4: whoever says so stops, and may be back. */
  goingAway: 1001,
  senseless: 4400,
  /** The credential has ended. */
  unauthorized: 4401,
  /** Nothing was heard of the peer, or it reads too slowly. */
  slow: 4408,
  /** Another connection of the same controller took its place. */
  replaced: 4409,
  /** The event from which on somebody wants to listen is not kept any more. */
  gone: 4410,
  /** Too many messages came. */
  tooMany: 4429,
} as const;
