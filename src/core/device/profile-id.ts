/** The name of a device's profile, on drivers with profiles. */

import { patternOf } from "../patterns.ts";

/** Of built-in profiles and the user's own. */
export const PROFILE_ID_PATTERN = patternOf(
  "^[a-z0-9][a-z0-9._-]{0,63}$",
  "the name of a profile: 1 to 64 of a-z, 0-9, point, _ and -",
);
