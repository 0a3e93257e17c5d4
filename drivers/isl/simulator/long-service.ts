/**
 * Service and programming commands of the X devices.
 * Source: Datecs FP-700X protocol manual 2.02.
 */

import { formatMinor } from "#core/money.ts";
import { noAmounts } from "../../simulator/books/books.ts";
import {
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printReport,
  setClock,
  setOperator,
  setVat,
} from "../../simulator/books/service-rules.ts";
import { bitmapRows } from "../../simulator/paper/dots.ts";
import { parseDashedClock } from "./clock-text.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import { type Fields, tabbedFields } from "./fields.ts";
import { money, ok } from "./long-answer.ts";

const LOGO_BYTES_MAX = 65_536;
/** How a rate that is switched off is written: in Bulgaria 100.00, in Romania 100.02. */
const OFF_RATES = [10_000, 10_002];
const PROGRAMMABLE_RATES_ROMANIA = 5;

/** 38: no data, or one empty field. */
export function openServiceLong(command: DeviceCommand): string {
  if (command.text !== "" && command.text !== "\t") throw refused("syntax");
  command.carryOut(openServiceText(command.memory.context()));
  return ok(command.books.documentNumber);
}

/** 39. */
export function closeServiceLong(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(closeServiceText(command.memory.context()));
  return ok(command.books.documentNumber);
}

/** 69: `X`, `Z`, or `D` and `G`, which print registers by department and group. */
export function reportLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 1, most: 1 });
  const closes = fields.choice(0, { X: false, D: false, G: false, Z: true });
  const context = command.memory.context();
  command.carryOut(closes ? closeDay(context) : printReport(context, "x_report"));
  const { day, zNumber, zRecords } = command.books;
  const totals = closes ? zRecords[zNumber - 1] : day;
  return ok(
    closes ? zNumber : zNumber + 1,
    ...money(totals?.sales ?? noAmounts()),
    ...money(totals?.stornos ?? noAmounts()),
  );
}

/** 70: `0` in or `1` out, and the amount; zero only asks. */
export function cashLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 2, most: 2 });
  const sign = fields.choice(0, { "0": 1, "1": -1 });
  const amount = fields.text(1) === "" ? 0 : fields.money(1);
  if (amount < 0) fields.fail(1);
  if (amount > 0) command.carryOut(moveCash(command.memory.context(), sign * amount));
  const { cashMinor, day } = command.books;
  return ok(formatMinor(cashMinor), formatMinor(day.cashInMinor), formatMinor(day.cashOutMinor));
}

/** 106: `[ms]`. */
export function drawerLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 0, most: 1 });
  if (fields.text(0) !== "") fields.integer(0, command.model.drawerMs);
  return ok();
}

/** 61: `DD-MM-YY hh:mm:ss[ DST]`. */
export function setClockLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 1, most: 1 });
  const moment = parseDashedClock(fields.text(0)) ?? fields.fail(0);
  command.carryOut(setClock(command.memory.context(), moment.at, moment.summerTime));
  return ok();
}

/** 109. */
export function duplicateLong(command: DeviceCommand): string {
  command.expectNoData();
  command.carryOut(printDuplicate(command.memory.context()));
  return ok();
}

/** 71: a test page. */
export function diagnosticLong(command: DeviceCommand): string {
  tabbedFields(command, { least: 0, most: 1 });
  command.carryOut(printReport(command.memory.context(), "diagnostic"));
  return ok();
}

/** How many of the groups have a rate that can be set. */
export function programmableRates({ model, books }: DeviceCommand): number {
  return model.country === "ro" ? PROGRAMMABLE_RATES_ROMANIA : books.vat.length;
}

/** 83: `A ... H Dec`; in Romania five rates and no decimals. */
export function setVatLong(command: DeviceCommand): string {
  const isRomania = command.model.country === "ro";
  const rates = programmableRates(command);
  const count = isRomania ? rates : rates + 1;
  const fields = tabbedFields(command, { least: count, most: count });
  if (!isRomania) fields.integer(rates, { least: 0, most: 2 });
  const vat = command.books.vat.map((group, index) =>
    index < rates ? rateOf(fields, index) : group,
  );
  command.carryOut(setVat(command.memory.context(), vat));
  return ok(command.books.vatChangesLeft);
}

function rateOf(fields: Fields, index: number) {
  const rate = fields.money(index);
  if (OFF_RATES.includes(rate)) return { rateBasisPoints: 0, enabled: false };
  return rate >= 0 && rate < 10_000 ? { rateBasisPoints: rate, enabled: true } : fields.fail(index);
}

/** 101: `Op Old New`. */
export function setPasswordLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 3, most: 3 });
  const password = fields.text(2);
  if (!/^\d{1,8}$/.test(password)) fields.fail(2);
  command.carryOut(
    setOperator(command.memory.context(), {
      operator: fields.integer(0, { least: 1, most: command.books.operators.length }),
      password: fields.text(1),
      change: { password },
    }),
  );
  return ok();
}

/** 202: `START`, base64 in pieces, `STOP` (newer firmware: `STOPP`), `RESTART`. */
export function logoLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 1, most: 1 });
  const { volatile } = command;
  switch (fields.text(0)) {
    case "START":
      volatile.logo = [];
      return ok();
    case "RESTART":
      volatile.logo = undefined;
      return ok();
    case "STOP":
    case "STOPP":
      return keepLogo(command);
    default:
      return takeLogoPart(command, fields.text(0));
  }
}

function takeLogoPart({ volatile }: DeviceCommand, text: string): string {
  if (!volatile.logo) throw refused("no_image");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw refused("parameter", 1);
  volatile.logo.push(Buffer.from(text, "base64"));
  const held = volatile.logo.reduce((sum, part) => sum + part.length, 0);
  if (held <= LOGO_BYTES_MAX) return ok();
  volatile.logo = undefined;
  throw refused("overflow");
}

function keepLogo(command: DeviceCommand): string {
  const { logo } = command.volatile;
  if (!logo || logo.length === 0) throw refused("no_image");
  command.volatile.logo = undefined;
  let sum = 0;
  for (const part of logo) for (const byte of part) sum = (sum + byte) & 0xffff;
  const value = String(sum);
  command.memory.commit({ entry: "setting", name: "LogoChecksum", value });
  // What is no image the device can print leaves the paper without one.
  command.memory.commit({ entry: "logo_set", rows: bitmapRows(Buffer.concat(logo)) ?? [] });
  // The manual's example ends without the TAB that follows every other field.
  return `0\t${value}`;
}
