import { expect, test } from "bun:test";
import {
  API_ERROR_STATUS,
  FISCAL_ERRORS,
  FiscalError,
  isLineFault,
  isPauseFault,
  LineFault,
  leavesOpen,
  validationError,
} from "./errors.ts";

/** As the contract lists them, those that may be tried again marked by an asterisk. */
const FISCAL_CODES = [
  ...["E100 ConnectionRefused", "E101 ConnectionTimeout *", "E102 ConnectionLost *"],
  ...["E103 ConnectionNotFound", "E200 DriverMismatch", "E201 DriverUnsupported"],
  ...["E202 ProtocolChecksumError", "E203 ProtocolFramingError", "E300 FiscalMemoryFull"],
  ...["E301 FiscalReceiptOpen", "E302 FiscalNoReceiptOpen", "E303 FiscalDailyLimitReached"],
  ...["E304 FiscalHardwareError", "E305 FiscalCommandRejected", "E306 PaperOut *"],
  ...["E307 CoverOpen *", "E400 ValidationInvalidPayload", "E401 ValidationMissingField"],
  ...["E402 ValidationInvalidAmount", "E403 ValidationInvalidVatGroup", "E500 TimeoutCommand *"],
  ...["E501 TimeoutResponse *", "E502 TimeoutConnection *", "E900 Unknown", "E901 InternalError"],
  ...["E902 UnexpectedResponse", "E903 Cancelled"],
];

test("each fiscal code has the name and the retry rule of the contract", () => {
  expect(
    Object.entries(FISCAL_ERRORS).map(
      ([code, { name, retryable }]) => `${code} ${name}${retryable ? " *" : ""}`,
    ),
  ).toEqual(FISCAL_CODES);
});

test("each code of a refusal has the status of the contract", () => {
  expect<Record<string, number>>(API_ERROR_STATUS).toEqual({
    ...{ BAD_REQUEST: 400, VALIDATION_ERROR: 400, UNAUTHORIZED: 401, TOKEN_EXPIRED: 401 },
    ...{ FORBIDDEN: 403, TIER_LIMIT_EXCEEDED: 403, NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405 },
    ...{ CONFLICT: 409, UNPROCESSABLE_ENTITY: 422, RATE_LIMIT_EXCEEDED: 429 },
    ...{ INTERNAL_ERROR: 500, SERVICE_UNAVAILABLE: 503 },
  });
});

test("only paper and cover are for a person at the device to put right", () => {
  const faults = (["E306", "E307", "E300"] as const).map((code) => new FiscalError(code, code));
  expect(faults.map(isPauseFault)).toEqual([true, true, false]);
});

const SUMS = { path: "payments", message: "The items come to 2.50, the payments to 2.00" };
const NAME = { path: "items.0.name", message: "Expected string" };

test.each([
  [[SUMS], `payments: ${SUMS.message}`],
  [[{ path: "", message: "Expected object" }], "The request: Expected object"],
  [[SUMS, NAME], `payments: ${SUMS.message} (and 1 more: see details)`],
])("the message of a validation error tells the first fault", (issues, message) => {
  expect(validationError(issues)).toMatchObject({ message, details: issues, status: 400 });
});

test("what a device did is open behind an answer without sense, and the line is not to blame", () => {
  const senseless = new FiscalError("E902", "no number");
  const outOfStep = new LineFault("E902", "the answer to another question");
  const errors = [
    senseless,
    outOfStep,
    new FiscalError("E102", "lost"),
    new FiscalError("E305", ""),
  ];
  expect(errors.map(isLineFault)).toEqual([false, true, true, false]);
  expect(errors.map(leavesOpen)).toEqual([true, true, true, false]);
});
