/** Programs in C#, one file each: built with .NET where it is, else with Mono. */

import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { mustRun } from "./other-runtime.ts";

const HAS_DOTNET = Bun.which("dotnet") !== null;

/** What has to be on the path for them. */
export const C_SHARP_PROGRAMS = HAS_DOTNET ? ["dotnet"] : ["mcs", "mono"];

/** Of these, Mono's compiler takes none by itself. */
const MONO_LIBRARIES = ["System.Net.Http", "System.Runtime.Serialization", "System.Xml.Linq"];

/**
 * Builds one as docs/examples/README.md says it.
 * @param source path of the file
 * @param folder empty, for what is built
 * @returns the command that runs it
 * @throws Error with what the compiler wrote
 */
export async function buildCSharp(source: string, folder: string): Promise<readonly string[]> {
  const name = basename(source, ".cs");
  if (!HAS_DOTNET) {
    const program = join(folder, `${name}.exe`);
    await mustRun(folder, ["mcs", `-r:${MONO_LIBRARIES}`, `-out:${program}`, source]);
    return ["mono", program];
  }
  await mustRun(folder, ["dotnet", "new", "console", "--output", name]);
  copyFileSync(source, join(folder, name, "Program.cs"));
  await mustRun(folder, ["dotnet", "build", name, "--output", "built"]);
  return ["dotnet", join(folder, "built", `${name}.dll`)];
}
