/** The passphrase of backups: from a file, the standard input or the person, never from an argument. */

import { WrongPassphrase } from "../backup/age-stream.ts";
import { firstLineOf, isGoodPassphrase, PASSPHRASE_RULE as RULE } from "../backup/passphrase.ts";
import { errorText } from "../platform/thrown.ts";
import { Asker, canAsk } from "./ask.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printError } from "./output.ts";
import { readPasswordLine } from "./password-line.ts";

export interface PassphraseSource {
  /** Path of a file of which it is the first line; empty for none. */
  readonly file: string;
  readonly fromStdin: boolean;
  /** `new` where it will encrypt, and so must be good and typed twice. */
  readonly as: "new" | "known";
}

/** @throws CliFailure with code 2 when there is none, or it is too short to encrypt with */
export async function readPassphrase({ file, fromStdin, as }: PassphraseSource): Promise<string> {
  const given = fromStdin ? await readPasswordLine() : file === "" ? undefined : lineOf(file);
  if (given === undefined) return askPassphrase(as);
  if (as === "known" || isGoodPassphrase(given)) return given;
  throw new CliFailure(EXIT.usage, `the passphrase must have ${RULE}`);
}

/** What helps a script, or whoever reads what it said. */
const OF_THAT_TIME = "give the one of that time with --passphrase-stdin";

/**
 * Opens what may be encrypted with another passphrase than the one that a file holds now: the person at the terminal
 * is asked for it then.
 * @param open with a passphrase
 * @throws WrongPassphrase and CliFailure with code 2 that say what helps; or what `open` throws
 */
export async function withPassphrase<T>(
  source: Omit<PassphraseSource, "as">,
  open: (passphrase: string) => Promise<T>,
): Promise<T> {
  const { file, fromStdin } = source;
  const typed = async () => open(await readPassphrase({ file: "", fromStdin, as: "known" }));
  if (fromStdin || file === "") return typed();
  try {
    return await open(lineOf(file));
  } catch (error) {
    const isWrong = error instanceof WrongPassphrase;
    if (!isWrong && !(error instanceof FileUseless)) throw error;
    const whose = isWrong ? `; it is what ${file} begins with` : "";
    const message = `${error.message}${whose}`;
    if (!canAsk()) {
      const text = `${message}: ${OF_THAT_TIME}`;
      throw isWrong ? new WrongPassphrase(text) : new CliFailure(EXIT.usage, text);
    }
    printError(message);
    return typed();
  }
}

/** There is no passphrase in the file. */
class FileUseless extends CliFailure {
  constructor(message: string, options?: { cause: unknown }) {
    super(EXIT.usage, message, options);
  }
}

function lineOf(file: string): string {
  try {
    const line = firstLineOf(file);
    if (line !== "") return line;
  } catch (error) {
    const reason = errorText(error);
    throw new FileUseless(`the passphrase cannot be read: ${reason}`, { cause: error });
  }
  throw new FileUseless(`${file} begins with no passphrase`);
}

async function askPassphrase(as: PassphraseSource["as"]): Promise<string> {
  if (!canAsk()) {
    const message =
      "nobody is at a terminal to be asked: name a file with --backup-passphrase-file, or give --passphrase-stdin";
    throw new CliFailure(EXIT.usage, message);
  }
  const asker = new Asker();
  try {
    if (as === "known") return await asker.secret("Passphrase of the backup");
    const read = (text: string) => (isGoodPassphrase(text) ? text : undefined);
    return await asker.password({ label: `A passphrase of ${RULE}`, rule: RULE, read });
  } finally {
    asker.close();
  }
}
