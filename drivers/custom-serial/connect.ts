/**
 * Finds out which device is at the other end of a line, and by which profile it is driven. Only
 * reads are sent.
 */

import type { DeviceInfo } from "#core/device/device.ts";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { isStateRefusal } from "../shared/device-fault.ts";
import { FirstWords, namelessDevice } from "../shared/first-words.ts";
import type { ActionName } from "./actions.ts";
import { readClock } from "./clock.ts";
import type { Profile } from "./compile-profile.ts";
import { CustomDevice } from "./device.ts";
import { OLDER_PROFILE_ID } from "./dialects/index.ts";
import { reversalTenders } from "./plan.ts";
import type { ProfileEntry, ProfileSet } from "./profile-set.ts";
import { CustomSession } from "./session.ts";
import { readZNumber } from "./z-number.ts";

const MANUFACTURER = "Custom";

/**
 * Identifies the device on a line, and reads what later commands need to know.
 * @throws FiscalError E200 when it is proven to be none of these devices, E201 when the profile
 *   that is to drive it is missing or faulty, E101 when it is not known what is there, or another
 *   line fault
 */
export async function connectDevice(
  line: Line,
  profiles: ProfileSet,
  environment: DriverEnvironment,
): Promise<{ session: CustomSession; device: CustomDevice }> {
  const named = environment.profile;
  const first = usable(named === undefined ? profiles.initial : profiles.find(named), named);
  const words = new FirstWords(line, environment);
  const session = new CustomSession(words.line, first, environment);
  const device = new CustomDevice(session, first, environment);
  if (device.confirms) {
    await synchronize(device, words);
    device.facts.info = await identify(device);
    if (named === undefined) device.adopt(await chooseProfile(device, profiles));
    const { headerText: charsPerLine } = device.profile.limits;
    if (charsPerLine > 0) device.facts.info = { ...device.facts.info, charsPerLine };
    await readFacts(device);
  }
  const tenders = reversalTenders(device.profile);
  device.facts.info = { ...device.facts.info, reversalTenders: tenders };
  environment.log("info", "device identified", {
    profile: device.profile.id,
    model: device.facts.info.model,
  });
  return { session, device };
}

/** The profile of an entry. @throws FiscalError E201 when there is none, with what is wrong */
function usable(entry: ProfileEntry | undefined, named = ""): Profile {
  if (entry?.profile) return entry.profile;
  if (!entry) throw new FiscalError("E201", `There is no profile ${named}`);
  const [fault] = entry.faults;
  const place = fault && fault.path !== "" ? `${fault.path}: ` : "";
  throw new FiscalError(
    "E201",
    `The profile ${entry.id} (${entry.source}) is faulty: ${place}${fault?.message ?? ""}`,
  );
}

/** The first question brings the counters in step. Who answers it is a device of this protocol. */
async function synchronize(device: CustomDevice, words: FirstWords): Promise<void> {
  try {
    await device.send(device.can("openDocuments") ? "openDocuments" : "model");
  } catch (error) {
    throw words.judge(error);
  }
}

async function identify(device: CustomDevice): Promise<DeviceInfo> {
  const model = (await device.tryAsk("model"))?.get("model")?.trim() ?? "";
  const serial = (await device.tryAsk("serialNumber"))?.get("serial")?.trim() ?? "";
  if (model === "" && serial === "") throw namelessDevice();
  return {
    serialNumber: serial || null,
    firmwareVersion: null,
    // These devices have one number, and receipts name them by it.
    fiscalMemorySerialNumber: serial || null,
    manufacturer: MANUFACTURER,
    model: model || null,
  };
}

/** By the model that the device names; an unknown one by what it can tell. */
async function chooseProfile(device: CustomDevice, profiles: ProfileSet): Promise<Profile> {
  const model = device.facts.info.model ?? "";
  const entry = profiles.forModel(model);
  if (entry) return usable(entry);
  const older = profiles.find(OLDER_PROFILE_ID);
  const isOlder = !(await knows(device, "lastReceipt"));
  device.environment.log("warn", "no profile names this model, the nearest one is used", { model });
  return isOlder && older ? usable(older) : device.profile;
}

/** True for a device that answers a question, or refuses it by the state in which it stands. */
async function knows(device: CustomDevice, question: ActionName): Promise<boolean> {
  if (!device.can(question) || !device.confirms) return false;
  const { fault } = await device.send(question);
  return fault === undefined || isStateRefusal(fault);
}

/** Reads once what a receipt would otherwise have to ask for each time. */
async function readFacts(device: CustomDevice): Promise<void> {
  const { facts, profile } = device;
  const state = (await device.tryAsk("fiscalState"))?.get("state");
  facts.fiscalized = state === undefined ? null : state === profile.status.fiscalized;
  await readZNumber(device);
  await readClock(device);
}
