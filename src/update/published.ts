/** Looking where releases are published for the newest one. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { readBody } from "../platform/bounded-body.ts";
import type { SigningKey } from "../platform/minisign.ts";
import { readSmallFile } from "../platform/small-file.ts";
import { errorText } from "../platform/thrown.ts";
import { UpdateRefused } from "./failures.ts";
import { verified } from "./release-archive.ts";
import { temporaryFolder, writeTemporary } from "./temporary-folder.ts";

const LIST = "SHA256SUMS";
const LIST_COMMENT = /^fiscald (\S+) SHA256SUMS$/;
const FETCH_MS = 30_000;
/** A list has a line for each file of a release. */
const LIST_BYTES_MAX = 65_536;

/** @throws UpdateRefused when nothing signed is there */
export async function newestAt(
  place: string,
  key: SigningKey,
): Promise<{ readonly version: string; readonly archive: string }> {
  const folder = temporaryFolder();
  try {
    for (const name of [LIST, `${LIST}.minisig`]) {
      writeTemporary(join(folder, name), await read(place, name));
    }
    const list = { path: join(folder, LIST), name: within(place, LIST) };
    const comment = await verified(list, join(folder, `${LIST}.minisig`), key);
    const [, version] = LIST_COMMENT.exec(comment) ?? [];
    if (version === undefined) {
      throw new UpdateRefused(`${place} is signed, but as something else: ${comment}`);
    }
    return { version, archive: within(place, `fiscald-${version}-linux-${process.arch}.tar.gz`) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function within(place: string, name: string): string {
  return `${place.replace(/\/+$/, "")}/${name}`;
}

async function read(place: string, name: string): Promise<string> {
  const path = within(place, name);
  try {
    if (!/^https?:/.test(place)) return readSmallFile(path, LIST_BYTES_MAX);
    const response = await fetch(path, { signal: AbortSignal.timeout(FETCH_MS) });
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    const body = await readBody(response.body, LIST_BYTES_MAX);
    if (body === undefined) throw new Error(`it has more than ${LIST_BYTES_MAX} bytes`);
    return new TextDecoder().decode(body);
  } catch (error) {
    const reason = errorText(error);
    throw new UpdateRefused(`${path} cannot be read: ${reason}`, { cause: error });
  }
}
