/**
 * Scenes of a shop as facts, of which nobody knows in which order the gateway hears of them, and the truth.
 * Whatever the order: no door may pay a paper back that went back already, and once all is known, what
 * nobody took back can be taken back.
 */

import {
  type EventShop,
  type Named,
  openShop,
  type Papers,
  type Part,
  type SaleRecord,
  type TillPrinter,
} from "./event-shop.ts";

export const DAY_MS = 86_400_000;

/** Something that happens. @returns false where the gateway refused it, or it did not come to that */
export type Fact = (shop: EventShop) => Promise<boolean>;

export interface Scene {
  readonly printer?: TillPrinter;
  /** The truth: each sale by a letter. */
  readonly papers: Papers;
  readonly facts: Readonly<Record<string, Fact>>;
  /** Which facts come one behind the other. */
  readonly chains: readonly string[];
  /** Sales that are taken back at their printer alone, as a person misread them. */
  readonly atPrinter?: readonly string[];
  /** What names papers that there are not, and must not be paid for behind all of it. */
  readonly noPaper?: readonly { readonly like: string; readonly named: Named }[];
}

const done = async (happening: Promise<void>): Promise<boolean> => {
  await happening;
  return true;
};

/** A sale comes out of the printer, of which the app cannot tell. */
export const sold =
  (paper: string): Fact =>
  (shop) =>
    done(shop.sell(paper).then(() => shop.doubt(paper)));

/** A sale comes out of the printer, whose line is lost; it tells the end when that is back. */
export const lost =
  (paper: string): Fact =>
  (shop) =>
    done(shop.sell(paper).then(() => shop.lose()));

/** A sale comes out of the printer, which tells its number at once. */
export const soldAs =
  (paper: string, number: string): Fact =>
  (shop) =>
    done(shop.sell(paper).then(() => shop.prove(paper, number)));

/** A sale comes out of the printer, which tells no number. */
export const soldUnread =
  (paper: string): Fact =>
  (shop) =>
    done(shop.sell(paper).then(() => shop.endUnread(paper)));

/** A person says that it was printed, and reads its number, or cannot. */
export const said =
  (paper: string, number?: string): Fact =>
  (shop) =>
    shop.say(paper, number);

/** The printer tells the number of a sale late. */
export const proven =
  (paper: string, number: string, data: object = {}): Fact =>
  (shop) =>
    done(shop.prove(paper, number, data));

/** A till tells a sale that was rung up without the gateway. */
export const told =
  (paper: string, number: string, more: object = {}): Fact =>
  (shop) =>
    shop.tell(paper, number, more);

/** A till asks for the reversal of a paper, over a printer that cannot be reached yet. */
export const asked =
  (name: string, of: string, named: Named): Fact =>
  (shop) =>
    shop.reverse(name, of, named);

/** The office asks for a storno or void by the id of a sale; its printer cannot be reached yet. */
export const askedById =
  (name: string, of: string, by: "storno" | "void"): Fact =>
  (shop) =>
    shop.takeBack(name, of, by);

/** What was asked for goes out. */
export const out =
  (name: string): Fact =>
  (shop) =>
    shop.handOut(name);

/** What is out is printed. */
export const printed =
  (name: string, number: string): Fact =>
  (shop) =>
    shop.print(name, number);

/** Nobody can tell of what is out whether it is printed, until a person says so. */
export const doubted =
  (name: string): Fact =>
  (shop) =>
    shop.doubtReversal(name);
export const calledPrinted =
  (name: string, number: string): Fact =>
  (shop) =>
    shop.sayReversal(name, number);

/** The clock of the gateway is set back. */
export const setBack =
  (minutes: number): Fact =>
  async (shop) => {
    shop.setBack(minutes);
    return true;
  };

/** Days go by. */
export const days =
  (many: number): Fact =>
  (shop) =>
    done(shop.pass(many * DAY_MS));

/** One fact right behind the other. */
export const both =
  (...facts: readonly Fact[]): Fact =>
  async (shop) => {
    for (const fact of facts) if (!(await fact(shop))) return false;
    return true;
  };

/** All orders of the facts that the chains allow. */
export function ordersOf({ facts, chains }: Scene): readonly (readonly string[])[] {
  const before = new Map(Object.keys(facts).map((name) => [name, new Set<string>()]));
  for (const chain of chains) {
    const names = chain.split(" ");
    for (const [at, name] of names.entries()) {
      const own = before.get(name);
      if (own === undefined) throw new Error(`there is no fact ${name}`);
      for (const earlier of names.slice(0, at)) own.add(earlier);
    }
  }
  const behind = (order: readonly string[]): string[][] => {
    if (order.length === before.size) return [[...order]];
    return [...before].flatMap(([name, earlier]) => {
      const isNext = !order.includes(name) && [...earlier].every((one) => order.includes(one));
      return isNext ? behind([...order, name]) : [];
    });
  };
  return behind([]);
}

/** A way to have something paid back. */
interface Door {
  readonly name: string;
  /** The papers of which it would take something back. */
  readonly of: readonly string[];
  /** How much of them, at least. */
  readonly part: Part;
  /** Why it does not open; undefined where it does. */
  readonly refusal: () => Promise<string | undefined>;
}

function doorsById(shop: EventShop, record: SaleRecord): readonly Door[] {
  const of = shop.takenBy(record);
  const name = `${record.paper} (${record.number ?? "no number"})`;
  const storno: Door = {
    ...{ name: `storno of ${name}`, of, part: "one" },
    refusal: () => shop.tryById(record, "storno"),
  };
  // The till's printer knows no paper of another one.
  if (shop.papers[record.paper]?.memory !== undefined) return [storno];
  const refusal = () => shop.tryById(record, "void");
  return [storno, { name: `void of ${name}`, of, part: "all", refusal }];
}

/** By what stands on a paper, as far as a record has it: what nobody told is held to nothing. */
function doorsByNumber(shop: EventShop, records: readonly SaleRecord[]): readonly Door[] {
  return Object.entries(shop.papers).flatMap(([paper, { numbers, uniqueSaleNumber }]) =>
    numbers.flatMap((number) => {
      const isKnown = records.some((record) => shop.hasNumber(record, paper, number));
      const isOwn = records.some(
        (record) =>
          record.uniqueSaleNumber === uniqueSaleNumber ||
          (record.uniqueSaleNumber === null && shop.hasNumber(record, paper, number)),
      );
      const door = (named: Named): Door => ({
        name: `reversal of ${number} (${paper})${named.uniqueSaleNumber ? ", unique sale number" : ""}`,
        ...{ of: [paper], part: "one" },
        refusal: () => shop.tryByNumber(paper, { ...named, part: "one" }),
      });
      return [
        ...(isKnown ? [door({ number })] : []),
        ...(uniqueSaleNumber && isOwn ? [door({ number, uniqueSaleNumber })] : []),
      ];
    }),
  );
}

function doorsOf(shop: EventShop): readonly Door[] {
  const records = shop.records();
  const byId = records.flatMap((record) => doorsById(shop, record));
  return [...byId, ...doorsByNumber(shop, records)].map(triedOnce);
}

function triedOnce({ refusal, ...door }: Door): Door {
  let tried: ReturnType<Door["refusal"]> | undefined;
  const once = () => {
    tried ??= refusal();
    return tried;
  };
  return { ...door, refusal: once };
}

/** What is wrong behind a fact. */
interface Fault {
  readonly what: string;
  /** Reversals that wait: it is wrong only if one of them goes out later. */
  readonly waiting: readonly string[];
}

/**
 * What a door would pay back too much.
 * @returns the reversals that wait beside which it would; undefined where it may be open
 */
function overpaidBy(shop: EventShop, { of, part }: Door): readonly string[] | undefined {
  const left = (paper: string) =>
    shop.centsOf(paper, "all") - shop.paidBack(paper) - shop.centsOf(paper, part);
  if (of.some((paper) => left(paper) < 0)) return [];
  const waiting = of.flatMap((paper) => {
    const waits = shop.waitingFor(paper);
    return waits.reduce((sum, { cents }) => sum + cents, 0) > left(paper) ? waits : [];
  });
  return waiting.length === 0 ? undefined : waiting.map(({ name }) => name);
}

/** Doors that are open though what they pay back went back, and papers paid back too often already. */
async function overpaid(shop: EventShop, doors: readonly Door[]): Promise<Fault[]> {
  const faults: Fault[] = Object.keys(shop.papers)
    .filter((paper) => shop.paidBack(paper) > shop.centsOf(paper, "all"))
    .map((paper) => ({ what: `${paper} is paid back twice`, waiting: [] }));
  for (const door of doors) {
    const waiting = overpaidBy(shop, door);
    if (waiting && (await door.refusal()) === undefined)
      faults.push({ what: `${door.name} is open`, waiting });
  }
  return faults;
}

/** What came of one order. */
interface Played {
  readonly order: string;
  readonly faults: readonly string[];
  /** The facts that were refused: where those are the same, all else has to be. */
  readonly refused: string;
  /** The doors behind all of it: whether each is open. */
  readonly doors: ReadonlyMap<string, boolean>;
}

/** Behind all facts: which doors are open, and what stays shut that may not. */
async function behindAll(shop: EventShop, scene: Scene, all: readonly Door[]) {
  const doors = new Map<string, boolean>();
  const open = new Set<string>();
  const shut = new Map<string, string>();
  for (const { name, of, refusal } of all) {
    const why = await refusal();
    doors.set(name, why === undefined);
    const [paper = "", ...others] = of;
    if (why !== undefined) shut.set(paper, `by no ${name}: ${why}`);
    else if (others.length === 0) open.add(paper);
  }
  const records = new Set(shop.records().map(({ paper }) => paper));
  const faults = [...shut]
    .filter(([paper]) => records.has(paper) && shop.paidBack(paper) === 0 && !open.has(paper))
    .filter(([paper]) => !scene.atPrinter?.includes(paper))
    .map(([paper, why]) => `${paper} is never taken back, ${why}`);
  for (const { like, named } of scene.noPaper ?? []) {
    const why = await shop.tryByNumber(like, named);
    if (why === undefined) faults.push(`${named.number} is paid for, which there is not`);
  }
  return { doors, faults };
}

/** Plays a scene in each order that is allowed. @returns the ones that go wrong, with what is wrong */
export async function wrongOrders(scene: Scene): Promise<ReadonlyMap<string, readonly string[]>> {
  /** What was found behind the facts that orders begin with alike. */
  const known = new Map<string, readonly Fault[]>();
  const played: Played[] = [];
  for (const order of ordersOf(scene)) played.push(await play(scene, order, known));
  const wrong = new Map(
    played.filter(({ faults }) => faults.length > 0).map(({ order, faults }) => [order, faults]),
  );
  const right = played.filter(({ order }) => !wrong.has(order));
  for (const alike of Map.groupBy(right, ({ refused }) => refused).values()) {
    for (const name of new Set(alike.flatMap(({ doors }) => [...doors.keys()]))) {
      const open = alike.filter(({ doors }) => doors.get(name) === true);
      if (open.length === 0 || open.length === alike.length) continue;
      const shut = alike.filter((one) => !open.includes(one)).map(({ order }) => order);
      wrong.set(`in some orders only: ${name}`, shut);
    }
  }
  return wrong;
}

async function play(
  scene: Scene,
  order: readonly string[],
  known: Map<string, readonly Fault[]>,
): Promise<Played> {
  const shop = await openShop(scene.papers, scene.printer);
  try {
    const found: Fault[] = [];
    let doors: readonly Door[] = [];
    const refused: string[] = [];
    for (const [at, name] of order.entries()) {
      await shop.pass();
      if (!(await scene.facts[name]?.(shop))) refused.push(name);
      const sofar = order.slice(0, at + 1).join(" ");
      doors = doorsOf(shop);
      const faults = known.get(sofar) ?? (await overpaid(shop, doors));
      known.set(sofar, faults);
      found.push(...faults.map((fault) => ({ ...fault, what: `${name}: ${fault.what}` })));
    }
    const last = await behindAll(shop, scene, doors);
    const isSo = ({ waiting }: Fault) =>
      waiting.length === 0 || waiting.some((name) => shop.isOut(name));
    const faults = [...found.filter(isSo).map(({ what }) => what), ...last.faults];
    const by = { doors: last.doors, refused: refused.toSorted().join(" ") };
    return { order: order.join(" "), faults, ...by };
  } finally {
    shop.close();
  }
}
