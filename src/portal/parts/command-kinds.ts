/** Which requests leave a paper, which change something, and which only read, as the box itself does all day. */

import type { components } from "../../client/index.ts";

type Type = components["schemas"]["Command"]["type"];
type Kind = "paper" | "change" | "reading";

/** One that is missing here does not compile. */
const KINDS: Readonly<Record<Type, Kind>> = {
  print_receipt: "paper",
  void_receipt: "paper",
  print_reversal_receipt: "paper",
  void_open_receipt: "change",
  print_duplicate: "paper",
  non_fiscal_receipt: "paper",
  x_report: "paper",
  z_report: "paper",
  cash_in: "paper",
  cash_out: "paper",
  open_drawer: "change",
  set_datetime: "change",
  set_logo: "change",
  delete_logo: "change",
  set_vat_rates: "change",
  set_header_footer: "change",
  set_operator: "change",
  // Whatever a service command does, it may be that.
  raw_command: "change",
  get_cash_amount: "reading",
  get_operators: "reading",
  get_status: "reading",
  get_info: "reading",
  get_last_receipt_info: "reading",
  get_date_time: "reading",
  get_vat_rates: "reading",
  get_vat_capabilities: "reading",
  get_header_footer_capabilities: "reading",
  get_header_footer: "reading",
  get_operator_capabilities: "reading",
  get_logo_capabilities: "reading",
};

/** The types of what prints or changes something. */
export const CHANGING_TYPES: Type[] = (Object.keys(KINDS) as Type[]).filter(
  (type) => KINDS[type] !== "reading",
);

/** True for what somebody has in the hand once it is done. */
export function isPaper(type: Type): boolean {
  return KINDS[type] === "paper";
}

const NUMBERED: readonly Type[] = ["print_receipt", "print_reversal_receipt", "void_receipt"];

/** True for what has a number of its own, which the stored receipt needs. */
export function isNumbered(type: Type): boolean {
  return NUMBERED.includes(type);
}
