import { fail } from '../errors/catalogue.js';
import { describeLoss, losesData } from './at-stake.js';
import type { Loss } from './at-stake.js';

const refuse = (code: 'migration/data-loss' | 'migration/rows-in-the-way', losses: readonly Loss[]) =>
  fail(code, { losses: losses.map(describeLoss).join('; ') }, { details: { losses } });

/**
 * Stops a migration that existing rows would not survive. Rows that break a new constraint stop it even where data loss is accepted,
 * since the database would refuse the constraint anyway, half-way through.
 *
 * @throws `migration/data-loss` with `details.losses`, every one of them
 * @throws `migration/rows-in-the-way` with those that cannot be accepted
 */
export function assertNoLoss(losses: readonly Loss[], acceptsDataLoss: boolean): void {
  if (!acceptsDataLoss && losses.some(losesData)) throw refuse('migration/data-loss', losses);
  const blocking = losses.filter((loss) => !losesData(loss));
  if (blocking.length > 0) throw refuse('migration/rows-in-the-way', blocking);
}
