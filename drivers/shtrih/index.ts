export { shtrihDriver } from "./driver.ts";
