/**
 * The commands of the protocol that this driver uses.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import type { CommandLimit } from "../shared/command-timer.ts";

export interface DeviceCommand {
  readonly command: number;
  /** True when it only reads: it may then be asked again after silence. */
  readonly reads?: true;
  /** True when it wants an open fiscal receipt, which tells what "not allowed now" means. */
  readonly needsReceipt?: true;
  readonly limit?: CommandLimit;
}

export const DEVICE_COMMANDS = {
  status: { command: 0x20, reads: true },
  version: { command: 0x21, reads: true },
  serialNumbers: { command: 0x60, reads: true },
  vatRates: { command: 0x62, reads: true },
  sensors: { command: 0x66, reads: true },
  tenders: { command: 0x64, reads: true },
  clock: { command: 0x68, reads: true },
  line: { command: 0x69, reads: true },
  operator: { command: 0x6a, reads: true },
  vatSums: { command: 0x6d, reads: true },
  registers: { command: 0x6e, reads: true },
  lastNumber: { command: 0x71, reads: true },
  receipt: { command: 0x72, reads: true },
  openDrawer: { command: 0x2a },
  openSlip: { command: 0x2e },
  closeSlip: { command: 0x2f },
  openReceipt: { command: 0x30 },
  sale: { command: 0x31, needsReceipt: true },
  subtotal: { command: 0x33, needsReceipt: true },
  payment: { command: 0x35, needsReceipt: true },
  text: { command: 0x37 },
  closeReceipt: { command: 0x38, needsReceipt: true },
  cancelReceipt: { command: 0x39, needsReceipt: true },
  duplicate: { command: 0x3a, limit: "long" },
  moveCash: { command: 0x3b },
  setClock: { command: 0x48 },
  setLine: { command: 0x49 },
  setOperator: { command: 0x4a },
  xReport: { command: 0x7c, limit: "long" },
  zReport: { command: 0x7c, limit: "zReport" },
} as const satisfies Record<string, DeviceCommand>;

export type DeviceCommandName = keyof typeof DEVICE_COMMANDS;
