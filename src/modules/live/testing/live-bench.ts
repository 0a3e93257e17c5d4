/** A shop whose device is online, for the live routes; the test plays the controller. */

import { Type } from "@sinclair/typebox";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { ApiAnswer, ApiClient } from "../../../http/testing/api-client.ts";
import { COMMANDS, createCommandsBench } from "../../commands/testing/commands-bench.ts";
import type { LiveConnectivity } from "../../devices/records.ts";
import type { BenchOptions } from "../../testing/api-bench.ts";
import { LIVE_ROUTES, type LiveRoute } from "../table.ts";

export const ONLINE: LiveConnectivity = {
  wsConnected: true,
  controllerOnline: true,
  linkUp: true,
  lastSeenAt: null,
};

/** Turns of the writer in which a request becomes a dispatch. */
const TURNS_MAX = 50;

const ShownCommand = Type.Object({
  command: Type.Object({
    type: Type.String(),
    payload: Type.Unknown(),
    source: Type.String(),
    status: Type.String(),
    result: Type.Union([
      Type.Object({ success: Type.Boolean(), errorCode: Type.Optional(Type.String()) }),
      Type.Null(),
    ]),
  }),
});

export type LiveBench = Awaited<ReturnType<typeof createLiveBench>>;

/** Builds the shop. Call `close` at the end. */
export async function createLiveBench(options: BenchOptions = {}) {
  const bench = await createCommandsBench(options);
  const { levers, liveFacts, deviceId, owner } = bench;
  liveFacts.set(deviceId, { connectivity: ONLINE });

  /** The command that a controller is sent next. */
  const dispatched = async (known: number): Promise<string> => {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const message = levers.sent[known];
      if (message?.type === "command.dispatch") return message.command.id;
      await bench.atRest();
    }
    throw new Error("no command was sent to the controller");
  };
  const ask = (row: LiveRoute, client: ApiClient = owner, device = deviceId) =>
    client.call(row.method, pathOf(row, device), row.body ? { body: exampleOf(row) } : {});

  return {
    ...bench,
    ask,

    /** Asks with the route's own example, and leaves the command with the controller. */
    async begin(row: LiveRoute, body: unknown = exampleOf(row)) {
      const known = levers.sent.length;
      const sent = body === undefined ? {} : { body };
      const answer = owner.call(row.method, pathOf(row, deviceId), sent);
      // A refusal is an answer, and nothing to wait for.
      const commandId = await Promise.race([dispatched(known), refused(answer)]);
      // The controller is given it ahead of the commit after which the route waits.
      await bench.atRest();
      return { answer, commandId };
    },

    /** Asks, and has the controller report that end. */
    async answered(row: LiveRoute, result: CommandResult, body?: unknown): Promise<ApiAnswer> {
      const { answer, commandId } = await this.begin(row, body);
      await bench.finish(commandId, result);
      return answer;
    },

    /** Asks the printer of a command for its last receipt, and has the controller report that. */
    async lastReceiptOf(id: string, data: CommandResult["data"] = {}): Promise<ApiAnswer> {
      const known = levers.sent.length;
      const answer = owner.get(`${COMMANDS}/${id}/last-receipt`);
      const commandId = await Promise.race([dispatched(known), refused(answer)]);
      await bench.atRest();
      await bench.finish(commandId, { success: true, data });
      return answer;
    },

    /** The command as the API shows it. */
    async shown(commandId: string) {
      return (await owner.get(`${COMMANDS}/${commandId}`)).as(ShownCommand).command;
    },
  };
}

/** A route by its method and path. */
export function rowOf(name: string): LiveRoute {
  const found = LIVE_ROUTES.find(({ method, path }) => `${method} ${path}` === name);
  if (!found) throw new RangeError(`there is no live route ${name}`);
  return found;
}

/** Where a route is. */
export function pathOf({ path }: LiveRoute, deviceId: string): string {
  return `/api/v1/devices/${deviceId}/${path}`;
}

/** The body that the documentation shows for a route; undefined where it takes none. */
export function exampleOf({ body }: LiveRoute): object | undefined {
  return body?.schema.examples[0];
}

async function refused(answer: Promise<ApiAnswer>): Promise<never> {
  throw new Error(`refused: ${(await answer).text}`);
}

/** What a device answers to each type of command that a live route sends. */
export const RESULTS: Readonly<Partial<Record<CommandType, CommandResult["data"]>>> = {
  get_cash_amount: { cashBalance: 12.5, currency: "RON" },
  get_date_time: { dateTime: "2026-01-15T09:59:58Z" },
  get_header_footer: { header: ["Shop"], footer: [] },
  get_header_footer_capabilities: { maxHeaderLines: 6, maxFooterLines: 2, maxCharsPerLine: 42 },
  get_logo_capabilities: { maxWidth: 384, maxHeight: 96, maxBytes: null },
  get_info: {
    info: {
      serialNumber: "DT000600",
      firmwareVersion: "1.0",
      fiscalMemorySerialNumber: "02000600",
      manufacturer: null,
      model: "FP-700",
    },
  },
  get_last_receipt_info: {
    lastReceipt: {
      receiptNumber: "7",
      receiptDateTime: null,
      receiptAmount: 3.25,
      fiscalMemorySerialNumber: null,
    },
  },
  get_status: {
    paper: "low",
    cover: null,
    fiscalReceiptOpen: false,
    nonFiscalReceiptOpen: false,
    fiscalDayOpen: true,
    dayCloseRequired: false,
    fiscalMemory: "ok",
    clockSet: true,
    hardwareError: false,
    fiscalized: true,
    errors: [{ code: "12", message: "Paper low" }],
    rawHex: "8080",
  },
  get_operator_capabilities: {
    maxOperators: 30,
    maxNameLength: 20,
    maxPasswordLength: 8,
    supportsPassword: true,
    passwordChangeRequiresOldPassword: false,
    canGetOperators: true,
  },
  get_operators: { operators: [{ operatorId: 1, name: "Ana" }] },
  get_vat_capabilities: {
    maxRates: 8,
    groups: ["VAT1", "VAT2"],
    namesProgrammable: false,
    changesLeft: null,
  },
  get_vat_rates: { rates: [{ group: "VAT2", rate: 9.5, enabled: true }] },
  set_datetime: { dateTime: "2026-01-31T10:00:00.000Z" },
  print_duplicate: {},
  non_fiscal_receipt: {},
  set_vat_rates: { changesLeft: 3 },
  set_header_footer: {},
  set_operator: { operatorId: 2 },
  set_logo: { width: 1, height: 1 },
  delete_logo: {},
  void_open_receipt: { receiptNumber: null },
  print_reversal_receipt: {
    receiptNumber: "8",
    fiscalMemorySerialNumber: null,
    zReportNumber: null,
    issuedAt: null,
    totalAmount: 1.5,
    change: 0,
  },
  x_report: reportOf("x_report"),
  z_report: reportOf("z_report"),
};

function reportOf(type: "x_report" | "z_report") {
  return {
    reportNumber: 4,
    type,
    receiptCount: 2,
    reversalCount: null,
    totals: { gross: 30, reversals: 0, cashIn: 5, cashOut: 0, cashBalance: 35 },
    vat: [{ group: "VAT2", rate: 20, turnover: 30, tax: 5 }],
    payments: [{ method: "cash", amount: 30 }],
    openedAt: null,
    closedAt: "2026-01-15T10:00:00.000Z",
    fiscalMemorySerialNumber: "02000600",
  };
}
