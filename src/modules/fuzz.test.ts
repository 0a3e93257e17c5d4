/**
 * Every operation of the OpenAPI document, with requests that are made from its schemas. Whatever is
 * answered has to be in the document: `documentedAnswers` looks at each answer.
 *
 * The same cases every time. `bun run fuzz` tries others: FISCALD_FUZZ_SEED chooses them,
 * FISCALD_FUZZ_RUNS says how many of each kind an operation gets, FISCALD_FUZZ_ONLY is a part of the
 * operations' names.
 */

import { afterAll, describe, expect, test } from "bun:test";
import fc, { type Arbitrary } from "fast-check";
import type { CommandType } from "#core/command/catalogue.ts";
import type { SimulatorPort } from "#core/device/simulated.ts";
import type { TraceEntry, WatchLine } from "#core/device/trace.ts";
import { PUSH_WAIT_SECONDS } from "#core/limits.ts";
import { parseFaultRequest } from "#drivers/simulator/faults.ts";
import type { ApiAnswer } from "../http/testing/api-client.ts";
import { schemaFaults } from "../http/testing/documented-answers.ts";
import { follow } from "../http/testing/openapi-faults.ts";
import type { Narrow } from "../http/testing/schema-values.ts";
import { LIVE_ROUTES } from "./live/table.ts";
import { createApiBench } from "./testing/api-bench.ts";
import { broken, canBeBroken, isNamed, repeatable } from "./testing/fuzz/breaks.ts";
import { atRest, type Behaviour, behaviours, played } from "./testing/fuzz/controller.ts";
import { createShop, knownOf, type Shop } from "./testing/fuzz/known.ts";
import { type Operation, operationsOf } from "./testing/fuzz/operations.ts";
import { Known, requestsOf, resolved, type Sent, sentOf } from "./testing/fuzz/requests.ts";
import { RULES, type Rule, rulesOf } from "./testing/fuzz/rules.ts";

const SEED = Number(process.env.FISCALD_FUZZ_SEED ?? 1);
const RUNS = Number(process.env.FISCALD_FUZZ_RUNS ?? 8);
/** Things that are tried of each request that is right, to make it wrong. */
const BREAKS = 4;
const ONLY = process.env.FISCALD_FUZZ_ONLY ?? "";

/** Operations that do not succeed here, and why. */
const NEVER_SUCCEEDS: Readonly<Record<string, string>> = {
  "GET /api/v1/controllers/connect": "101 needs a connection that can change over",
  "GET /api/v1/events": "101 needs a connection that can change over",
};

/** Characters of a request and of an answer that a failure shows. */
const SHOWN = 2_000;

/** What the library says of a value where nobody has said in words what is wanted. */
const UNWORDED = /Expected (union value|kind '|string to match '|array length)/;

/** In which all that is done here happens. */
const PERIOD: Readonly<Record<string, string>> = {
  from: "2026-01-10T00:00:00Z",
  to: "2026-02-10T00:00:00Z",
};

const WITHOUT_LIMITS = { globalMax: 1e9, authMax: 1e9, commandsMax: 1e9 };

const NOTHING: Behaviour = { result: {}, isLate: false };

/** A line on which something passed, and which then is gone. */
const watchLine: WatchLine = (_, viewer) => {
  const at = "2026-01-15T00:00:00.000Z";
  const entry: TraceEntry = {
    ...{ kind: "line", event: "opened", text: "till.example:9100" },
    ...{ number: 1, at, times: 1, lastAt: at },
  };
  viewer.begin([entry]);
  setImmediate(() => viewer.ended());
  return () => undefined;
};

/** Reads faults as a simulated printer does, and does nothing else. */
const simulated: SimulatorPort = {
  paper: () => Promise.resolve("<svg/>"),
  bringFault: async (_, fault) => void parseFaultRequest(fault),
  clearFaults: () => Promise.resolve(),
};

const bench = createApiBench({
  ...{ registration: "open", limits: WITHOUT_LIMITS, watchLine, simulated },
});
bench.levers.connected = false;
afterAll(() => bench.close());

/** The box belongs to the first. */
const boxShop = await createShop(bench, "box");

const document = (await bench.client.get("/api/v1/openapi.json")).body;
const faultOf = schemaFaults(document);
const fits = (pointer: string, value: unknown) => faultOf(pointer, value) === undefined;
const allOperations = operationsOf(document);
const operations = allOperations.filter(({ name }) => name.includes(ONLY));
const cases = operations.map((operation) => ({ name: operation.name, operation }));

/** How closely requests keep to what is asked of them. */
interface Strictness {
  /** The one rule that they need not keep to. */
  readonly left?: Rule;
  /** Where the shop knows a value, they have no other. */
  readonly isKnown?: true;
}

/** What is made of the schemas, with values that the shop knows, and by the operation's rules. */
function narrowing(operation: Operation, { left, isKnown }: Strictness): Narrow {
  const rules = rulesOf(operation).filter((rule) => rule !== left);
  return (made, of) => {
    const { place } = of;
    const applying = rules.filter(({ at }) => at.test(place));
    const kept = applying.reduce((values, { keep }) => keep?.(values, of) ?? values, made);
    if (knownOf(operation, place) === undefined) return kept;
    const known = fc.constant<unknown>(new Known(place));
    if (isKnown || applying.some(({ keep }) => keep === undefined)) return known;
    return left?.at.test(place)
      ? fc.oneof(known, kept)
      : fc.oneof({ weight: 8, arbitrary: known }, kept);
  };
}

/** What the device is asked for by an operation that waits for it. */
function waitsFor({ path, method }: Operation): readonly CommandType[] {
  const row = LIVE_ROUTES.find(
    (one) =>
      [
        `/api/v1/devices/{deviceId}/${one.path}`,
        `/api/v1/commands/{commandId}/${one.path}`,
      ].includes(path) && one.method === method,
  );
  if (row === undefined) return [];
  // A table of which nothing is to be programmed is only read.
  return row.type === "set_vat_rates" ? [row.type, "get_vat_rates"] : [row.type];
}

const waits = (operation: Operation) =>
  waitsFor(operation).length > 0 || operation.parameters.some(({ name }) => name === "wait");

/** A request on its way, and what the device does about it. */
interface Asked {
  readonly operation: Operation;
  readonly sent: Sent;
  readonly behaviour: Behaviour;
}

const ownerFor = (shop: Shop, { isOfBox }: Operation) => (isOfBox ? boxShop : shop).owner();

/** Asks as the owner. */
async function ask(shop: Shop, { operation, sent, behaviour }: Asked): Promise<ApiAnswer> {
  const owner = await ownerFor(shop, operation);
  bench.levers.sent.length = 0;
  bench.levers.connected = waitsFor(operation).length > 0;
  try {
    const call = () => owner.call(sent.method, sent.target, sent.options);
    const answer = await (waits(operation) ? played(shop, call, behaviour) : call());
    if (operation.path.endsWith("/auth/logout") && answer.status < 300) shop.endLogin();
    return answer;
  } catch (error) {
    throw new Error(`${asText(sent)}: ${error}`, { cause: error });
  } finally {
    bench.levers.connected = false;
  }
}

/** What an answer must never be. */
function judge(operation: Operation, sent: Sent, answer: ApiAnswer): void {
  const { status } = answer;
  // Where 503 means something of its own it is not only the one that every route shares.
  const pointer = `#/paths/${operation.path.replaceAll("/", "~1")}/${operation.method.toLowerCase()}`;
  const isOwn = follow(document, `${pointer}/responses/${status}/$ref`) === undefined;
  if (status >= 500 && !(status === 503 && isOwn)) throw told(sent, answer);
}

/** A WebSocket that nothing can be opened with here: all else of the request was right. */
function isUpgrade({ name }: Operation, { refusal }: ApiAnswer): boolean {
  return name in NEVER_SUCCEEDS && refusal === "400 BAD_REQUEST";
}

function told(sent: Sent, { status, text }: ApiAnswer): Error {
  return new Error(`${asText(sent)}\nis answered ${status} ${text.slice(0, SHOWN)}`);
}

function asText({ method, target, options }: Sent): string {
  return `${method} ${target} ${JSON.stringify(options)}`.slice(0, SHOWN);
}

let shops = 0;
const newShop = () => createShop(bench, `shop-${++shops}`);

/** What shows all that a shop has. */
const READS = allOperations.filter(
  ({ name, method, path }) => method === "GET" && !path.includes("{") && !(name in NEVER_SUCCEEDS),
);

/** Whatever was taken can be shown. */
async function readAll(shop: Shop): Promise<void> {
  for (const operation of READS) {
    const owner = await ownerFor(shop, operation);
    const { method, path, parameters } = operation;
    const query: Record<string, string> = {};
    for (const { name, isRequired } of parameters) {
      if (!isRequired) continue;
      query[name] = PERIOD[name] ?? String(await knownOf(operation, `query.${name}`)?.(shop));
    }
    const sent = { method, target: `${path}?${new URLSearchParams(query)}`, options: {} };
    const answer = await owner.call(method, sent.target);
    if (answer.status !== 200) throw told(sent, answer);
  }
}

/** Cases of one operation. */
interface Cases<T> {
  readonly given: Arbitrary<T>;
  readonly runs?: number;
  readonly trying: (shop: Shop, one: T) => Promise<void>;
}

/** Tries cases of an operation on a shop of their own. @returns the shop */
async function tryAll<T>(
  { name }: Operation,
  { given, runs = RUNS, trying }: Cases<T>,
): Promise<Shop> {
  const shop = await newShop();
  const property = fc.asyncProperty(given, (one) => trying(shop, one));
  // Operations of one body would otherwise be sent the same values: addresses of users are unique.
  const seed = SEED + Bun.hash.crc32(name);
  const tried = await fc.check(property, { seed, numRuns: runs });
  // What still waits for a device is over then, and leaves the queue to the next operation.
  await bench.clock.advanceAsync(PUSH_WAIT_SECONDS * 1_000);
  if (!tried.failed) return shop;
  const again = `bun run fuzz --seed ${SEED} --runs ${RUNS} --only "${name}"`;
  throw new Error(`${fc.defaultReportMessage(tried)}\n\nAgain: ${again}`, {
    cause: tried.errorInstance,
  });
}

const known = (shop: Shop, operation: Operation) => async (place: string) =>
  knownOf(operation, place)?.(shop);

/** A request with what a device does about it. */
const requests = (operation: Operation, strictness: Strictness) =>
  fc.record({
    drawn: requestsOf(operation, document, narrowing(operation, strictness)),
    behaviour: behaviours(waitsFor(operation)),
  });

describe("a request made from the schemas and the rules", () => {
  test.each(cases)("is never refused as invalid: $name", async ({ operation }) => {
    const statuses = new Set<number>();
    const shop = await tryAll(operation, {
      given: requests(operation, {}),
      async trying(shop, { drawn, behaviour }) {
        const said = await resolved(drawn, known(shop, operation));
        const { body } = operation;
        const fault = said.body !== undefined && body && faultOf(body.pointer, said.body);
        if (fault) throw new Error(`made against the schema: ${fault}`);
        const sent = sentOf(operation, said);
        const answer = await ask(shop, { operation, sent, behaviour });
        judge(operation, sent, answer);
        statuses.add(answer.status);
        if (answer.status === 400 && !isUpgrade(operation, answer)) throw told(sent, answer);
      },
    });
    if (operation.method !== "GET") await readAll(shop);
    const succeeds = [...statuses].some((status) => status < 300);
    const isExpected = !(operation.name in NEVER_SUCCEEDS);
    expect({ statuses, succeeds }).toEqual({ statuses, succeeds: isExpected });
  });
});

/** Rules by which something was refused. */
const active = new Set<Rule>();

/** Tries requests that need not keep to one of these rules. */
async function tryWithout(
  operation: Operation,
  { rules, runs }: { readonly rules: readonly Rule[]; readonly runs: number },
): Promise<void> {
  const given = rules.map((left) => requests(operation, { left }).map((one) => ({ left, ...one })));
  await tryAll(operation, {
    given: fc.oneof(...given),
    runs,
    async trying(shop, { left, drawn, behaviour }) {
      const said = await resolved(drawn, known(shop, operation));
      // What was refused for another rule would be refused again under its key.
      const sent = sentOf(operation, { ...said, header: {} });
      const answer = await ask(shop, { operation, sent, behaviour });
      judge(operation, sent, answer);
      if (answer.status !== 400 || isUpgrade(operation, answer)) return;
      const paths = answer.issuePaths.map((path) => path.replaceAll(/\.\d+(?=\.|$)/g, ".*"));
      const isByRule = paths.length > 0 && paths.every((path) => left.names.test(path));
      if (!isByRule) throw told(sent, answer);
      active.add(left);
    },
  });
}

describe("a request that keeps to the schemas and to all rules but one", () => {
  const ruled = cases.filter(({ operation }) => rulesOf(operation).length > 0);

  test.each(ruled)("is refused for that rule at most: $name", async ({ operation }) => {
    const rules = rulesOf(operation);
    await tryWithout(operation, { rules, runs: Math.ceil((rules.length * RUNS) / 2) });
  });

  test("is refused for each of them", async () => {
    // Of some operations alone, a rule may have no field.
    const rules = ONLY === "" ? RULES : [];
    for (const rule of rules) {
      // What a few cases did not meet, more of them do.
      for (const { operation } of ruled) {
        const isMissing = !active.has(rule) && rulesOf(operation).includes(rule);
        if (isMissing) await tryWithout(operation, { rules: [rule], runs: 60 });
      }
    }
    const idle = rules.filter((rule) => !active.has(rule));
    expect(idle.map(({ names, why }) => [String(names), why])).toEqual([]);
  });
});

describe("a request of which one thing is wrong", () => {
  const breakable = cases.filter(({ operation }) => canBeBroken(operation));

  test.each(breakable)("is refused and changes nothing: $name", async ({ operation }) => {
    const drawn = requestsOf(operation, document, narrowing(operation, { isKnown: true }));
    const changes = bench.database.sqlite.prepare("SELECT total_changes()").pluck();
    const choice = fc.record({ what: fc.nat(), how: fc.nat() });
    const choices = fc.array(choice, { minLength: BREAKS, maxLength: BREAKS });
    let refused = 0;
    await tryAll(operation, {
      given: fc.record({ drawn, choices }),
      async trying(shop, { drawn, choices }) {
        const said = repeatable(await resolved(drawn, known(shop, operation)));
        await atRest(bench.writer);
        for (const choice of choices) {
          const wrong = broken(operation, { document, fits }, { said, ...choice });
          if (wrong === undefined) continue;
          const { sent, names } = wrong;
          // A login that is over would be made anew meanwhile.
          await ownerFor(shop, operation);
          const before = changes.get();
          const answer = await ask(shop, { operation, sent, behaviour: NOTHING });
          const isRefused =
            names === undefined
              ? answer.refusal === "400 BAD_REQUEST"
              : answer.refusal === "400 VALIDATION_ERROR" && isNamed(names, answer.issuePaths);
          if (!isRefused || changes.get() !== before) throw told(sent, answer);
          if (UNWORDED.test(answer.text)) throw told(sent, answer);
          refused += 1;
        }
      },
    });
    expect(refused).toBeGreaterThan(0);
  });
});
