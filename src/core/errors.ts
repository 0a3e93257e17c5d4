/**
 * The two families of errors a client can meet, each code listed once.
 *
 * `ApiError` refuses an HTTP request; `FiscalError` is the reason a command failed on its way to
 * the device. Anything else that is thrown is a defect: it is logged and shown as INTERNAL_ERROR
 * (HTTP) or E901 (command) at one boundary each.
 */

import { toDeviceText } from "./device-text.ts";

/** HTTP status of each API error code. */
export const API_ERROR_STATUS = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  TIER_LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  UNPROCESSABLE_ENTITY: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

/** One fault of a validated value; `path` is dotted from the body's root. */
export interface ValidationIssue {
  readonly path: string;
  readonly message: string;
}

/** The documented error body. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ApiErrorCode;
    readonly message: string;
    readonly details?: unknown;
  };
}

/** Refuses an HTTP request with a documented code. The message is for people, never parsed. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly details: unknown;

  constructor(code: ApiErrorCode, message: string, details?: unknown) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** HTTP status of this code. */
  get status(): number {
    return API_ERROR_STATUS[this.code];
  }

  /** The body to answer with. */
  toEnvelope(): ErrorEnvelope {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.details === undefined ? {} : { details: this.details }),
      },
    };
  }
}

/** A 429 for whoever has guessed too often. */
export class TooManyGuesses extends ApiError {
  /** How long to wait; at least 1. */
  readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super(
      "RATE_LIMIT_EXCEEDED",
      "Too many wrong passwords or codes: wait as long as Retry-After says and try again",
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

/** The 404 for what is not there, or another organization's. @param thing as `device` */
export function noSuch(thing: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no such ${thing}`);
}

/** A 400 VALIDATION_ERROR with its list of faults, whose message tells the first of them. */
export function validationError(issues: readonly ValidationIssue[]): ApiError {
  return new ApiError("VALIDATION_ERROR", firstOf(issues), issues);
}

/** For a till that shows nothing but the message. */
function firstOf([first, ...others]: readonly ValidationIssue[]): string {
  if (first === undefined) return "The request does not match the schema";
  const where = first.path === "" ? "The request" : first.path;
  const more = others.length === 0 ? "" : ` (and ${others.length} more: see details)`;
  return `${`${where}: ${first.message}`.slice(0, MESSAGE_MAX)}${more}`;
}

/** Name and retry rule of each device and fiscal code. */
export const FISCAL_ERRORS = {
  E100: { name: "ConnectionRefused", retryable: false },
  E101: { name: "ConnectionTimeout", retryable: true },
  E102: { name: "ConnectionLost", retryable: true },
  E103: { name: "ConnectionNotFound", retryable: false },
  E200: { name: "DriverMismatch", retryable: false },
  E201: { name: "DriverUnsupported", retryable: false },
  E202: { name: "ProtocolChecksumError", retryable: false },
  E203: { name: "ProtocolFramingError", retryable: false },
  E300: { name: "FiscalMemoryFull", retryable: false },
  E301: { name: "FiscalReceiptOpen", retryable: false },
  E302: { name: "FiscalNoReceiptOpen", retryable: false },
  E303: { name: "FiscalDailyLimitReached", retryable: false },
  E304: { name: "FiscalHardwareError", retryable: false },
  E305: { name: "FiscalCommandRejected", retryable: false },
  E306: { name: "PaperOut", retryable: true },
  E307: { name: "CoverOpen", retryable: true },
  E400: { name: "ValidationInvalidPayload", retryable: false },
  E401: { name: "ValidationMissingField", retryable: false },
  E402: { name: "ValidationInvalidAmount", retryable: false },
  E403: { name: "ValidationInvalidVatGroup", retryable: false },
  E500: { name: "TimeoutCommand", retryable: true },
  E501: { name: "TimeoutResponse", retryable: true },
  E502: { name: "TimeoutConnection", retryable: true },
  E900: { name: "Unknown", retryable: false },
  E901: { name: "InternalError", retryable: false },
  E902: { name: "UnexpectedResponse", retryable: false },
  E903: { name: "Cancelled", retryable: false },
} as const satisfies Record<string, { name: string; retryable: boolean }>;

export type FiscalErrorCode = keyof typeof FISCAL_ERRORS;

/** Of a line that brought no answer which can be read. */
const UNANSWERED: ReadonlySet<FiscalErrorCode> = new Set([
  ...(["E100", "E101", "E102", "E103"] as const),
  ...(["E202", "E203", "E500", "E501", "E502"] as const),
]);

/** Characters of a message that are kept, where others chose its length. */
const MESSAGE_MAX = 1_000;

/** The device's own word for a fault: its number and text as the protocol gives them. */
export interface DeviceFault {
  readonly code: string;
  readonly message: string;
}

/**
 * Why a command failed. `device` carries the printer's own error where it gave one. Messages may
 * repeat what a device said, so all of this is cleaned as text of a device is.
 */
export class FiscalError extends Error {
  override readonly name = "FiscalError";
  readonly code: FiscalErrorCode;
  readonly device: DeviceFault | undefined;

  constructor(
    code: FiscalErrorCode,
    message: string,
    options: { cause?: unknown; device?: DeviceFault } = {},
  ) {
    const { cause, device } = options;
    super(toDeviceText(message, MESSAGE_MAX), cause === undefined ? undefined : { cause });
    this.code = code;
    this.device = device && {
      code: toDeviceText(device.code),
      message: toDeviceText(device.message),
    };
  }

  /** False where no answer came that can be read: it was lost, garbled or out of time. */
  get isAnswered(): boolean {
    return !UNANSWERED.has(this.code);
  }
}

/**
 * A fault of the line though an answer came: a session or a connecting driver has lost step with its
 * device, which answers something else than was asked.
 */
export class LineFault extends FiscalError {}

/** E305 of a device whose clock shows no date, as behind a battery that is empty. */
export class ClockShowsNoTime extends FiscalError {
  constructor() {
    super("E305", "The device's clock shows no date and time: set it");
  }
}

/**
 * E301 of a receipt that can only be finished, and may not be because a person said that it was not
 * printed: only a person may end it.
 */
export class MustStayOpen extends FiscalError {
  constructor() {
    super(
      "E301",
      "A receipt with a payment stands open of which it was said that it was not printed: look at " +
        "it, then say so or end it at the device",
    );
  }
}

/** E200 of a device that speaks the driver's protocol, but is none that the driver knows. */
export class UnknownDevice extends FiscalError {
  readonly model: string;

  /** @param model as the device tells it; may be empty */
  constructor(model: string) {
    super("E200", `This driver does not know the device ${model}`);
    this.model = toDeviceText(model);
  }
}

/**
 * True for faults of the line, after which it is not to be trusted and nobody knows what the device
 * did with the last frame: lost or garbled answers and time-outs. A refusal by the device is never
 * one of these, nor an answer that came whole and makes no sense.
 */
export function isLineFault(error: unknown): error is FiscalError {
  return error instanceof FiscalError && (error instanceof LineFault || !error.isAnswered);
}

/** True where nobody knows what the device did with the last frame, whether or not the line holds. */
export function leavesOpen(error: unknown): error is FiscalError {
  return isLineFault(error) || (error instanceof FiscalError && error.code === "E902");
}

/** True for refusals that a person at the device can take away: no paper, or an open cover. */
export function isPauseFault(fault: FiscalError): boolean {
  return fault.code === "E306" || fault.code === "E307";
}

/**
 * A driver throws this when a document that had begun may or may not be finished on the device.
 * The controller then reconnects and asks the driver to resolve it; the command is never resent.
 */
export class DocumentInDoubt extends Error {
  override readonly name = "DocumentInDoubt";

  constructor(override readonly cause: FiscalError) {
    super(`outcome unknown after: ${cause.message}`);
  }
}
