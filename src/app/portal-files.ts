/**
 * The portal's files, when the gateway runs from source: built with the first request for a page. In
 * the executable `scripts/build.ts` puts a module with the embedded ones in the place of this one.
 */

export { portalFiles } from "../../scripts/portal.ts";
