/**
 * Requests of third-party hosts, byte for byte as their authors' programs send them: the simulated
 * device must understand them, as the real ones do. Each stands in `testdata/requests.json` with
 * where it comes from.
 */

import { afterEach, expect, test } from "bun:test";
import requests from "./testdata/requests.json";
import { FORMS, isMakerModel, MODELS, type ModelName, Rig } from "./testing/rig.ts";

const SYNTAX_ERROR = 0x01;
const BAD_COMMAND = 0x02;

/** Requests that a device does not understand, and why. */
const NOT_UNDERSTOOD: Readonly<Record<string, string>> = {
  "pm-plu-sale": "sells from the device's article base, which is not simulated",
  "cs-x-err-syntax": "wrong on purpose",
};

let rig: Rig;
afterEach(() => rig.end());

function modelOf(name: string): ModelName {
  if (isMakerModel(name)) return name;
  const model = MODELS.find((known) => known === name);
  if (!model) throw new Error(`no model ${name}`);
  return model;
}

/** Brings the device to where the command has a meaning. */
async function prepare(command: number): Promise<void> {
  const { open, sale, payment } = FORMS[rig.model];
  const isInReceipt = [49, 51, 53, 54, 56, 60, 103].includes(command);
  if (isInReceipt) await rig.ask(...open);
  if ([51, 53, 56].includes(command)) await rig.ask(...sale);
  if (command === 56) await rig.ask(...payment);
  if (command === 42 || command === 39) await rig.ask(38);
}

test.each(requests)(
  "$name is understood by $model",
  async ({ name, model, command, requestHex }) => {
    rig = await Rig.start(modelOf(model));
    await prepare(command);
    const request = Buffer.from(requestHex, "hex");
    rig.host.sendBytes(request);
    const reply = await rig.host.reply();
    expect(reply.command).toBe(command);
    const faults = (reply.status[0] ?? 0) & (SYNTAX_ERROR | BAD_COMMAND);
    if (Object.hasOwn(NOT_UNDERSTOOD, name)) expect(faults).not.toBe(0);
    else expect(faults).toBe(0);
  },
);
