/** The ZFP family. */

export { zfpDriver } from "./driver.ts";
