/** The process that looks at a place of backups, beside the gateway. It begins light, for it runs often. */

/** The word by which the executable looks. Nobody types it. */
export const VIEW_PLACE = "view-place";

/** Tells on the standard output what lies in a folder. @param args the folder, and the state directory */
export async function tellPlace([folder = "", stateDir = ""]: readonly string[]): Promise<void> {
  const { viewPlace } = await import("../backup/place-view.ts");
  await Bun.write(Bun.stdout, JSON.stringify(await viewPlace(folder, stateDir)));
}
