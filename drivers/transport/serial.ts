/** Lines over serial ports: RS-232, USB adapters, and printers that are serial ports themselves. */

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { SerialPortStream } from "@serialport/stream";
import type { SerialAddress } from "#core/device/serial-address.ts";
import type { DriverEnvironment, Line, LineListener } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { UNSENT_BYTES_MAX } from "./bounded-line.ts";
import { LineInbox } from "./line-inbox.ts";
import { SerialBinding } from "./serial-binding.ts";

/** Speed of a port whose address names none: what the devices leave the factory with. */
const DEFAULT_BAUD_RATE = 115_200;

/** Ports that are being closed, by path: the next opening waits until the lock is gone. */
const closing = new Map<string, Promise<void>>();

/**
 * Opens a serial port for this process alone: 8N1 without flow control unless the address says
 * otherwise. What the port received before is thrown away.
 * @throws FiscalError E103 when there is no such port, E100 when it is in use or not ours to open
 */
export async function openSerial(
  address: SerialAddress,
  environment: Pick<DriverEnvironment, "setTimer">,
): Promise<Line> {
  const { path, baudRate = DEFAULT_BAUD_RATE, flow = "none", ...settings } = address;
  await closing.get(path);
  await requirePort(path);
  // Not for those without a serial port, who are most.
  const { SerialPortStream } = await import("@serialport/stream");
  const port = new SerialPortStream({
    ...settings,
    rtscts: flow === "rtscts",
    xon: flow === "xonxoff",
    xoff: flow === "xonxoff",
    binding: new SerialBinding(environment.setTimer),
    path,
    baudRate,
    autoOpen: false,
  });
  await new Promise<void>((resolve, reject) => {
    port.open((error) => {
      if (error === null) resolve();
      else reject(openError(path, error));
    });
  });
  return new SerialLine(port);
}

/** Finds out what the native functions would only say in words. */
async function requirePort(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isCharacterDevice()) {
      throw new FiscalError("E103", `${path} is not a serial port`);
    }
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof FiscalError || !(error instanceof Error)) throw error;
    const reason = "code" in error ? String(error.code) : "";
    if (reason !== "EACCES" && reason !== "EPERM") {
      throw new FiscalError("E103", `There is no port ${path}`, { cause: error });
    }
    const message = `${path} may not be opened by this user; the group dialout may`;
    throw new FiscalError("E100", message, { cause: error });
  }
}

function openError(path: string, cause: Error): FiscalError {
  if (/cannot lock|temporarily unavailable|resource busy/i.test(cause.message)) {
    return new FiscalError("E100", `${path} is in use by another program`, { cause });
  }
  if (/no such (file|device)/i.test(cause.message)) {
    return new FiscalError("E103", `There is no port ${path}`, { cause });
  }
  // The native functions begin their texts with the word Error.
  const reason = cause.message.replace(/^Error:? /, "");
  return new FiscalError("E100", `${path} cannot be opened: ${reason}`, { cause });
}

/** An open port as a line. */
class SerialLine implements Line {
  readonly #port: SerialPortStream<SerialBinding>;
  readonly #inbox = new LineInbox();

  constructor(port: SerialPortStream<SerialBinding>) {
    this.#port = port;
    port.on("data", (chunk: Buffer) => {
      if (!this.#inbox.hear(chunk)) this.#break(new Error("nobody listens to the device"));
    });
    // The port closes itself when the device hangs up, and then says so.
    port.on("close", (error: Error | null) => this.#inbox.lose(error));
    port.on("error", (error) => this.#break(error));
  }

  write(bytes: Uint8Array): void {
    if (!this.#inbox.isOpen) return;
    this.#port.write(bytes);
    if (this.#port.writableLength > UNSENT_BYTES_MAX) {
      this.#break(new Error("the device does not take what is sent"));
    }
  }

  listen(listener: LineListener): void {
    this.#inbox.listen(listener);
  }

  close(): void {
    this.#inbox.close();
    this.#closePort();
  }

  #break(cause: Error): void {
    this.#closePort();
    this.#inbox.lose(cause);
  }

  #closePort(): void {
    const closed = this.#ending();
    if (closed === undefined) return;
    const { path } = this.#port;
    closing.set(path, closed);
    void closed.then(() => {
      if (closing.get(path) === closed) closing.delete(path);
    });
  }
  /** Closes the port, or waits for its closing itself; undefined when it is closed already. */
  #ending(): Promise<void> | undefined {
    const port = this.#port;
    if (port.isOpen) return new Promise((resolve) => port.close(() => resolve()));
    if (!port.closing) return undefined;
    return new Promise((resolve) => port.once("close", resolve).once("error", resolve));
  }
}
