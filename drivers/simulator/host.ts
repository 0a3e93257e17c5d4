/**
 * A simulated device: a TCP port or a pseudo-terminal that speaks its protocol, and optionally a
 * control port. The device itself is put together here from its parts.
 */

import { SIMULATED_MODELS } from "#core/device/simulated-models.ts";
import type { DriverId } from "#core/driver-id.ts";
import type { MachineNames } from "#core/machine-names.ts";
import { newBookState, type PrintedDocument } from "./books/books.ts";
import { DeviceMemory } from "./books/memory.ts";
import { actAsOthers } from "./books/other-hands.ts";
import { StateFile } from "./books/state-file.ts";
import { ChangeFeed } from "./change-feed.ts";
import {
  booksOf,
  bringFault,
  type ControlServer,
  clearFaults,
  paperText,
  serveControl,
} from "./control/control.ts";
import type { ControlledDevice } from "./control/controlled-device.ts";
import { rollSvg } from "./control/live.ts";
import { Engine, type SetTimer } from "./engine.ts";
import type { SimulatedModel } from "./family.ts";
import { FaultPlan } from "./faults.ts";
import { PaperFolder } from "./paper/folder.ts";
import { layDocument, type PaperLayout, renderDocument } from "./paper/layout.ts";
import { type PaperEvent, PaperRoll } from "./paper/roll.ts";
import { paperSvg } from "./paper/svg.ts";
import { openNetworkPort } from "./port/network-port.ts";
import type { DevicePort, PortDevice, PortLine } from "./port/port.ts";
import { openPtyPort } from "./port/pty-port.ts";
import { SIMULATORS } from "./registry.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/** Opens the port that a device is reached at. */
export type OpenPort = (device: PortDevice) => Promise<DevicePort>;

export interface SimulatorOptions {
  readonly driver: DriverId;
  /** A model of the driver's family; its default when absent. */
  readonly model?: string | undefined;
  /** It forgets with its power what may not outlast that; see `SimulatedModel`. */
  readonly isForgetful?: boolean | undefined;
  /** Warnings stand in its status; see `SimulatedModel`. */
  readonly isWarned?: boolean | undefined;
  /** It tells of documents late, or prints them for long; see `SimulatedModel`. */
  readonly isSlow?: boolean | undefined;
  /** Digits that its serial numbers end in; those of the model when absent. */
  readonly number?: string | undefined;
  /** Where it takes frames: a TCP address, the symlink to a pseudo-terminal, or a port of one's own. */
  readonly listen: ListenAddress | { readonly pty: string } | { readonly open: OpenPort };
  readonly control?: ListenAddress | undefined;
  /** What the machine is called now, for the control port; by loopback alone when absent. */
  readonly machineNames?: (() => MachineNames) | undefined;
  /** The file that keeps the device's books; made when it does not exist. */
  readonly stateFile: string;
  /** Folder that gets a text file and a picture for each printed document. */
  readonly paperFolder?: string | undefined;
  /** Sees each line of paper when it is printed. */
  readonly onPaper?: ((event: PaperEvent, layout: PaperLayout) => void) | undefined;
  /** IANA zone that a new device's clock is set to; where the model is sold when absent. */
  readonly timezone?: string | undefined;
  /** Its paper says that it is no fiscal document. */
  readonly isMarked?: boolean | undefined;
  /** How long each command takes the device; 0 when absent. */
  readonly delayMs?: number | undefined;
  /** UTC milliseconds; the computer's clock when absent. */
  readonly now?: (() => number) | undefined;
  /** Calls back after `ms` and returns what cancels it; the computer's timers when absent. */
  readonly setTimer?: SetTimer | undefined;
}

export interface Simulator {
  /** The TCP port; 0 on a pseudo-terminal. */
  readonly port: number;
  /** undefined without a control port. */
  readonly controlPort: number | undefined;
  readonly model: string;
  /**
   * The books as `GET /books` answers them.
   * @param after shows only receipts with a document number above this
   */
  books(after?: number): Record<string, unknown>;
  /** The last documents, and the open one as far as it is. */
  paper(format: "svg" | "text", last: number): string;
  /** True while a host holds a line to it open. */
  hasHost(): boolean;
  /** As `POST /fault` does. @throws FaultRequestError */
  bringFault(body: unknown): void;
  /** As `POST /clear` does. */
  clearFaults(): void;
  /** Ends the lines and closes the state file. */
  stop(): Promise<void>;
}

/** What was asked for cannot be simulated. */
export class SimulatorError extends Error {
  override readonly name = "SimulatorError";
}

/**
 * Switches a simulated device on.
 * @throws SimulatorError when the driver has no such model
 * @throws StateFileError when the state file is another device's or damaged
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { name, model } = findModel(options);
  const file = openState(options, name, model);
  let port: DevicePort | undefined;
  const device = buildDevice(options, { name, model, file, port: () => port });
  let control: ControlServer | undefined;
  const stop = async () => {
    device.engine.stop();
    await Promise.all([port?.stop(), control?.stop()]);
    file.close();
  };
  try {
    port = await openPort(options, device);
    if (options.control) {
      const { machineNames = onlyLoopback } = options;
      control = serveControl(device, { ...options.control, machineNames });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port: port.number,
    controlPort: control?.port,
    model: name,
    books: (after) => booksOf(device, after),
    paper: (format, last) => (format === "svg" ? rollSvg(device, last) : paperText(device, last)),
    hasHost: () => [...device.lines].some((line) => line.isOpen),
    bringFault: (body) => bringFault(device, body),
    clearFaults: () => clearFaults(device),
    stop,
  };
}

function onlyLoopback(): MachineNames {
  return { hostname: "localhost", addresses: [] };
}

function findModel(options: SimulatorOptions): { name: string; model: SimulatedModel } {
  const { model: name = SIMULATED_MODELS[options.driver][0] } = options;
  const known = SIMULATORS.get(options.driver)?.get(name);
  const { number, isForgetful = false, isWarned = false, isSlow = false } = options;
  const kept = isForgetful ? known?.forgetful : known;
  const warned = isWarned ? kept?.warned : kept;
  const model = isSlow ? warned?.slow : warned;
  if (model) return { name, model: number === undefined ? model : model.numbered(number) };
  const names = SIMULATED_MODELS[options.driver].join(", ");
  throw new SimulatorError(`${options.driver} has no model ${name}; it has ${names}`);
}

function openState(options: SimulatorOptions, name: string, model: SimulatedModel): StateFile {
  const { now = Date.now, timezone = model.timezone } = options;
  return new StateFile({
    path: options.stateFile,
    identity: { driver: options.driver, model: name },
    initial: () => newBookState(model.books, now(), zoneOffsetMs(timezone, now())),
  });
}

interface DeviceParts {
  readonly name: string;
  readonly model: SimulatedModel;
  readonly file: StateFile;
  /** undefined until the device can be reached. */
  readonly port: () => DevicePort | undefined;
}

interface RunningDevice extends ControlledDevice {
  readonly responder: ReturnType<SimulatedModel["responder"]>;
  /** To its hosts; those that are closed go when the next one opens. */
  readonly lines: Set<PortLine>;
}

function buildDevice(options: SimulatorOptions, parts: DeviceParts): RunningDevice {
  const { model, file, port } = parts;
  const changes = new ChangeFeed();
  const { onPaper, isMarked = false } = options;
  const layout = { ...model.layout, isMarked };
  const print = onPaper && ((event: PaperEvent) => onPaper(event, layout));
  const roll = print && new PaperRoll({ books: file.books, layout, print });
  const keep = keeperOf(options, parts);
  const memory = new DeviceMemory({
    file,
    model: model.books,
    now: options.now ?? Date.now,
    printed(document) {
      roll?.finished(document);
      keep?.(document);
    },
    changed() {
      roll?.changed();
      changes.touch();
    },
  });
  const responder = model.responder(memory);
  const faults = new FaultPlan();
  const engine = new Engine({
    responder,
    memory,
    faults,
    delayMs: options.delayMs ?? 0,
    setTimer: options.setTimer ?? setComputerTimer,
    cutLines: () => port()?.interrupt(),
    restoreLines: () => port()?.restore(),
    actAsOthers: (fault) => actAsOthers(memory, fault, model.habits),
    changed: () => changes.touch(),
  });
  const { driver } = options;
  const lines = new Set<PortLine>();
  return { memory, engine, faults, responder, layout, changes, lines, driver, model: parts.name };
}

/** What puts printed documents into the folder for them, if there is one. */
function keeperOf(
  { paperFolder, isMarked = false }: SimulatorOptions,
  { file, model }: DeviceParts,
): ((document: PrintedDocument) => void) | undefined {
  if (!paperFolder) return undefined;
  const folder = new PaperFolder(paperFolder);
  const layout = { ...model.layout, isMarked };
  return (document) => {
    const piece = { lines: layDocument(document, file.books, layout), isTorn: true };
    const svg = paperSvg([piece], layout, `Document ${document.number}`);
    folder.keep(document, renderDocument(document, file.books, layout), svg);
  };
}

function setComputerTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function openPort(options: SimulatorOptions, device: RunningDevice): Promise<DevicePort> {
  const { engine, responder, lines } = device;
  const behind: PortDevice = {
    setTimer: options.setTimer ?? setComputerTimer,
    connect(line) {
      for (const former of lines) if (!former.isOpen) lines.delete(former);
      lines.add(line);
      const take = responder.listen();
      return (chunk) => {
        for (const event of take(chunk)) {
          if (!line.isOpen) return;
          engine.take(line, event);
        }
      };
    },
  };
  const { listen } = options;
  if ("open" in listen) return listen.open(behind);
  return "pty" in listen ? openPtyPort(listen.pty, behind) : openNetworkPort(listen, behind);
}

/** How far local time of a zone is ahead of UTC at an instant. */
export function zoneOffsetMs(timezone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const field = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    field("year"),
    field("month") - 1,
    field("day"),
    field("hour"),
    field("minute"),
    field("second"),
  );
  return local - Math.floor(at / 1000) * 1000;
}
