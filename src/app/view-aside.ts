/** The process that looks at what lies on a disk of others, beside the gateway. It begins light, for it runs often. */

/** The words by which the executable looks. Nobody types them. */
export const VIEW_PLACE = "view-place";
export const VIEW_PASSPHRASE = "view-passphrase";

/**
 * Tells on the standard output what it sees.
 * @param args the word, the path, and for a place the state directory
 * @returns false where the word is none of these
 */
export async function tellView([
  word,
  path = "",
  stateDir = "",
]: readonly string[]): Promise<boolean> {
  const look = LOOKS[word ?? ""];
  if (look === undefined) return false;
  await Bun.write(Bun.stdout, JSON.stringify(await look(path, stateDir)));
  return true;
}

const LOOKS: Readonly<Record<string, (path: string, stateDir: string) => Promise<object>>> = {
  async [VIEW_PLACE](folder, stateDir) {
    const { viewPlace } = await import("../backup/place-view.ts");
    return viewPlace(folder, stateDir);
  },
  async [VIEW_PASSPHRASE](file) {
    const { viewPassphrase } = await import("../backup/passphrase.ts");
    return viewPassphrase(file);
  },
};
