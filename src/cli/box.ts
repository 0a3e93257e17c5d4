/**
 * Commands of the person at the box: they open the database directly, also while `serve` runs,
 * and go through the same services as the API.
 */

import type { Static, TSchema } from "@sinclair/typebox";
import { Command } from "commander";
import { ApiError, validationError } from "#core/errors.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { openDatabase } from "#db/connection.ts";
import { pendingMigrations } from "#db/migrate.ts";
import { isDamage } from "#db/snapshot.ts";
import type { Device } from "#db/stores/devices.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { makePrivate, makePrivateFiles } from "../config/private-state.ts";
import { createEventBus } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { createRandom, type Random } from "../platform/random.ts";
import { damagedFailure } from "./damaged-text.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printJson, printTable } from "./output.ts";
import { addSettings, loadSettings, nextLine } from "./settings-options.ts";
import { requireDatabase } from "./state.ts";

/** The database was made by an older version, and no gateway of this one has been started on it. */
export class DatabaseOutdated extends CliFailure {}

/** The appliance's database, open. */
export interface Box {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
}

/** A subcommand with the options that all of them take. */
export function boxCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .option("--json", "print JSON")
    .option("--org <ID>", "organization, where there is more than one");
  return addSettings(command, ["state.dir"]);
}

/** Options that every subcommand has. */
export interface BoxOptions {
  readonly json?: true;
  readonly org?: string;
}

type Work<T> = (box: Box) => T | Promise<T>;

/**
 * Opens the database for one piece of work.
 * @throws CliFailure with code 3 when there is none, it is damaged or not of this version, and with
 * code 2 when the work was refused
 */
export async function withBox<T>(command: Command, work: Work<T>): Promise<T> {
  const { config } = loadSettings(command);
  const stateDir = config["state.dir"];
  // Opening would make an empty database, which the first set-up would take for an old one.
  const file = requireDatabase(command, stateDir);
  makePrivateFiles();
  makePrivate(stateDir);
  try {
    return await inDatabase(command, file, work);
  } catch (error) {
    if (error instanceof ApiError) throw refused(error);
    throw isDamage(error) ? damagedFailure(config, error) : error;
  }
}

async function inDatabase<T>(command: Command, file: string, work: Work<T>): Promise<T> {
  const database = openDatabase(file);
  try {
    if (pendingMigrations(database).length > 0) {
      throw new DatabaseOutdated(
        EXIT.state,
        `the database is of an older version: first ${nextLine(command, "migrate")}`,
      );
    }
    const random = createRandom(systemClock);
    const stores = createStores(database);
    // Nobody listens here; a running gateway reads what is stored.
    const bus = createEventBus(() => undefined);
    const events = new EventLog({ stores, bus, clock: systemClock, random });
    const writer = new Writer(database, { events });
    return await work({ stores, writer, clock: systemClock, random });
  } finally {
    database.close();
  }
}

/**
 * The organization to work on: the one that was named, else the only one.
 * @throws CliFailure with code 2 when that is none
 */
export function organizationId({ stores }: Box, given: string | undefined): string {
  const ids = stores.organizations.list().map((organization) => organization.id);
  const [only] = ids;
  if (given !== undefined) {
    if (ids.includes(given)) return given;
    throw new CliFailure(EXIT.usage, `there is no organization ${given}`);
  }
  if (only !== undefined && ids.length === 1) return only;
  requireShop({ stores });
  const message =
    only === undefined
      ? "nobody has set the shop up yet: begin with fiscald setup"
      : `name one of the organizations with --org: ${ids.join(", ")}`;
  throw new CliFailure(EXIT.usage, message);
}

/** Said where there is no shop, and there are traces of one, as a repair by a version before left it. */
export const LOST_SHOP = "the shop that what is stored here belongs to is lost";

/** Another one beside it could not use its printers. @throws CliFailure with code 2 where it is lost */
export function requireShop(box: Pick<Box, "stores">): void {
  if (!box.stores.organizations.areLost()) return;
  const cure = "stop the gateway, and fiscald repair makes it anew";
  throw new CliFailure(EXIT.usage, `${LOST_SHOP}: ${cure}`);
}

/** The time zone of the only shop, or the first; UTC while there is none. */
export function boxTimezone({ stores }: Pick<Box, "stores">): string {
  return stores.organizations.list()[0]?.timezone ?? "UTC";
}

/** The time zone of a shop; UTC where it is gone. */
export function timezoneOf({ stores }: Pick<Box, "stores">, orgId: string): string {
  return stores.organizations.get(orgId)?.timezone ?? "UTC";
}

/** That of the box, of a database that need not be there, or open. */
export function shopTimezone(command: Command): Promise<string> {
  return withBox(command, boxTimezone).catch(() => "UTC");
}

/**
 * The device with that id or name.
 * @throws CliFailure with code 2 when no device, or more than one, is called so
 */
export function deviceCalled({ stores }: Box, orgId: string, called: string): Device {
  const devices = stores.devices.list(orgId);
  const byId = devices.find(({ id }) => id === called);
  const [only, ...more] = byId ? [byId] : devices.filter(({ name }) => name === called);
  if (only && more.length === 0) return only;
  const message = only
    ? `several devices are called ${called}: ${[only, ...more].map(({ id }) => id).join(", ")}`
    : `there is no device ${called}: fiscald device list shows them`;
  throw new CliFailure(EXIT.usage, message);
}

/** A value from the command line as the API's schema has it. @throws ApiError VALIDATION_ERROR */
export function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const check = schemaCheckOf(schema);
  if (check.accepts(value)) return value;
  throw validationError(check.issues(value));
}

/** Prints rows as a table with a heading, or the records as JSON. */
export function printRecords<T>(
  records: readonly T[],
  options: BoxOptions,
  columns: Readonly<Record<string, (record: T) => string | null>>,
): void {
  if (options.json === true) {
    printJson(records);
    return;
  }
  const cells = Object.values(columns);
  printTable([
    Object.keys(columns),
    ...records.map((record) => cells.map((cell) => cell(record) ?? "-")),
  ]);
}

/** A refusal in one line, with what is wrong and where. */
function refused(error: ApiError): CliFailure {
  const details = Array.isArray(error.details) ? error.details : [];
  const faults = details.map(({ path, message }: { path: string; message: string }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  // The message of such an error is its first fault, for who sees no details.
  const isFaults = error.code === "VALIDATION_ERROR" && faults.length > 0;
  const message = (isFaults ? faults : [error.message, ...faults]).join("\n  ");
  return new CliFailure(EXIT.usage, message, { cause: error });
}
