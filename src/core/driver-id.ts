/** The names of the drivers. */

/** Ids of the drivers in the contract. */
export const DRIVER_IDS = [
  "vendorA.isl",
  "vendorB.isl",
  "vendorC.isl",
  "vendorD.isl",
  "vendorE.zfp",
  "vendorF.shtrih",
  "custom.serial",
] as const;
export type DriverId = (typeof DRIVER_IDS)[number];
