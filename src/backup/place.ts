/** Where a backup goes: a folder, or a USB stick. */

import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { makeFolder } from "../platform/durable-file.ts";
import { strangeOwner } from "../platform/strange-owner.ts";
import { errorCode, errorText } from "../platform/thrown.ts";
import { lineOfUser, quoted } from "../platform/user-line.ts";
import { userName } from "../platform/user-name.ts";
import { findUsbSticks, type UsbStick } from "./usb-sticks.ts";

/** Folder on a stick. */
const STICK_FOLDER = "fiscald";
const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** The place cannot take a backup; the message says what to do. */
export class PlaceUnusable extends Error {
  override readonly name = "PlaceUnusable";
}

/**
 * The folder that a backup goes to, which need not be there.
 * @param to as the setting `backup.to`: a folder, `usb`, `usb:NAME`, or nothing
 * @throws PlaceUnusable when what was named is not there
 */
export function backupFolder(to: string, stateDir: string): string {
  const folder = placeFolder(to, stateDir);
  // What was named may be a disk that is not mounted: nothing is made in its place.
  if (isNamedFolder(to) && !existsSync(folder)) throw absentFolder(folder);
  return folder;
}

/**
 * The same, without asking the disk for anything, which may not answer.
 * @throws PlaceUnusable when no such stick is mounted
 */
export function placeFolder(to: string, stateDir: string): string {
  if (isStick(to)) return namedStick(to.slice("usb:".length));
  // It is remembered, and read again from wherever somebody stands then.
  return to === "" ? stateFiles(stateDir).backups : resolve(to);
}

/** The folder of backups on a stick that is mounted there. */
export function folderOnStick(mountPoint: string): string {
  return join(mountPoint, STICK_FOLDER);
}

/** Whether the setting `backup.to` means a USB stick. */
export function isStick(to: string): boolean {
  return to === "usb" || to.startsWith("usb:");
}

/** Whether it means a folder that somebody has named, which may be of any disk or network. */
export function isNamedFolder(to: string): boolean {
  return to !== "" && !isStick(to);
}

/** Bytes that may still be written below a folder. @throws the system's error */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** What to do where a folder that was named is not there. */
export function absentFolder(folder: string): PlaceUnusable {
  return new PlaceUnusable(`there is no folder ${folder}: make or mount it first`);
}

/** @throws PlaceUnusable when there is less room than that */
export function requireRoom(folder: string, bytes: number): void {
  const free = freeBytesAt(folder);
  if (free >= bytes) return;
  throw new PlaceUnusable(
    `${folder} has ${readableSize(free)} left, and needs ${readableSize(bytes)}`,
  );
}

/** True when both are on one disk. */
export function shareDisk(left: string, right: string): boolean {
  return statSync(left).dev === statSync(right).dev;
}

/** As a person reads it. */
export function readableSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / KILOBYTE)} kB`;
  return `${Math.round(bytes / MEGABYTE)} MB`;
}

function namedStick(name: string): string {
  const found = findUsbSticks();
  const called = found.filter((stick) => name === "" || [stick.name, stick.device].includes(name));
  const [only, ...more] = called;
  if (only === undefined) {
    const which = name === "" ? "no USB stick is" : `no USB stick ${name} is`;
    const others = listed(found);
    throw new PlaceUnusable(`${which} plugged in${others && `; there is ${others}`}`);
  }
  if (more.length > 0) {
    throw new PlaceUnusable(`there are several USB sticks, name one: ${listed(called)}`);
  }
  if (only.mountPoint === null) {
    const { name: label, device } = only;
    throw new PlaceUnusable(`the USB stick ${label} is not mounted: mount /dev/${device} first`);
  }
  return folderOnStick(only.mountPoint);
}

function listed(sticks: readonly UsbStick[]): string {
  return sticks.map(({ name }) => `usb:${name}`).join(", ");
}

/** What lets the service write to more than its own folders, as the unit alone says. */
export const SANDBOX_CURE = "let the service write there, with ReadWritePaths= in its unit";

function hintOf(folder: string, stateDir: string, error: unknown): string {
  const code = errorCode(error);
  if (code === "EROFS") return `: ${SANDBOX_CURE}`;
  if (code !== "EACCES") return "";
  // What is the gateway's own is given back to it: a folder beside it would serve one backup alone.
  if (folder === stateFiles(stateDir).backups) {
    const strange = strangeOwner(folder, stateDir);
    return `: ${strange ?? `chmod u+rwx ${quoted(folder)}`}`;
  }
  const user = userName();
  const owner = user.replace("#", "");
  const making = (own: string): string =>
    lineOfUser("root", ["install", "-d", "-o", owner, "-m", "700", own]);
  // Nothing of a file system without owners can be given to anybody, but by whoever mounts it.
  if (isOnStick(folder)) {
    return `: where it knows no owners, as FAT and exFAT, mount it with the option uid=${owner}; else ${making(folder)}`;
  }
  const own = join(folder, "fiscald");
  return `: name one that ${user} may write to, as ${own}, which ${making(own)} makes`;
}

function isOnStick(folder: string): boolean {
  return findUsbSticks().some(
    ({ mountPoint }) => mountPoint !== null && `${folder}/`.startsWith(`${mountPoint}/`),
  );
}

/** Why a file could not be written whole. @returns the same where it says enough by itself */
export function unwrittenFile(folder: string, error: unknown): unknown {
  if (errorCode(error) !== "EFBIG") return error;
  const message =
    `${folder} takes no file of that size (${errorText(error)}): FAT takes none of 4 GB or more, ` +
    "exFAT or ext4 do";
  return new PlaceUnusable(message);
}

/** Makes the folder if need be. @throws PlaceUnusable when it cannot be written to */
export function readyFolder(folder: string, stateDir: string): string {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw unwritableFolder(folder, stateDir, error);
  }
}

/** What to do where a folder takes nothing. @param stateDir whose own folder it may be */
export function unwritableFolder(folder: string, stateDir: string, error: unknown): PlaceUnusable {
  const [reason, hint] = [errorText(error), hintOf(folder, stateDir, error)];
  return new PlaceUnusable(`${folder} cannot be written to: ${reason}${hint}`);
}
