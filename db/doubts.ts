/** Why a database is not opened: known without loading what opens one. */

/** A database that nobody may work on before a person has looked at it. */
export class DatabaseDoubted extends Error {
  override readonly name = "DatabaseDoubted";
  readonly code: string = "SQLITE_CORRUPT";
}

/** A row was read that says nothing: bytes have changed within it. */
export class RowSenseless extends DatabaseDoubted {
  /** @param column of which the content is none of its kind */
  constructor(column: string) {
    super(
      `what is in ${column} of a row makes no sense: fiscald check names the row, fiscald repair ` +
        "leaves it out",
    );
  }
}

/** A database that is being exchanged for another one, which was broken off: it may be whole. */
export class ExchangeBrokenOff extends DatabaseDoubted {
  override readonly code = "EXCHANGE_BROKEN_OFF";
}

/** A database that was there, and is not any more. */
export class DatabaseGone extends DatabaseDoubted {
  override readonly code = "DATABASE_GONE";
}

/** What works on a database cannot be loaded here, which tells nothing of the database. */
export class DriverNotLoaded extends Error {
  override readonly name = "DriverNotLoaded";

  /** @param cause what the system says */
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`what works on the database cannot be loaded: ${reason}`, { cause });
  }
}
