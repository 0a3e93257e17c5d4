/**
 * Making rows anew that saved ones refer to: without its organization no printer of a shop can be seen
 * or accepted, while its keys go on queueing.
 */

import { PLAN_LIMITS, PLANS, type Plan } from "#core/limits.ts";
import { isCurrency, timezoneName } from "#core/place.ts";
import type { Database } from "#db/connection.ts";
import {
  type LostOrganization,
  lostLocations,
  lostOrganizations,
  putInOrder,
} from "#db/salvage-lost.ts";
import { createStores } from "#db/stores/index.ts";

/** A currency of ISO 4217 and an IANA zone. */
export interface Place {
  readonly currency: string;
  readonly timezone: string;
}

/** What a shop gets of which no more is known. @param known what saved rows tell */
export type UsualPlace = (known: Partial<Place>) => Place;

/** An organization that was made anew. */
export interface RecoveredShop extends Place {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** What no saved row tells: it is as usual, and may be another. */
  readonly guessed: readonly (keyof Place)[];
}

/** A location that was made anew; it has the time zone of its organization. */
export interface RecoveredLocation {
  readonly id: string;
  readonly name: string;
}

export interface Recovered {
  readonly shops: readonly RecoveredShop[];
  readonly locations: readonly RecoveredLocation[];
}

const PLACE = ["currency", "timezone"] as const;
const SHOP_NAME = "Recovered shop";
const LOCATION_NAME = "Recovered location";
const NAME_MAX = 255;

/**
 * Makes the organizations that saved rows belong to, and the locations that devices stand at.
 * @param isLocationLost true where any location is lost; else what a device names may be none
 */
export function recoverShops(
  database: Database,
  {
    usualPlace,
    isLocationLost,
    now,
  }: { readonly usualPlace: UsualPlace; readonly isLocationLost: boolean; readonly now: number },
): Recovered {
  const { organizations, locations } = createStores(database);
  const shops = lostOrganizations(database).map((lost): RecoveredShop => {
    const known = knownPlace(lost);
    const shop = {
      id: lost.id,
      name: nameOf(lost.told.name) ?? SHOP_NAME,
      ...usualPlace(known),
      plan: planOf(lost),
    };
    organizations.insert({ ...shop, createdAt: Math.min(lost.since, now), updatedAt: now });
    putInOrder(database, lost.id);
    return { ...shop, guessed: PLACE.filter((what) => known[what] === undefined) };
  });
  const lostPlaces = isLocationLost ? lostLocations(database) : [];
  const places = lostPlaces.map(({ id, orgId, name: told }): RecoveredLocation => {
    const name = nameOf(told) ?? LOCATION_NAME;
    const nothing = { address: null, timezone: null };
    locations.insert({ ...{ id, orgId, name }, ...nothing, createdAt: now, updatedAt: now });
    return { id, name };
  });
  return { shops, locations: places };
}

function nameOf(told: unknown): string | undefined {
  const isOne = typeof told === "string" && told.length > 0 && told.length <= NAME_MAX;
  return isOne ? told : undefined;
}

/** The audit log tells what was last set; else receipts and locations do. */
function knownPlace({ told, receiptCurrency, locationZones }: LostOrganization): Partial<Place> {
  const currency = [told.currency, receiptCurrency].find(
    (code): code is string => typeof code === "string" && isCurrency(code),
  );
  // Locations in several zones do not tell that of the others.
  const zones = [told.timezone, ...(locationZones.length === 1 ? locationZones : [])];
  const timezone = zones
    .map((zone) => (typeof zone === "string" ? timezoneName(zone) : undefined))
    .find((zone) => zone !== undefined);
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/** The one that was last picked, else the smallest that has room for what is left. */
function planOf({ told, devices, activeKeys }: LostOrganization): Plan {
  const picked = PLANS.find((plan) => plan === told.plan);
  const fitting = PLANS.find(
    (plan) => devices <= PLAN_LIMITS[plan].devices && activeKeys <= PLAN_LIMITS[plan].apiKeys,
  );
  return picked ?? fitting ?? "enterprise";
}
