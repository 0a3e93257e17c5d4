/** Which requests print or change something, and which only read, as the box itself does all day. */

import type { Command } from "./command-state.ts";

type Type = Command["type"];

/** True for what prints or changes something. One that is missing here does not compile. */
const CHANGES: Readonly<Record<Type, boolean>> = {
  print_receipt: true,
  void_receipt: true,
  print_reversal_receipt: true,
  void_open_receipt: true,
  print_duplicate: true,
  non_fiscal_receipt: true,
  x_report: true,
  z_report: true,
  cash_in: true,
  cash_out: true,
  open_drawer: true,
  set_datetime: true,
  set_logo: true,
  delete_logo: true,
  set_vat_rates: true,
  set_header_footer: true,
  set_operator: true,
  // Whatever a service command does, it may be that.
  raw_command: true,
  get_cash_amount: false,
  get_operators: false,
  get_status: false,
  get_info: false,
  get_last_receipt_info: false,
  get_date_time: false,
  get_vat_rates: false,
  get_vat_capabilities: false,
  get_header_footer_capabilities: false,
  get_header_footer: false,
  get_operator_capabilities: false,
  get_logo_capabilities: false,
};

/** The types of what prints or changes something. */
export const CHANGING_TYPES: Type[] = (Object.keys(CHANGES) as Type[]).filter(
  (type) => CHANGES[type],
);
