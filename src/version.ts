import { version } from "../package.json";

/** This program's version, as package.json states it. */
export const VERSION: string = version;
