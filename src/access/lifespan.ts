export const LIFESPANS = ['7d', '30d', '90d', 'unlimited'] as const;
export type Lifespan = (typeof LIFESPANS)[number];

const DAY = 24 * 60 * 60 * 1000;
const DAYS: Readonly<Record<Lifespan, number | null>> = { '7d': 7, '30d': 30, '90d': 90, unlimited: null };

/** When a token made at `now` (milliseconds) stops working, as ISO text; null: never. */
export function expiryOf(lifespan: Lifespan, now: number): string | null {
  const days = DAYS[lifespan];
  return days === null ? null : new Date(now + days * DAY).toISOString();
}
