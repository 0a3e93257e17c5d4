/** The ISL family of fiscal printers. */

export { islDriver } from "./driver.ts";
