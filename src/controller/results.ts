/** Results of commands, as the gateway stores them. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { CommandResult, Outcome } from "#core/command/command.ts";
import type { Doubt } from "#core/command/doubt.ts";
import type { CommandSuccess, DriverCommand, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** The device carried it out. */
export function successResult(success: CommandSuccess): CommandResult {
  const { data, fiscalId } = success;
  return { success: true, data, ...(fiscalId === undefined ? {} : { fiscalId }) };
}

/**
 * It failed. Fiscal documents say what is known of the paper; the device's own words are kept.
 * @param error a FiscalError, or any defect, which becomes E901
 */
export function failureResult(
  command: DriverCommand,
  error: unknown,
  outcome: Outcome,
): CommandResult {
  const fiscal =
    error instanceof FiscalError
      ? error
      : new FiscalError("E901", "The driver failed unexpectedly; the log has the details");
  const data = {
    ...(tellsOutcome(command.type) ? { outcome } : {}),
    ...(fiscal.device === undefined ? {} : { deviceError: fiscal.device }),
  };
  return {
    success: false,
    errorCode: fiscal.code,
    errorMessage: fiscal.message,
    ...(Object.keys(data).length === 0 ? {} : { data }),
  };
}

/** This version has no such command. It may be a document, so what is known of the paper is said. */
export function unknownTypeResult({ type }: DriverCommand, outcome: Outcome): CommandResult {
  const errorMessage = `This version knows no command ${type}`;
  return { success: false, errorCode: "E201", errorMessage, data: { outcome } };
}

/** The device was asked what became of it. */
export function resolutionResult(command: DriverCommand, resolution: Resolution): CommandResult {
  if (resolution.outcome === "printed") {
    const { success } = resolution;
    return successResult({ ...success, data: { ...success.data, recovered: true } });
  }
  if (resolution.outcome === "not_printed") {
    return failureResult(command, new FiscalError("E102", resolution.reason), "not_printed");
  }
  return doubtResult(command, resolution.doubt);
}

/** The device was asked, and cannot tell. */
export function doubtResult(command: DriverCommand, doubt: Doubt): CommandResult {
  const { code, params, text } = doubt;
  const failed = failureResult(command, new FiscalError("E102", text), "unknown");
  return { ...failed, data: { ...failed.data, doubt: { code, params } } };
}
