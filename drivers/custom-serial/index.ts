export { customDriver } from "./driver.ts";
