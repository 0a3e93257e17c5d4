/**
 * A serial cable whose two ends are both in this process, so that it is known at any moment
 * whether anything is on its way: bytes, a cable that is being plugged in, or its being pulled.
 */

import { existsSync } from "node:fs";
import type { Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { SetTimer } from "../simulator/engine.ts";
import type { DevicePort, PortDevice, PortLine } from "../simulator/port/port.ts";
import { openPtyPort } from "../simulator/port/pty-port.ts";
import { openSerial } from "../transport/serial.ts";
import type { DeviceWire } from "./wire.ts";

/** The gateway's open port. */
interface Opened {
  isOpen: boolean;
  /** At the other end when it was opened. */
  readonly cable: PortLine;
  /** Bytes sent by the device that the gateway has not heard. */
  toGateway: number;
}

/** The cable to one device; it has one host at a time. */
export class PtyWire implements DeviceWire {
  readonly #path: string;
  #opening = 0;
  #cable: PortLine | undefined;
  #opened: Opened | undefined;
  /** Bytes sent by the gateway that the device has not heard. */
  #toDevice = 0;
  #bytes = 0;
  /** The cable was taken out, and nobody puts it back yet. */
  #isOut = true;

  /** @param path the name of the serial port */
  constructor(path: string) {
    this.#path = path;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isQuiet(): boolean {
    if (this.#opening > 0 || !this.#isAtRest()) return false;
    return this.#isOut || existsSync(this.#path);
  }

  describe(): string {
    const opened = this.#opened?.isOpen ? "open" : "closed";
    const cable = this.#cable?.isOpen ? "in" : "out";
    const bytes = `${this.#toDevice} and ${this.#opened?.toGateway ?? 0} bytes`;
    return `${this.#opening} opening; gateway ${opened}, cable ${cable}, ${bytes}`;
  }

  async openPort(device: PortDevice): Promise<DevicePort> {
    const port = await openPtyPort(this.#path, {
      setTimer: device.setTimer,
      connect: (line) => this.#plug(line, device),
    });
    this.#isOut = false;
    return {
      number: port.number,
      interrupt: () => {
        this.#isOut = true;
        port.interrupt();
      },
      restore: () => {
        this.#isOut = false;
        port.restore();
      },
      stop: () => {
        this.#isOut = true;
        return port.stop();
      },
    };
  }

  async openLine(setTimer: SetTimer): Promise<Line> {
    this.#opening += 1;
    try {
      const line = await openSerial({ path: this.#path }, { setTimer });
      const cable = this.#cable;
      if (!cable) throw new FiscalError("E103", "there is no cable");
      return this.#count(line, cable);
    } finally {
      this.#opening -= 1;
    }
  }

  #isAtRest(): boolean {
    const opened = this.#opened;
    if (!opened?.isOpen) return true;
    return opened.cable.isOpen && this.#toDevice === 0 && opened.toGateway === 0;
  }

  #plug(line: PortLine, device: PortDevice): (chunk: Uint8Array) => void {
    const cable: PortLine = {
      get isOpen() {
        return line.isOpen;
      },
      send: (bytes) => {
        const opened = this.#opened;
        if (opened?.isOpen && opened.cable === cable) opened.toGateway += bytes.length;
        line.send(bytes);
      },
      cut: () => line.cut(),
    };
    this.#cable = cable;
    const take = device.connect(cable);
    return (chunk) => {
      // What an earlier host sent last may have been given up as lost with its closing.
      this.#toDevice = Math.max(0, this.#toDevice - chunk.length);
      this.#bytes += chunk.length;
      take(chunk);
    };
  }

  #count(line: Line, cable: PortLine): Line {
    const opened: Opened = { isOpen: true, cable, toGateway: 0 };
    this.#opened = opened;
    this.#toDevice = 0;
    return {
      write: (bytes) => {
        if (opened.isOpen) this.#toDevice += bytes.length;
        line.write(bytes);
      },
      listen: (listener) =>
        line.listen({
          data: (chunk) => {
            opened.toGateway = Math.max(0, opened.toGateway - chunk.length);
            this.#bytes += chunk.length;
            listener.data(chunk);
          },
          closed(error) {
            opened.isOpen = false;
            listener.closed(error);
          },
        }),
      close() {
        opened.isOpen = false;
        line.close();
      },
    };
  }
}
