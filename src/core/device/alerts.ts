/** Alerts: worked out when somebody looks, from what is known then; never read from what is stored. */

import { FISCAL_DAY_OPEN_MS_MAX } from "../limits.ts";
import { complaintsOf } from "./complaints.ts";
import { type Connectivity, effectiveStatus } from "./connectivity.ts";
import { BUILTIN_CONTROLLER_ID } from "./device.ts";
import type { StatusReading } from "./reading.ts";

export const ALERT_SEVERITIES = ["warning", "error", "info"] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

interface AlertKind {
  readonly severity: AlertSeverity;
  readonly blocks: boolean;
  readonly matter: string;
  readonly cure: string;
}

/**
 * Of each type: its severity; whether it makes the device's status `error`, as all errors do but that it
 * cannot be reached; what is the matter, and what the person has to do about it.
 */
export const ALERT_TYPES = {
  paper_low: {
    severity: "warning",
    blocks: false,
    matter: "The paper is running low",
    cure: "have a new roll ready",
  },
  paper_out: {
    severity: "error",
    blocks: true,
    matter: "The paper has run out",
    cure: "load a new roll; a document under way then goes on, a refused one must be sent again",
  },
  cover_open: {
    severity: "error",
    blocks: true,
    matter: "The cover is open",
    cure: "close it; a document under way then goes on, a refused one must be sent again",
  },
  device_disconnected: {
    severity: "error",
    blocks: false,
    matter: "There is no working line to the device",
    cure: "check that it is switched on, its cable or network, and that its driver is the right one",
  },
  other_printer: {
    severity: "error",
    blocks: true,
    matter:
      "Another printer stands at this one's address, so nothing is printed there, and what was sent waits",
    cure:
      "connect this printer again, or correct its address; a printer that is used beside it is added " +
      "as one of its own; one that takes its place for good an owner accepts",
  },
  device_unassigned: {
    severity: "info",
    blocks: false,
    matter: "No controller serves this device",
    cure: "start the one that is next to it, which announces it",
  },
  fiscal_memory_near_full: {
    severity: "warning",
    blocks: false,
    matter: "The fiscal memory is almost full",
    cure: "have the service company replace it in time",
  },
  fiscal_memory_full: {
    severity: "error",
    blocks: true,
    matter: "The fiscal memory is full",
    cure: "no receipt can be printed until the service replaces it",
  },
  z_report_overdue: {
    severity: "warning",
    blocks: false,
    matter: "The fiscal day must be closed",
    cure: "print the Z report",
  },
  z_report_due: {
    severity: "warning",
    blocks: false,
    matter: "It is past the shop's closing time, and the day has receipts",
    cure: "print the Z report",
  },
  clock_drift: {
    severity: "warning",
    blocks: false,
    matter: "The device's clock is wrong by more than 5 minutes, or shows no time",
    cure: "set it right after a Z report",
  },
  hardware_error: {
    severity: "error",
    blocks: true,
    matter: "The device reports a hardware fault",
    cure: "call the service company",
  },
  outcome_unknown: {
    severity: "error",
    blocks: true,
    matter: "Nobody could tell whether a receipt was printed, or a Z report or cash movement made",
    cure: "look at the paper and settle the command",
  },
  state_restored: {
    severity: "error",
    blocks: true,
    matter:
      "The gateway's state was put back from a copy, or repaired with losses, and this printer's number " +
      "is not the one known there (a receipt, a report, a slip or a cash movement came since), it " +
      "cannot tell, or what tills have sent was lost",
    cure: "compare paper and tills, then accept the state; tills may send receipts again",
  },
  documents_unknown: {
    severity: "warning",
    blocks: false,
    matter: "The printer has printed documents that the gateway does not know",
    cure:
      "if they were printed by hand at the printer, accept the state; if the whole disk was put back " +
      "from an image, compare paper and tills before any till sends again, then accept it",
  },
  disk_full: {
    severity: "error",
    blocks: true,
    matter: "The disk of the gateway is full, so it takes no receipts",
    cure: "make room; it then goes on by itself",
  },
  late_result: {
    severity: "warning",
    blocks: false,
    matter:
      "A receipt was printed, or a Z report or cash movement made, after its command had timed out or " +
      "nobody could tell, or it was or may have been though it was called not printed, or a command was settled otherwise than the printer tells",
    cure: "compare the paper and the till; the alert ends by itself after a day",
  },
} as const satisfies Record<string, AlertKind>;

/** The message of `outcome_unknown` where the printer shows that the receipt is still open. */
const STANDS_OPEN =
  "A receipt that was called not printed stands open on the printer, which can only finish it: " +
  "look at the paper and settle the command. Called printed, it is finished and counts; called not " +
  "printed again, the next receipt is refused and this is asked again. What the till has sent in its place " +
  "waits, and prints then: take it back first";

/** The message of `outcome_unknown` where the printer has told what a person said otherwise. */
const TOLD_PRINTED =
  "The printer says that it has printed a receipt that was called not printed: look at the paper and " +
  "settle the command. What the till has sent in its place waits, and prints as soon as that is done: " +
  "take it back first";

/** The message of `late_result` where a receipt was called printed, and was not. */
const NOT_PRINTED =
  "The printer says that it has not printed a receipt that was called printed, and that stands in the " +
  "books as sold: look for its paper. If there is none, ring the sale up at the printer by hand, not at " +
  "the till, which would print and book it once more; the alert ends by itself after a day";

export type AlertType = keyof typeof ALERT_TYPES;

/** True for a type that this version has. */
export function isAlertType(type: string): type is AlertType {
  return Object.hasOwn(ALERT_TYPES, type);
}

export interface Alert {
  readonly type: AlertType;
  readonly severity: AlertSeverity;
  readonly message: string;
  /** UTC milliseconds. */
  readonly detectedAt: number;
  /** The command that it speaks of; absent where it speaks of the device itself. */
  readonly commandId?: string;
  /** Of `late_result` and of `outcome_unknown` that is asked again: the number that the device told. */
  readonly fiscalId?: string;
  /** Of `outcome_unknown`: a person called the receipt not printed, and it stands open all the same. */
  readonly standsOpen?: true;
  /** Of `late_result`: the device says so of a receipt that a person called printed. */
  readonly outcome?: "not_printed";
  /** Of `documents_unknown`: how many at most, as far as the printer's numbers show. */
  readonly documents?: number;
  /** Of `documents_unknown`: when the last document was issued that is known. UTC milliseconds. */
  readonly since?: number;
}

/** A result that came after its command had timed out, or against what a person had said of it. */
export interface LateResult {
  readonly commandId: string;
  /** The number that the device told. */
  readonly fiscalId?: string;
  /** The device says so of a receipt that a person called printed. */
  readonly outcome?: "not_printed";
  /** UTC milliseconds. */
  readonly at: number;
}

/** A device clock may differ from the appliance's by this much. */
const CLOCK_DRIFT_MAX_MS = 5 * 60_000;
/** A late result is shown for this long. */
export const LATE_RESULT_SHOWN_MS = 24 * 3_600_000;

/** A document of which a person must say what became. */
export interface OpenOutcome {
  readonly commandId: string;
  /** UTC milliseconds. */
  readonly raisedAt: number;
  /** It stands open on the device, though a person called it not printed. */
  readonly standsOpen?: boolean;
  /** The number under which the device says that it printed it, though a person said otherwise. */
  readonly fiscalId?: string | undefined;
}

/** Documents of a printer that the gateway does not know. Instants are UTC milliseconds. */
export interface UnknownDocuments {
  /** At most so many; null where no number tells. */
  readonly documents: number | null;
  /** When the last one was issued that is known; null where none is. */
  readonly since: number | null;
  /** When the printer told. */
  readonly raisedAt: number;
}

/** Everything an alert may come from. Instants are UTC milliseconds. */
export interface DeviceFacts {
  readonly now: number;
  /** Null while no controller owns the device. */
  readonly controllerId: string | null;
  /** When the device was registered. */
  readonly createdAt: number;
  /** When it was last taken from a controller by a release; null when it never was. */
  readonly releasedAt: number | null;
  readonly connectivity: Connectivity;
  readonly reading: StatusReading | undefined;
  /** The commands whose outcome nobody has settled. */
  readonly outcomeHolds: readonly OpenOutcome[];
  /** Since when the gateway's disk is full and nothing is taken for any device; null while it is not. */
  readonly diskFullSince: number | null;
  /** When a state was put back that the printer is ahead of; null when it is not. */
  readonly restoredAt: number | null;
  /** What the printer has told that is not known here; null when there is nothing. */
  readonly unknownDocuments: UnknownDocuments | null;
  /** The shop's closing time at which the day was to be closed; null when it is, or there is none. */
  readonly closingDueAt: number | null;
  /** Results that came too late, as far as anybody remembers. */
  readonly lateResults: readonly LateResult[];
}

/** The alerts of a device, in the order of the table above. */
export function deviceAlerts(facts: DeviceFacts): Alert[] {
  const found = [...linkAlerts(facts), ...statusAlerts(facts), ...outcomeAlerts(facts)];
  const reason = downReason(facts);
  return inOrder(
    found.map(([type, detectedAt, about = {}]) => ({
      type,
      severity: ALERT_TYPES[type].severity,
      message: messageOf(type, about, reason),
      detectedAt,
      ...about,
    })),
  );
}

/** In the order of the table above. */
export function inOrder(alerts: Alert[]): Alert[] {
  const order = Object.keys(ALERT_TYPES);
  return alerts.sort((left, right) => order.indexOf(left.type) - order.indexOf(right.type));
}

/** Why a line is down. Whose printer it is decides where a person looks first. */
function downReason({ controllerId, connectivity }: DeviceFacts): string | null {
  const { controllerOnline, otherPrinter, reason = null } = connectivity;
  if (otherPrinter !== undefined) return reason;
  if (controllerOnline || controllerId === null || controllerId === BUILTIN_CONTROLLER_ID) {
    return reason;
  }
  return `The controller ${controllerId} is not connected`;
}

function messageOf(type: AlertType, about: About, reason: string | null): string {
  const { matter, cure } = ALERT_TYPES[type];
  const isTold = type === "outcome_unknown" && about.fiscalId !== undefined;
  const message = isTold ? TOLD_PRINTED : `${matter}: ${cure}`;
  if ((type === "device_disconnected" || type === "other_printer") && reason)
    return `${message}. ${reason}`;
  if (about.standsOpen) return STANDS_OPEN;
  if (about.outcome === "not_printed") return NOT_PRINTED;
  const { documents, since, fiscalId } = about;
  if (documents !== undefined && since !== undefined) {
    const count = documents === 1 ? "one document" : `up to ${documents} documents`;
    const when = new Date(since).toISOString();
    return `The printer has printed ${count} after ${when} that the gateway does not know: ${cure}`;
  }
  return fiscalId === undefined ? message : `${message}. The printer says number ${fiscalId}`;
}

/** True when an alert blocks the device other than by being out of reach. */
export function hasBlockingAlert(alerts: readonly Alert[]): boolean {
  return alerts.some(({ type }) => ALERT_TYPES[type].blocks);
}

/** What an alert names besides its device. */
type About = Pick<
  Alert,
  "commandId" | "fiscalId" | "standsOpen" | "outcome" | "documents" | "since"
>;
type Found = readonly [type: AlertType, detectedAt: number, about?: About];

function linkAlerts(facts: DeviceFacts): Found[] {
  const { controllerId, connectivity, createdAt, releasedAt } = facts;
  const since = connectivity.downSince ?? connectivity.lastSeenAt ?? createdAt;
  if (controllerId === null) return [["device_unassigned", releasedAt ?? since]];
  if (effectiveStatus(connectivity) === "online") return [];
  const isOther = connectivity.otherPrinter !== undefined;
  return [[isOther ? "other_printer" : "device_disconnected", since]];
}

/** What the device said of itself, as long as it can still be asked. */
function statusAlerts({ connectivity, reading, now, closingDueAt }: DeviceFacts): Found[] {
  if (reading === undefined || effectiveStatus(connectivity) === "offline") return [];
  const { status, toldAt, clockDriftMs, fiscalDayOpenSince } = reading;
  const complaints: ReadonlySet<AlertType> = new Set(complaintsOf(status));
  const found = [...complaints].map((type): Found => [type, toldAt]);
  const isOpenTooLong =
    fiscalDayOpenSince !== null && now - fiscalDayOpenSince >= FISCAL_DAY_OPEN_MS_MAX;
  if (!complaints.has("z_report_overdue")) {
    if (isOpenTooLong) {
      found.push(["z_report_overdue", fiscalDayOpenSince + FISCAL_DAY_OPEN_MS_MAX]);
    } else if (closingDueAt !== null) found.push(["z_report_due", closingDueAt]);
  }
  const isClockOff = clockDriftMs !== null && Math.abs(clockDriftMs) > CLOCK_DRIFT_MAX_MS;
  if (isClockOff && !complaints.has("clock_drift")) found.push(["clock_drift", toldAt]);
  return found;
}

function outcomeAlerts(facts: DeviceFacts): Found[] {
  const { outcomeHolds, restoredAt, unknownDocuments, diskFullSince, lateResults, now } = facts;
  const found = outcomeHolds.map(({ raisedAt, commandId, standsOpen, fiscalId }): Found => {
    const number = fiscalId === undefined ? {} : { fiscalId };
    const open = standsOpen === true ? { standsOpen } : {};
    return ["outcome_unknown", raisedAt, { commandId, ...open, ...number }];
  });
  if (restoredAt !== null) found.push(["state_restored", restoredAt]);
  if (unknownDocuments !== null) {
    const { raisedAt, documents, since } = unknownDocuments;
    const count = documents === null ? {} : { documents };
    const time = since === null ? {} : { since };
    found.push(["documents_unknown", raisedAt, { ...count, ...time }]);
  }
  if (diskFullSince !== null) found.push(["disk_full", diskFullSince]);
  for (const { at, ...about } of lateResults) {
    if (now - at < LATE_RESULT_SHOWN_MS) found.push(["late_result", at, about]);
  }
  return found;
}
