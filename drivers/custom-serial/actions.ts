/** Table of the things a device can be told or asked, by name; profiles say how. */

import type { ValueKind } from "./template.ts";

export interface ActionRule {
  /** What a template of the action may use. */
  readonly variables: Readonly<Record<string, ValueKind>>;
  /** Fields that an answer pattern must have, and those that it may have. */
  readonly answer?: { readonly must: readonly string[]; readonly may?: readonly string[] };
  /**
   * - `reads`: changes nothing, and may be asked again under a new counter;
   * - `repeatable`: what a second execution would do is found out before it counts, so the same
   *   frame may be sent once more after silence;
   * - `once`: the same frame is sent again only after NACK. A device that lost its power has
   *   forgotten the counter, and would do it twice.
   */
  readonly effect: "reads" | "repeatable" | "once";
}

const LINE = { department: "integer", text: "text", vat: "text" } as const;
const GROUP = { ...LINE, amount: "minor" } as const;
const ORIGINAL = { zNumber: "integer", number: "integer", date: "time", serial: "text" } as const;
const TEXT = { text: "text" } as const;
const CASH = { amount: "minor" } as const;
const NOTHING = {} as const;

const ACTIONS = {
  /** Which documents stand open; harmless, and so what the counter is brought in step with. */
  openDocuments: {
    variables: NOTHING,
    answer: { must: ["fiscal", "nonFiscal"], may: ["invoice"] },
    effect: "reads",
  },
  /** How far the document at hand is: see `steps` of the profile. */
  step: { variables: NOTHING, answer: { must: ["step"] }, effect: "reads" },
  /** Sensors, one digit each: see `flags` of the profile. */
  sensors: { variables: NOTHING, answer: { must: ["flags"] }, effect: "reads" },
  /** The state of the electronics, in the same way. */
  hardware: { variables: NOTHING, answer: { must: ["flags"] }, effect: "reads" },
  /** Sums of the document at hand and the number of the last fiscal one. Amounts are cents. */
  account: {
    variables: NOTHING,
    answer: { must: ["subtotal", "rest", "restSign", "number"], may: ["subtotalSign", "type"] },
    effect: "reads",
  },
  lastReceipt: {
    variables: NOTHING,
    answer: { must: ["number", "total", "type", "state"], may: ["date", "time"] },
    effect: "reads",
  },
  lastReceiptTime: { variables: NOTHING, answer: { must: ["date", "time"] }, effect: "reads" },
  lastZReport: { variables: NOTHING, answer: { must: ["number"] }, effect: "reads" },
  cash: { variables: NOTHING, answer: { must: ["amount"], may: ["sign"] }, effect: "reads" },
  clock: { variables: NOTHING, answer: { must: ["date", "time"] }, effect: "reads" },
  model: { variables: NOTHING, answer: { must: ["model"] }, effect: "reads" },
  serialNumber: { variables: NOTHING, answer: { must: ["serial"] }, effect: "reads" },
  fiscalState: { variables: NOTHING, answer: { must: ["state"] }, effect: "reads" },
  lastError: { variables: NOTHING, answer: { must: ["number"] }, effect: "reads" },
  vatRate: {
    variables: { vat: "text" },
    answer: { must: ["rate"], may: ["exempt", "programmed", "text"] },
    effect: "reads",
  },
  headerLine: {
    variables: { line: "integer" },
    answer: { must: ["text"], may: ["type"] },
    effect: "reads",
  },

  sale: {
    variables: { ...LINE, quantity: "milli", price: "minor", total: "minor" },
    effect: "repeatable",
  },
  /** On the whole receipt; where a device lacks it, the amount is spread over its VAT groups. */
  receiptDiscount: { variables: CASH, effect: "repeatable" },
  receiptSurcharge: { variables: CASH, effect: "repeatable" },
  /** On the subtotal of one VAT group. */
  groupDiscount: { variables: GROUP, effect: "repeatable" },
  groupSurcharge: { variables: GROUP, effect: "repeatable" },
  text: { variables: TEXT, effect: "repeatable" },
  subtotal: { variables: NOTHING, effect: "repeatable" },
  payment: {
    variables: { tender: "text", text: "text", amount: "minor" },
    answer: { must: [], may: ["sign", "rest"] },
    effect: "once",
  },
  close: { variables: NOTHING, effect: "once" },
  eject: { variables: NOTHING, effect: "repeatable" },
  cancel: { variables: { department: "integer", text: "text" }, effect: "once" },
  stornoCheck: { variables: ORIGINAL, answer: { must: ["flag"] }, effect: "repeatable" },
  stornoOpen: { variables: ORIGINAL, answer: { must: ["flag"] }, effect: "once" },
  stornoReset: { variables: NOTHING, effect: "repeatable" },

  slipOpen: { variables: NOTHING, effect: "once" },
  /** For devices that refuse the other one as too short. */
  slipOpenLong: { variables: NOTHING, effect: "once" },
  slipLine: { variables: TEXT, effect: "repeatable" },
  slipHeading: { variables: TEXT, effect: "repeatable" },
  slipClose: { variables: NOTHING, effect: "repeatable" },
  xReport: { variables: NOTHING, effect: "once" },
  zReport: { variables: NOTHING, effect: "once" },
  cashIn: { variables: CASH, effect: "once" },
  cashOut: { variables: CASH, effect: "once" },
  drawer: { variables: NOTHING, effect: "repeatable" },
  duplicate: { variables: NOTHING, effect: "once" },
  setClock: {
    variables: { clock: "time" },
    answer: { must: [], may: ["flag"] },
    effect: "repeatable",
  },
  setHeaderLine: { variables: { ...TEXT, line: "integer" }, effect: "repeatable" },
  storeHeader: { variables: NOTHING, effect: "once" },
  setVatRate: {
    variables: { ...TEXT, vat: "text", rate: "integer", exempt: "integer" },
    effect: "once",
  },
  logoBegin: { variables: { size: "integer" }, effect: "once" },
  logoPart: { variables: { count: "integer", text: "text" }, effect: "once" },
  logoEnd: { variables: NOTHING, effect: "once" },
} as const satisfies Readonly<Record<string, ActionRule>>;

export type ActionName = keyof typeof ACTIONS;

/** True when the text names an action. */
export function isActionName(text: string): text is ActionName {
  return Object.hasOwn(ACTIONS, text);
}

export const ACTION_NAMES = Object.keys(ACTIONS).filter(isActionName);

/** The rule of an action. */
export function ruleOf(name: ActionName): ActionRule {
  return ACTIONS[name];
}
