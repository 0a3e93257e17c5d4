/** The pages of docs/printers: whose devices each is about, and the tables in it. */

import { CATALOGUE, COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import type { SerialSettings } from "#core/device/serial-address.ts";
import type { DriverId } from "#core/driver-id.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { findDriver } from "#drivers/registry.ts";
import { ContractBench } from "#drivers/testing/contract-bench.ts";
import { SALE, samplePayload, storedCoffee } from "#drivers/testing/contract-payloads.ts";
import { EVERY_MODEL, type ModelUnderTest } from "#drivers/testing/every-model.ts";
import { factsOf } from "./facts.ts";

export interface PrinterPage {
  /** Name of the file without its ending: the maker's. */
  readonly name: string;
  readonly driver: DriverId;
  /** Simulated models by what the columns call them. */
  readonly columns: readonly (readonly [model: string, heading: string])[];
}

export const PRINTER_PAGES: readonly PrinterPage[] = [
  {
    name: "datecs",
    driver: "vendorA.isl",
    columns: [
      ["x", "X"],
      ["p", "P"],
      ["c", "C"],
      ["c-fw3", "C, DP-150 fw 3"],
      ["ro-x", "RO"],
      ["ro-legacy", "RO, DP-25 of 2016"],
    ],
  },
  { name: "daisy", driver: "vendorB.isl", columns: [["dy", "Daisy"]] },
  { name: "eltrade", driver: "vendorC.isl", columns: [["ed", "Eltrade"]] },
  { name: "incotex", driver: "vendorD.isl", columns: [["in", "Incotex"]] },
  {
    name: "tremol",
    driver: "vendorE.zfp",
    columns: [
      ["v1", "V1"],
      ["v2", "KL V2"],
    ],
  },
  {
    name: "shtrih-m",
    driver: "vendorF.shtrih",
    columns: [
      ["fr-k", "FR-K"],
      ["light", "Light"],
      ["mobile", "Mobile"],
    ],
  },
  {
    name: "custom",
    driver: "custom.serial",
    columns: [
      ["gen3", "`custom-rt-gen3`"],
      ["gen2", "`custom-rt-gen2`"],
      ["xonxoff", "`custom-xonxoff`"],
    ],
  },
];

/** A table, found in its page by its first line. */
export type Table = readonly string[];

/** All tables of a page. The drivers are run on simulated devices to see what each can do. */
export async function tablesOf(page: PrinterPage): Promise<readonly Table[]> {
  const can = await Promise.all(page.columns.map(([model]) => abilitiesOf(modelOf(page, model))));
  return [connectionTable(page), commandTable(page, can), tenderTable(page), limitTable(page)];
}

/** The text with each of the tables in the place of the one that begins like it. */
export function withTables(text: string, tables: readonly Table[]): string {
  return tables.reduce((page, table) => {
    const [heading = ""] = table;
    const start = page.indexOf(`\n${heading}\n`);
    if (start < 0) throw new Error(`the page has no table that begins: ${heading}`);
    const before = page.slice(0, start + 1);
    const after = page.slice(start + 1).replace(/^(?:\|.*\n)+/, "");
    return `${before}${table.join("\n")}\n${after}`;
  }, text);
}

function modelOf({ driver }: PrinterPage, model: string): ModelUnderTest {
  const kind = EVERY_MODEL.find((one) => one.driver === driver && one.model === model);
  if (kind === undefined) throw new RangeError(`${driver} has no simulated model ${model}`);
  return kind;
}

function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): Table {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
  return [line(headings), `|${"---|".repeat(headings.length)}`, ...rows.map(line)];
}

function connectionTable({ driver }: PrinterPage): Table {
  const found = driverOf(driver);
  const tried = found.detection?.tcpPorts ?? [];
  const ports = `${tried.length === 1 ? "port" : "ports"} ${listed(tried.map(String))}`;
  const speeds = speedsText(found.serialSettings?.(undefined) ?? []);
  return tableOf(
    ["Connection", "What the driver does"],
    [
      ["`driver`", `\`${driver}\``],
      ["Serial port, USB", `tries ${speeds}; \`?baud=\` names one`],
      ["Network", `\`fiscald detect --host\` tries ${ports}; any other can be given`],
      ["Bluetooth", "by address, as a serial port (SPP), where the machine has an adapter"],
    ],
  );
}

/** Speeds by their framing: `115,200 and 9,600 baud 8N1`. */
function speedsText(settings: readonly SerialSettings[]): string {
  const byFraming = new Map<string, string[]>();
  for (const { baudRate = 0, dataBits = 8, parity = "none", stopBits = 1 } of settings) {
    const framing = `${dataBits}${parity.charAt(0).toUpperCase()}${stopBits}`;
    const speed = String(baudRate).replace(/(?=\d{3}$)/, ",");
    byFraming.set(framing, [...(byFraming.get(framing) ?? []), speed]);
  }
  return [...byFraming]
    .map(([framing, speeds]) => `${listed(speeds)} baud ${framing}`)
    .join(", then ");
}

function listed(words: readonly string[]): string {
  return words.join(", ").replace(/, (?=[^ ]+$)/, " and ");
}

function driverOf(id: DriverId) {
  const driver = findDriver(id);
  if (driver === undefined) throw new RangeError(`no driver ${id}`);
  return driver;
}

/** What a model can do: command types, and adjustments of a receipt's sum. */
interface Abilities {
  readonly types: ReadonlySet<CommandType>;
  readonly takesModifiers: boolean;
}

/** A sale that a storno may name. */
const SOLD = {
  fiscalId: "1",
  issuedAt: "2026-01-15T10:00:00Z",
  fiscalMemorySerialNumber: "12345678",
  zReportNumber: "1",
};

/** Asks a device for everything, and notes what is E201. */
async function abilitiesOf(kind: ModelUnderTest): Promise<Abilities> {
  const types = new Set<CommandType>();
  let takesModifiers = false;
  await ContractBench.on(kind, "tcp", async (bench) => {
    const isAble = async (type: CommandType, payload: unknown) => {
      const { ended } = await bench.attempt(type, payload, { original: storedCoffee(SOLD) });
      if (ended.how === "doubtful") await bench.reconnect();
      return ended.how !== "refused" || ended.error.code !== "E201";
    };
    const { driver, simulated } = kind;
    for (const type of COMMAND_TYPES) {
      const payload = samplePayload(type, { driver, books: simulated.books, sold: undefined });
      if (await isAble(type, payload)) types.add(type);
    }
    const [, ...others] = SALE.payments;
    takesModifiers = await isAble("print_receipt", {
      ...SALE,
      subtotalModifiers: [{ type: "discount-amount", value: 1 }],
      payments: [{ method: "card", amount: 3 }, ...others],
    });
  });
  return { types, takesModifiers };
}

/** What at least one of the models lacks; a table of what all have would hide it. */
function commandTable({ columns }: PrinterPage, can: readonly Abilities[]): Table {
  const yesNo = (isAble: boolean) => (isAble ? "yes" : "no");
  const rows = COMMAND_TYPES.map((type) => [
    `\`${type}\`: ${lowered(CATALOGUE[type].summary)}`,
    ...can.map(({ types }) => yesNo(types.has(type))),
  ]);
  const modifiers = [
    "`subtotalModifiers`: a discount or surcharge on the whole receipt",
    ...can.map(({ takesModifiers }) => yesNo(takesModifiers)),
  ];
  return tableOf(
    ["Can it", ...columns.map(([, heading]) => heading)],
    [
      ...[...rows, modifiers].filter((cells) => cells.includes("no")),
      ["every other command of the API", ...can.map(() => "yes")],
    ],
  );
}

/** The first words of a summary, up to a colon, to go on a sentence with. */
function lowered(summary: string): string {
  const [sentence = ""] = summary.split(":");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function tenderTable({ columns }: PrinterPage): Table {
  const tenders = columns.map(([model]) => factsOf(model).tenders);
  const rows = PAYMENT_METHODS.filter((method) =>
    tenders.some((known) => known[method] !== undefined),
  ).map((method) => [
    `\`${method}\``,
    ...tenders.map((known) => (known[method] === undefined ? "" : `\`${known[method]}\``)),
  ]);
  return tableOf(["Tender", ...columns.map(([, heading]) => heading)], rows);
}

function limitTable({ columns }: PrinterPage): Table {
  const limits = columns.map(([model]) => factsOf(model).limits);
  const labels = new Set(limits.flatMap((known) => Object.keys(known)));
  const rows = [...labels].map((label) => [label, ...limits.map((known) => known[label] ?? "")]);
  return tableOf(["Limit", ...columns.map(([, heading]) => heading)], rows);
}
