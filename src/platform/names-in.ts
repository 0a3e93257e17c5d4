import { readdirSync } from "node:fs";

/** Names in a folder; none where it cannot be listed, as one that was never made or is closed to us. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
