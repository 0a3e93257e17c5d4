/** The audit log: append-only. */

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";
import { type AuditAction, noteAction } from "#core/audit.ts";
import type { Database } from "../connection.ts";
import {
  AUDIT_BY_NUMBER,
  AUDIT_BY_RECEIPT_NUMBER,
  AUDIT_INDEXES,
  auditEntries,
  tellsNumber,
  toldNumber,
  toldReceiptNumber,
} from "../schema/audit.ts";
import type { Transaction } from "../writer.ts";
import { type AuditPeriodPage, createAuditPeriod } from "./audit-period.ts";
import { ControllerRoom } from "./controller-room.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;
/** Without an address where nobody called: the gateway and its controllers write entries too. */
export type NewAuditEntry = Omit<AuditEntry, "seq" | "address" | "action" | "noteId"> &
  Partial<Pick<AuditEntry, "address">> & { readonly action: AuditAction };

/** What entries are looked for by; all of them where none is given. */
export interface AuditFilter {
  /** Id of what was changed. */
  readonly resource?: string | undefined;
  /** Who changed it: as entries say it, or the bare id of a user or an API key. */
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
}

/** Those between two instants. */
export interface AuditPeriodFilter extends AuditFilter {
  /** UTC milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** UTC milliseconds, exclusive. */
  readonly to?: number | undefined;
}

/** A page in the order in which the entries were written. */
export interface AuditPage {
  readonly filter?: AuditFilter | undefined;
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The last one of the previous page. */
  readonly startAfter?: AuditEntry | undefined;
}

/** What a controller did of its own accord. */
export interface ControllerNote extends ControllerEntry<string> {
  /** How it calls that; older ones have no name for it. */
  readonly noteId: string | undefined;
}

/** What a controller did or said; `actor` is made of its id. */
export type ControllerEntry<Action = AuditAction> = Omit<NewAuditEntry, "actor" | "action"> & {
  readonly controllerId: string;
  readonly action: Action;
};

/** What was done to what. */
export type AuditSubject = Pick<NewAuditEntry, "orgId" | "resource" | "action">;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** A controller says no more of its notes again. */
const NOTES_AGAIN_MAX = 20;
/** What a device told against what was said of a command, and behind a word that it agrees with. */
const PROOFS: readonly AuditAction[] = ["command.late_result", "command.device_asked"];
/** Looked at of one command: each says something else than the ones before. */
const PROOFS_MAX = 20;
/** Entries that are read at a time. */
const PART = 100;
/** Of most entries. */
const NOBODYS = { address: null, noteId: null } as const;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** All queries on the audit log. */
export function createAuditStore({ orm }: Database) {
  const append = prepareLater(() => insertWhole(orm, auditEntries, "seq"));
  const period = createAuditPeriod(orm);
  const room = new ControllerRoom();
  const position = sql`(${auditEntries.at}, ${auditEntries.seq})`;
  const ofAction = prepareLater(() =>
    orm
      .select()
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.action, sql.placeholder("action")),
          gt(auditEntries.at, sql.placeholder("since")),
          sql`${position} < (${sql.placeholder("at")}, ${sql.placeholder("seq")})`,
        ),
      )
      .orderBy(desc(auditEntries.at), desc(auditEntries.seq))
      .limit(PART),
  );
  const last = prepareLater(() =>
    orm
      .select()
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.orgId, sql.placeholder("orgId")),
          eq(auditEntries.resource, sql.placeholder("resource")),
          eq(auditEntries.action, sql.placeholder("action")),
        ),
      )
      .orderBy(desc(auditEntries.seq))
      .limit(1),
  );
  const { action, orgId: ofOrg, resource: of, seq: order } = auditEntries;
  const p = sql.placeholder;
  const proofs = prepareLater(() =>
    orm
      .select(getTableColumns(auditEntries))
      .from(rowsBy(auditEntries, AUDIT_INDEXES.byResource))
      .where(
        and(
          ...[eq(ofOrg, p("orgId")), eq(of, p("resource")), inArray(action, PROOFS)],
          sql`${detailOf("$.isProven")} = 1`,
        ),
      )
      .orderBy(desc(order))
      .limit(PROOFS_MAX),
  );
  const telling = (name: string, number: SQL) =>
    prepareLater(() =>
      orm
        .select({ resource: of })
        .from(rowsBy(auditEntries, name))
        .where(
          and(
            ...[eq(ofOrg, p("orgId")), tellsNumber],
            sql`${number} in (select value from json_each(${p("numbers")}))`,
          ),
        ),
    );
  const told = [
    telling(AUDIT_BY_NUMBER, toldNumber),
    telling(AUDIT_BY_RECEIPT_NUMBER, toldReceiptNumber),
  ];
  const appendBy = ({
    controllerId,
    ...entry
  }: ControllerEntry<string> & Partial<Pick<AuditEntry, "noteId">>): true => {
    append.run({ ...NOBODYS, ...entry, actor: controllerActor(controllerId) });
    return true;
  };
  /** How a controller calls the last that it did on a device. */
  const lastNotes = ({ orgId, controllerId, resource }: ControllerEntry<string>) =>
    orm
      .select({ noteId: auditEntries.noteId })
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.orgId, orgId),
          eq(auditEntries.resource, resource),
          eq(auditEntries.actor, controllerActor(controllerId)),
          isNotNull(auditEntries.noteId),
        ),
      )
      .orderBy(desc(auditEntries.seq))
      .limit(NOTES_AGAIN_MAX)
      .all()
      .map(({ noteId }) => noteId);
  return {
    append(entry: NewAuditEntry): void {
      append.run({ ...NOBODYS, ...entry });
    },
    /**
     * What a controller said, as far as it has room: its words must not fill the disk.
     * @param isOwed it is written in any case, and uses up none: so much of it cannot come
     * @returns whether it was written
     */
    appendOf(tx: Transaction, entry: ControllerEntry, isOwed = false): boolean {
      return (isOwed || room.take(tx, "report", entry)) && appendBy(entry);
    },
    /**
     * What a controller did of its own accord, as far as it has room, and once, however often it says it
     * under one id: it cannot know whether a gateway that was killed has it. Apps have names of their own
     * for that; none of them is read as what the gateway calls its entries.
     * @returns whether it was written
     */
    appendNote(tx: Transaction, { noteId, ...entry }: ControllerNote): boolean {
      if (noteId !== undefined && lastNotes(entry).includes(noteId)) return false;
      if (!room.take(tx, "note", entry)) return false;
      return appendBy({ ...entry, action: noteAction(entry.action), noteId: noteId ?? null });
    },
    /** Whether the last entry of that action on its resource is the controller's, and says the same. */
    isRepeated({ controllerId, details, ...about }: ControllerEntry): boolean {
      const before = this.last(about);
      if (before?.actor !== controllerActor(controllerId)) return false;
      return Bun.deepEquals(before.details, JSON.parse(JSON.stringify(details)));
    },
    /** The last entry of that action on its resource: every list of devices asks for some. */
    last({ orgId, resource, action }: AuditSubject): AuditEntry | undefined {
      return last.get({ orgId, resource, action });
    },
    /** What its device has proven of a command, newest first. */
    listProofs(orgId: string, resource: string): AuditEntry[] {
      return proofs.all({ orgId, resource });
    },
    /** Commands of which a device told one of these numbers once somebody had spoken of them. */
    listTold(orgId: string, numbers: readonly string[]): string[] {
      const values = { orgId, numbers: JSON.stringify(numbers) };
      const entries = told.flatMap((statement) => statement.all(values));
      return [...new Set(entries.map(({ resource }) => resource))];
    },
    get(orgId: string, seq: number): AuditEntry | undefined {
      return orm
        .select()
        .from(auditEntries)
        .where(and(eq(auditEntries.orgId, orgId), eq(auditEntries.seq, seq)))
        .get();
    },
    page(orgId: string, { filter, limit, order, startAfter }: AuditPage): AuditEntry[] {
      const { seq } = auditEntries;
      const beyond = order === "asc" ? gt : lt;
      const rest = startAfter === undefined ? undefined : beyond(seq, startAfter.seq);
      const { actor, resource } = filter ?? {};
      // Left to itself SQLite may walk through all of an organization. Of one resource there are few.
      const isActors = actor !== undefined && resource === undefined;
      const source = isActors ? rowsBy(auditEntries, AUDIT_INDEXES.byActor) : auditEntries;
      const entriesOf = (by?: SQL): AuditEntry[] =>
        orm
          .select(getTableColumns(auditEntries))
          .from(source)
          .where(and(eq(auditEntries.orgId, orgId), by, ...conditionsOf(filter), rest))
          .orderBy(order === "asc" ? asc(seq) : desc(seq))
          .limit(limit)
          .all();
      if (actor === undefined) return entriesOf();
      // Each name has an order in the index, two of them have none.
      return namesOf(actor)
        .flatMap((name) => entriesOf(eq(auditEntries.actor, name)))
        .toSorted((one, other) => (order === "asc" ? 1 : -1) * (one.seq - other.seq))
        .slice(0, limit);
    },
    /** A page of a period, in parts: in the order of the clock, which is what it is asked for by. */
    period(orgId: string, { actor, ...filter }: AuditPeriodFilter, page: AuditPeriodPage) {
      return period(orgId, { ...filter, actor: actor && namesOf(actor) }, page);
    },
    /** The last entries of an organization, newest first. */
    list(orgId: string, limit: number): AuditEntry[] {
      return this.page(orgId, { limit, order: "desc" });
    },
    /**
     * Entries of one action in the whole appliance, newest first, read as they are asked for.
     * @param since UTC milliseconds, exclusive
     */
    *listSince(action: AuditAction, since: number): Generator<AuditEntry> {
      let end: Pick<AuditEntry, "at" | "seq"> = { at: FOR_EVER, seq: FOR_EVER };
      for (;;) {
        const part: AuditEntry[] = ofAction.all({ action, since, at: end.at, seq: end.seq });
        yield* part;
        const last = part.at(-1);
        if (last === undefined || part.length < PART) return;
        end = last;
      }
    },
  };
}

/** What entries call a controller. */
export function controllerActor(controllerId: string): string {
  return `controller:${controllerId}`;
}

/** A value in an entry's details; null where they are damaged. */
function detailOf(path: string): SQL {
  const { details } = auditEntries;
  return sql`case when json_valid(${details}) then json_extract(${details}, ${sql.raw(`'${path}'`)}) end`;
}

function conditionsOf({ resource, action }: AuditFilter = {}): readonly SQL[] {
  return [
    ...(resource === undefined ? [] : [eq(auditEntries.resource, resource)]),
    ...(action === undefined ? [] : [eq(auditEntries.action, action)]),
  ];
}

/** Members and keys are listed by their bare ids, in front of which entries say what they are. */
function namesOf(actor: string): string[] {
  const kind = { usr: "user", key: "key" }[/^(usr|key)_/.exec(actor)?.[1] ?? ""];
  return kind === undefined ? [actor] : [actor, `${kind}:${actor}`];
}
