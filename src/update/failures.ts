/** Why an update is not made, known where it is thrown: each message is one line for a person. */

/** What was asked for is no update of this machine. Nothing was changed. */
export class UpdateRefused extends Error {
  override readonly name = "UpdateRefused";
}

/**
 * The machine cannot be updated now: another update is under way, one was broken off and its way back
 * too, or nobody can tell what runs. Instants in the message are ISO 8601.
 */
export class UpdateStuck extends Error {
  override readonly name = "UpdateStuck";
}
