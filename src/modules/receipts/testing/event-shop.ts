/**
 * A shop in which things happen to sales in one order or another: papers come out of a till's printer,
 * people read them, reversals go over another printer. It knows the truth, which the gateway does not:
 * whose paper each number is, and which paper a reversal took back.
 */

import { Type } from "@sinclair/typebox";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { Mark } from "#core/command/marks.ts";
import type { DriverId } from "#core/driver-id.ts";
import { ApiError } from "#core/errors.ts";
import type { ApiAnswer } from "../../../http/testing/api-client.ts";
import { COMMANDS, commandIdOf, makeKey, UNKNOWN } from "../../commands/testing/commands-bench.ts";
import { type ApiBench, createApiBench } from "../../testing/api-bench.ts";
import type { ApplianceCopy } from "../../testing/appliance-copy.ts";
import { RECEIPTS, receiptOf } from "./receipts-bench.ts";

export const MEMORY = "02000600";
const SERIAL = "DT000600";
const OTHER_MEMORY = "02000777";
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** What is sold: bread goes back by pieces as well. */
const GOODS = {
  bread: { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" },
  milk: { name: "Milk", quantity: 1, price: 9, vatGroup: "VAT2" },
} as const;
/** How much of a sale. */
export type Part = "all" | "one" | "cheaper";

/** A printed sale, as it is: the gateway learns of that what the facts of a scene tell it. */
export interface Paper {
  /** What a customer may read on it as its number; the first is the one that a storno has to name. */
  readonly numbers: readonly string[];
  readonly uniqueSaleNumber?: string;
  readonly goods?: keyof typeof GOODS;
  /** When it was printed, where no fact of the scene sells it: before the scene begins. */
  readonly minutesBefore?: number;
  /** The fiscal memory of its printer, where that is not the till's. */
  readonly memory?: string;
  /** Its day on a printer that counts them. */
  readonly zReportNumber?: string;
  /** How far the clock of its printer is behind. */
  readonly clockBehindMs?: number;
}
export type Papers = Readonly<Record<string, Paper>>;

/** What a reversal names, as its till has it. */
export interface Named {
  readonly number: string;
  readonly uniqueSaleNumber?: string | undefined;
  readonly part?: Part;
  /** Though its printer counts days. */
  readonly withoutDay?: boolean;
}

/** A reversal that was accepted. */
interface Taking {
  readonly commandId: string;
  readonly deviceId: string;
  readonly part: Part;
  /** Of one that its till names. */
  readonly named?: Named;
  /** Of a storno or void: what it is of may change until it goes out, as it names the number that its sale has. */
  readonly receiptId?: string;
  of: string;
  isOut: boolean;
}

/** A reversal that waits. */
export interface Waiting {
  readonly name: string;
  readonly cents: number;
}

/** The record of a sale. */
export interface SaleRecord {
  readonly paper: string;
  readonly id: string;
  /** What a storno of it names; null where nobody told. */
  readonly number: string | null;
  readonly numbers: readonly string[];
  readonly memory: string | null;
  readonly uniqueSaleNumber: string | null;
}

const Refusal = Type.Object({ error: Type.Object({ message: Type.String() }) });

interface Made {
  readonly copyOf: ApplianceCopy;
  readonly orgId: string;
  readonly key: string;
  readonly ofTill: string;
  readonly ofOther: string;
}
let made: Promise<Made> | undefined;

/** The shop as all scenes begin with it: made once. */
async function makeShop(): Promise<Made> {
  const api = createApiBench({ registration: "open" });
  try {
    const { client, orgId } = await api.owner();
    await api.setPlan(orgId, "enterprise");
    const printer = async (name: string, host: string, fiscalMemorySerialNumber: string) => {
      const connectionParams = { host, port: 9100 };
      const body = { name, driver: "vendorA.isl", transport: "tcp", locationId: "shop" };
      const answer = await client.post("/api/v1/devices", { ...body, connectionParams });
      api.stores.devices.update(orgId, answer.field("id"), { fiscalMemorySerialNumber });
      return answer.field("id");
    };
    const ofTill = await printer("Till", "192.168.1.20", MEMORY);
    const ofOther = await printer("Other", "192.168.1.21", OTHER_MEMORY);
    const key = await makeKey(client, ["receipts", "commands", "receipts:admin"]);
    return { copyOf: api.copy(), orgId, key, ofTill, ofOther };
  } finally {
    api.close();
  }
}

/** What the till's printer is. */
export interface TillPrinter {
  readonly driver?: DriverId;
  /** Its memory is told with results alone; before, it is known by its serial number. */
  readonly hidesMemory?: boolean;
}

/** Opens the shop, both printers out of reach. Call `close` at the end. */
export async function openShop(papers: Papers, printer: TillPrinter = {}): Promise<EventShop> {
  made ??= makeShop();
  const shop = await made;
  const api = createApiBench({ registration: "open", copyOf: shop.copyOf });
  const { driver = "vendorA.isl", hidesMemory = false } = printer;
  api.stores.devices.update(shop.orgId, shop.ofTill, {
    ...{ driver, serialNumber: SERIAL, fiscalMemorySerialNumber: hidesMemory ? null : MEMORY },
  });
  api.levers.connected = false;
  return new EventShop(api, shop, { ...printer, papers });
}

export class EventShop {
  readonly papers: Papers;
  readonly #api: ApiBench;
  readonly #made: Made;
  readonly #hidesMemory: boolean;
  readonly #till;
  readonly #opened: number;
  readonly #soldAt = new Map<string, number>();
  /** The command of each paper that one printed, and what a till told of papers. */
  readonly #sales = new Map<string, string>();
  readonly #told = new Map<string, string>();
  readonly #takings = new Map<string, Taking>();

  constructor(
    api: ApiBench,
    made: Made,
    { papers, hidesMemory = false }: TillPrinter & { readonly papers: Papers },
  ) {
    this.papers = papers;
    this.#hidesMemory = hidesMemory;
    this.#api = api;
    this.#made = made;
    this.#till = api.client.as(made.key);
    this.#opened = api.clock.now();
  }

  close(): void {
    this.#api.close();
  }

  /** Somebody sets the clock of the gateway back. */
  setBack(minutes: number): void {
    this.#api.clock.jumpTo(this.#api.clock.now() - minutes * MINUTE_MS);
  }

  /** Time passes between two facts. */
  pass(ms = SECOND_MS): Promise<void> {
    return this.#api.clock.advanceAsync(ms);
  }

  /** The printer is asked for a sale, and its line is lost while that is paid. */
  async sell(paper: string): Promise<void> {
    const { uniqueSaleNumber } = this.#paper(paper);
    const payload = { ...this.#goods(paper, "all"), ...(uniqueSaleNumber && { uniqueSaleNumber }) };
    const { ofTill } = this.#made;
    this.#soldAt.set(paper, this.#api.clock.now());
    const commandId = commandIdOf(await this.#submit(ofTill, "print_receipt", payload));
    this.#sales.set(paper, commandId);
    if (!(await this.#reach(ofTill, commandId))) throw new Error(`${paper} does not go out`);
  }

  /** The app cannot tell whether the sale was printed. */
  doubt(paper: string): Promise<void> {
    return this.#end(this.#made.ofTill, this.#sale(paper), UNKNOWN);
  }

  /** The line of the printer is lost while a sale is paid. */
  async lose(): Promise<void> {
    this.#api.queue.lineLost(this.#made.ofTill);
    await this.pass(MINUTE_MS);
  }

  /** The printer tells the end of a sale: at once, late, or as proof against what a person said. */
  async prove(paper: string, fiscalId: string, data: object = {}): Promise<void> {
    this.#api.queue.ready(this.#made.ofTill);
    const numbers = { receiptNumber: fiscalId, fiscalMemorySerialNumber: MEMORY, ...data };
    await this.#end(this.#made.ofTill, this.#sale(paper), {
      ...{ success: true, fiscalId, data: numbers },
    });
  }

  /** The printer tells that a sale was printed, and no number: others have printed on it between. */
  async endUnread(paper: string): Promise<void> {
    const data = { fiscalMemorySerialNumber: MEMORY };
    await this.#end(this.#made.ofTill, this.#sale(paper), { success: true, data });
  }

  /** A person says that a sale was printed. @returns whether the gateway takes that */
  say(paper: string, fiscalId?: string): Promise<boolean> {
    return this.#resolve(this.#sale(paper), fiscalId);
  }

  async #resolve(commandId: string, fiscalId?: string): Promise<boolean> {
    const body = { outcome: "printed", ...(fiscalId !== undefined && { fiscalId }) };
    const answer = await this.#till.post(`${COMMANDS}/${commandId}/resolve`, body);
    if (![200, 409].includes(answer.status)) throw new Error(`not taken: ${answer.text}`);
    return answer.status === 200;
  }

  /** A till tells a paper. @returns whether the gateway takes it for one that it does not have */
  async tell(paper: string, fiscalId: string, change: object = {}): Promise<boolean> {
    const answer = await this.#till.post(RECEIPTS, {
      ...{ deviceId: this.#made.ofTill, type: "sale", fiscalId, ...this.#goods(paper, "all") },
      ...{ fiscalMemorySerialNumber: this.#paper(paper).memory ?? MEMORY },
      ...{ issuedAt: this.#timeOn(paper), ...change },
    });
    if (![201, 409].includes(answer.status)) throw new Error(`not taken: ${answer.text}`);
    if (answer.status === 201) this.#told.set(paper, receiptOf(answer).id);
    return answer.status === 201;
  }

  /** A till asks for the reversal of a paper over the other printer. @returns whether it is accepted */
  async reverse(name: string, of: string, named: Named): Promise<boolean> {
    const { ofOther } = this.#made;
    const answer = await this.#reversal(of, named);
    if (!isTaken(answer)) return false;
    const { part = "all" } = named;
    const commandId = commandIdOf(answer);
    this.#takings.set(name, { commandId, deviceId: ofOther, part, named, of, isOut: false });
    return true;
  }

  /** The office asks for a storno or a void of a sale by its id. @returns whether it is accepted */
  async takeBack(name: string, of: string, by: "storno" | "void"): Promise<boolean> {
    const record = this.records().find(({ paper }) => paper === of);
    if (record === undefined) return false;
    const answer = await this.#byId(record, by, "all");
    if (!isTaken(answer)) return false;
    const commandId = commandIdOf(answer);
    const taken = { receiptId: record.id, of: this.#namedBy(record), isOut: false };
    this.#takings.set(name, { commandId, deviceId: this.#made.ofTill, part: "all", ...taken });
    return true;
  }

  /** The printer of a reversal can be reached. @returns whether that goes out */
  async handOut(name: string): Promise<boolean> {
    const taking = this.#takings.get(name);
    if (taking === undefined) return false;
    const record = this.records().find(({ id }) => id === taking.receiptId);
    if (record !== undefined) taking.of = this.#namedBy(record);
    taking.isOut = await this.#reach(taking.deviceId, taking.commandId);
    if (!taking.isOut) {
      const { status } = this.#api.stores.commands.get(this.#made.orgId, taking.commandId) ?? {};
      if (status !== "failed") throw new Error(`${name} waits for another one: it is ${status}`);
      this.#takings.delete(name);
    }
    return taking.isOut;
  }

  /** A reversal that is out has been printed. @returns false where it did not go out */
  async print(name: string, fiscalId: string): Promise<boolean> {
    const taking = this.#takings.get(name);
    if (taking?.isOut !== true) return false;
    const { deviceId, commandId } = taking;
    const fiscalMemorySerialNumber = deviceId === this.#made.ofTill ? MEMORY : OTHER_MEMORY;
    const data = { receiptNumber: fiscalId, fiscalMemorySerialNumber };
    await this.#end(deviceId, commandId, { success: true, fiscalId, data });
    return true;
  }

  /** The app cannot tell whether a reversal that is out was printed. @returns false where none is out */
  async doubtReversal(name: string): Promise<boolean> {
    const taking = this.#takings.get(name);
    if (taking?.isOut !== true) return false;
    await this.#end(taking.deviceId, taking.commandId, UNKNOWN);
    return true;
  }

  /** A person says that a reversal was printed. @returns whether the gateway takes that */
  sayReversal(name: string, fiscalId: string): Promise<boolean> {
    const taking = this.#takings.get(name);
    return taking?.isOut === true
      ? this.#resolve(taking.commandId, fiscalId)
      : Promise.resolve(false);
  }

  /** What was paid back for a paper, by what is out at least. In cents. */
  paidBack(of: string): number {
    return this.#takenFrom(of)
      .filter(([, { isOut }]) => isOut)
      .reduce((sum, [, { part }]) => sum + this.centsOf(of, part), 0);
  }

  /** The reversals of a paper that wait. */
  waitingFor(of: string): readonly Waiting[] {
    return this.#takenFrom(of)
      .filter(([, { isOut }]) => !isOut)
      .map(([name, { part }]) => ({ name, cents: this.centsOf(of, part) }));
  }

  /** What names a number of which no record tells, nor of its sale number, nobody can tell whose it is. */
  #takenFrom(of: string): readonly [string, Taking][] {
    const records = this.records();
    const isKnown = ({ named }: Taking) =>
      named === undefined ||
      records.some(
        (record) =>
          this.hasNumber(record, of, named.number) ||
          (record.uniqueSaleNumber !== null && record.uniqueSaleNumber === named.uniqueSaleNumber),
      );
    return [...this.#takings].filter(([, taking]) => taking.of === of && isKnown(taking));
  }

  /** Whether a reversal went out. */
  isOut(name: string): boolean {
    return this.#takings.get(name)?.isOut === true;
  }

  /** What a part of a paper comes to. In cents. */
  centsOf(paper: string, part: Part): number {
    return Math.round((this.#goods(paper, part).payments[0]?.amount ?? 0) * 100);
  }

  /** The sales in the books. */
  records(): readonly SaleRecord[] {
    const { receipts } = this.#api.stores;
    const printed = [...this.#sales].map(([paper, id]) => ({ paper, of: receipts.ofCommand(id) }));
    const told = [...this.#told].map(([paper, id]) => {
      return { paper, of: receipts.get(this.#made.orgId, id) };
    });
    return [...printed, ...told].flatMap(({ paper, of }) => {
      if (of === undefined) return [];
      const numbers = [of.fiscalId, of.receiptNumber].filter((number) => number !== null);
      const number = of.receiptNumber ?? of.fiscalId;
      const { id, uniqueSaleNumber, fiscalMemorySerialNumber: memory } = of;
      return [{ paper, id, number, numbers, memory, uniqueSaleNumber }];
    });
  }

  /** Whether a record has a number that stands on a paper: of its printer, as far as anybody knows. */
  hasNumber({ numbers, memory }: SaleRecord, paper: string, number: string): boolean {
    const isItsPrinters = memory === null || memory === (this.#paper(paper).memory ?? MEMORY);
    return isItsPrinters && numbers.includes(number);
  }

  /** Tries whether a storno or void of a record is taken; nothing is left of it. @returns why it is not */
  tryById(record: SaleRecord, by: "storno" | "void"): Promise<string | undefined> {
    return this.#tried(() => this.#byId(record, by, "one"));
  }

  /** Tries whether a reversal of a paper is taken; nothing is left of it. @returns why it is not */
  tryByNumber(paper: string, named: Named): Promise<string | undefined> {
    return this.#tried(() => this.#reversal(paper, named));
  }

  /** The paper that a record names: another one than its own where a person misread it. */
  #namedBy({ paper, number, numbers: known }: SaleRecord): string {
    const own = this.#paper(paper).numbers;
    if (number === null || known.some((one) => own.includes(one))) return paper;
    const named = Object.entries(this.papers).find(([, { numbers }]) => numbers.includes(number));
    return named?.[0] ?? paper;
  }

  /** The papers that a storno of a record would pay back: what is on it, and what its order names. */
  takenBy(record: SaleRecord): readonly string[] {
    return [...new Set([record.paper, this.#namedBy(record)])];
  }

  /** What is accepted is undone inside its own transaction, so that the next one finds what this one found. */
  async #tried(ask: () => Promise<ApiAnswer>): Promise<string | undefined> {
    const { levers } = this.#api;
    levers.insertFault = new ApiError("SERVICE_UNAVAILABLE", "It was only tried");
    const answer = await ask();
    levers.insertFault = undefined;
    if (answer.status === 503) return undefined;
    if (answer.status !== 422) throw new Error(answer.text);
    return answer.as(Refusal).error.message;
  }

  #reversal(of: string, named: Named) {
    const { number, uniqueSaleNumber = "", part = "all" } = named;
    const zReportNumber = named.withoutDay ? undefined : this.#paper(of).zReportNumber;
    return this.#submit(this.#made.ofOther, "print_reversal_receipt", {
      ...{ ...this.#goods(of, part), uniqueSaleNumber, originalReceiptNumber: number },
      ...{
        originalReceiptDateTime: this.#timeOn(of),
        fiscalMemorySerialNumber: this.#memoryOf(of),
      },
      ...(zReportNumber !== undefined && { originalZReportNumber: zReportNumber }),
      reason: part === "cheaper" ? "tax-base-reduction" : "refund",
    });
  }

  #byId({ paper, id }: SaleRecord, by: "storno" | "void", part: Part) {
    if (by === "void") return this.#submit(this.#made.ofTill, "void_receipt", { receiptId: id });
    const body = { reason: "refund", ...this.#goods(paper, part) };
    return this.#till.post(`${RECEIPTS}/${id}/storno`, body);
  }

  #submit(deviceId: string, type: CommandType, payload: unknown): Promise<ApiAnswer> {
    return this.#till.post(COMMANDS, { deviceId, type, payload });
  }

  /** A printer can be reached for a moment. @returns whether a command went out to it */
  async #reach(deviceId: string, commandId: string): Promise<boolean> {
    const { levers, queue } = this.#api;
    levers.connected = true;
    queue.ready(deviceId);
    await this.#atRest();
    levers.connected = false;
    const isOut = levers.sent.some((one) => "command" in one && one.command.id === commandId);
    if (isOut) await this.#mark(deviceId, commandId, "committing");
    return isOut;
  }

  async #mark(deviceId: string, commandId: string, mark: Mark): Promise<void> {
    await this.#report({ type: "command.mark", deviceId, commandId, mark, baseline: {} });
  }

  async #end(deviceId: string, commandId: string, result: CommandResult): Promise<void> {
    await this.#report({ type: "command.result", deviceId, commandId, result });
    await this.#atRest();
  }

  #report(message: Parameters<ApiBench["queue"]["report"]>[1]) {
    const { controllerId } = this.#api.levers;
    const by = { orgId: this.#made.orgId, controllerId, reportsMarks: true };
    return this.#api.queue.report(by, message);
  }

  /** Everything that was begun is on disk. */
  async #atRest(): Promise<void> {
    for (let turn = 0; turn < 4; turn++) await this.#api.writer.run(() => undefined);
  }

  #goods(paper: string, part: Part) {
    const { goods = "bread" } = this.#paper(paper);
    const { quantity, price, ...item } = GOODS[goods];
    const many = part === "one" ? 1 : quantity;
    const each = part === "cheaper" ? 0.5 : price;
    const items = [{ ...item, quantity: many, price: each }];
    return { items, payments: [{ method: "cash", amount: many * each }] };
  }

  /** Of a printer whose memory nobody knows yet, the serial number. */
  #memoryOf(paper: string): string {
    const { memory } = this.#paper(paper);
    if (memory !== undefined || !this.#hidesMemory) return memory ?? MEMORY;
    return this.records().find((record) => record.paper === paper)?.memory ?? SERIAL;
  }

  /** The time that stands on a paper. */
  #timeOn(paper: string): string {
    const { minutesBefore = 10, clockBehindMs = 0 } = this.#paper(paper);
    const at = this.#soldAt.get(paper) ?? this.#opened - minutesBefore * MINUTE_MS;
    return new Date(at - clockBehindMs).toISOString();
  }

  #paper(name: string): Paper {
    const paper = this.papers[name];
    if (paper === undefined) throw new Error(`there is no paper ${name}`);
    return paper;
  }

  #sale(paper: string): string {
    const commandId = this.#sales.get(paper);
    if (commandId === undefined) throw new Error(`${paper} was not sold`);
    return commandId;
  }
}

function isTaken(answer: ApiAnswer): boolean {
  if (answer.status !== 202 && answer.status !== 422) throw new Error(answer.text);
  return answer.status === 202;
}
