/** What the appliance keeps for itself, by name. */

import { eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { applianceValues } from "../schema/settings.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareWrite } from "./prepared-write.ts";
import { insertRow, insertWhole, newValues } from "./whole-row.ts";

export type ApplianceStore = ReturnType<typeof createApplianceStore>;

/** How often a gateway has started on the database. */
const STARTS = "starts";
/** There where the place beside the state directory has them too. Versions of before count without it. */
const STARTS_BESIDE = "starts.beside";
/** What controllers know this installation by. */
const INSTALLATION = "installation";
/** Since it was forgotten what tills have sent, and why; behind that, when it ends, in counted time. */
const FORGOTTEN = "sales.forgotten";
/** Of a state that was put back from a copy, or repaired, until a start has said what follows. */
const PUT_BACK = "state.put_back";
/** What was lost would itself have been kept for less. */
const FORGOTTEN_KEPT_MS = 7 * 86_400_000;

/**
 * Why it is not known what tills have sent: a repair has lost what keeps a receipt from being printed
 * again, or a copy was put back, which knows nothing of what came behind it.
 */
export type Forgotten = "repaired" | "restored";

/** All queries on appliance values. */
export function createApplianceStore(database: Database) {
  const { orm } = database;
  const ofName = eq(applianceValues.name, sql.placeholder("name"));
  const byName = prepareLater(() => orm.select().from(applianceValues).where(ofName));
  const putOne = prepareWrite(database, () =>
    insertWhole(orm, applianceValues).onConflictDoUpdate({
      target: applianceValues.name,
      set: newValues(applianceValues, [applianceValues.name]),
    }),
  );
  const removeOne = prepareWrite(database, () => orm.delete(applianceValues).where(ofName));
  const find = (name: string): string | undefined => byName.get({ name })?.value;
  const put = (name: string, value: string): void => void putOne.run({ name, value });
  const remove = (name: string): void => void removeOne.run({ name });
  const forgotten = (): Forgotten | undefined => {
    const [why] = find(FORGOTTEN)?.split(" ") ?? [];
    return why === "repaired" || why === "restored" ? why : undefined;
  };
  return {
    /** The value of that name; undefined when there is none. */
    find,
    /** Keeps a value, whatever it was before. */
    put,
    /** How often a gateway has started on it; 0 where that was never counted, or the count is lost. */
    starts: () => Number(find(STARTS) ?? 0),
    /** True where that was kept beside the state directory, too; false also where it is not known. */
    areStartsBeside: () => find(STARTS_BESIDE) !== undefined,
    putStartsBeside(starts: number): void {
      put(STARTS, String(starts));
      put(STARTS_BESIDE, "yes");
    },
    /** The next start is the first one that counts. */
    forgetStarts(): void {
      put(STARTS, "0");
      remove(STARTS_BESIDE);
    },
    /** Which installation this is; undefined before its first start. */
    installationId: () => find(INSTALLATION),
    putInstallationId: (id: string) => put(INSTALLATION, id),
    /** It is not known what tills have sent: of a repair less than of a copy, for which its start takes it. */
    forget: (why: Forgotten) => put(FORGOTTEN, forgotten() === "repaired" ? "repaired" : why),
    /** Why, in the week behind that; undefined where it is known. */
    forgotten,
    /**
     * Lets that week begin, and end.
     * @param now counted time, UTC milliseconds
     */
    endForgotten(now: number): void {
      const [why, end] = find(FORGOTTEN)?.split(" ") ?? [];
      if (why === undefined) return;
      if (end === undefined) put(FORGOTTEN, `${why} ${now + FORGOTTEN_KEPT_MS}`);
      else if (Number(end) <= now) remove(FORGOTTEN);
    },
    /** The state was put back from a copy, or repaired: printers may have printed what it knows not. */
    notePutBack: () => put(PUT_BACK, "noted"),
    /** True from then until `endPutBack`. */
    isPutBack: () => find(PUT_BACK) !== undefined,
    /** What follows is stored; in the transaction that stores it. */
    endPutBack: () => remove(PUT_BACK),
    /** The value of that name, made by `create` the first time. */
    getOrCreate(name: string, create: () => string): string {
      const known = find(name);
      if (known !== undefined) return known;
      const value = create();
      insertRow(orm, applianceValues, { name, value });
      return value;
    },
  };
}
