/**
 * The process of a gateway's simulated printers: each listens at a socket of its own in the folder
 * that keeps their books. It does what it is asked on its standard input, and ends with that: when
 * the gateway is gone, however it went, so is this. Signals that are meant for the gateway, as a
 * service manager and a terminal send them to both, are left to it.
 */

import { rmSync } from "node:fs";
import { FaultRequestError } from "#drivers/simulator/faults.ts";
import { type Simulator, startSimulator } from "#drivers/simulator/host.ts";
import { openSocketPort } from "#drivers/simulator/port/network-port.ts";
import { makePrivateFiles } from "../../config/private-state.ts";
import { endStart } from "../../platform/engine.ts";
import { lockStateDirectory, type StateLock, StateLocked } from "../../platform/lock.ts";
import { errorText } from "../../platform/thrown.ts";
import {
  type Answer,
  booksFile,
  lineReader,
  type NumberedQuestion,
  type Question,
  type Reply,
  socketFile,
} from "./messages.ts";

/** The process of a gateway that was killed ends a moment after it, and has the books until then. */
const LOCK_WAIT_MS = 10_000;
const LOCK_LOOK_MS = 20;

/**
 * Runs until its standard input ends.
 * @param folder of the books and the sockets; it exists
 */
export async function runSimulatedPrinters(folder: string): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
    process.on(signal, () => undefined);
  }
  makePrivateFiles();
  endStart();
  // Names of sockets are short, the way to the folder may not be.
  process.chdir(folder);
  const lock = await lockFolder();
  const printers = new Printers();
  let done = Promise.resolve();
  const take = lineReader((line) => {
    const { id, ...question } = JSON.parse(line) as NumberedQuestion;
    done = done.then(async () => tell({ id, ...(await printers.answer(question)) }));
  });
  for await (const chunk of Bun.stdin.stream()) take(chunk);
  lock.release();
}

async function lockFolder(): Promise<StateLock> {
  const endsAt = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return lockStateDirectory(".");
    } catch (error) {
      if (!(error instanceof StateLocked) || performance.now() > endsAt) throw error;
      await Bun.sleep(LOCK_LOOK_MS);
    }
  }
}

function tell(reply: Reply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

class Printers {
  readonly #running = new Map<string, Simulator>();

  async answer(question: Question): Promise<Answer> {
    try {
      return { value: (await this.#do(question)) ?? "" };
    } catch (error) {
      const words = errorText(error);
      return { error: words, isRefusal: error instanceof FaultRequestError };
    }
  }

  async #do(question: Question): Promise<string | undefined> {
    const { deviceId } = question;
    switch (question.ask) {
      case "open":
        if (!this.#running.has(deviceId)) this.#running.set(deviceId, await start(question));
        return undefined;
      case "close": {
        const printer = this.#running.get(deviceId);
        this.#running.delete(deviceId);
        await printer?.stop();
        return undefined;
      }
      case "paper":
        return this.#printer(deviceId).paper(question.format, question.last);
      case "fault":
        this.#printer(deviceId).bringFault(question.fault);
        return undefined;
      case "clear":
        this.#printer(deviceId).clearFaults();
        return undefined;
      default:
        return question satisfies never;
    }
  }

  #printer(deviceId: string): Simulator {
    const printer = this.#running.get(deviceId);
    if (printer === undefined) throw new Error("the printer is not switched on");
    return printer;
  }
}

function start({
  deviceId,
  driver,
  model,
  timezone,
}: Extract<Question, { ask: "open" }>): Promise<Simulator> {
  const socket = socketFile(deviceId);
  // One that was left behind: the lock says that nobody listens there.
  rmSync(socket, { force: true });
  return startSimulator({
    ...{ driver, model, timezone, isMarked: true },
    number: digitsOf(deviceId),
    stateFile: booksFile(deviceId),
    listen: { open: (device) => openSocketPort(socket, device) },
  });
}

/** Last digits of the serial numbers, the same for as long as there is the device. */
function digitsOf(deviceId: string): string {
  return String(Bun.hash.crc32(deviceId) % 1_000_000).padStart(6, "0");
}
