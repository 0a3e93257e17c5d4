/**
 * The handbook's files, when the gateway runs from source: built with the first request for one. In
 * the executable `scripts/build.ts` puts a module with the embedded ones in the place of this one.
 */

export { handbookFiles } from "../../scripts/handbook.ts";
