import { createError } from '../../errors/catalogue.js';
import { describeLoss, losesData } from './destructive-change.js';
import type { Loss } from './destructive-change.js';

const lossError = (code: 'migration/data-loss' | 'migration/constraint-violation', losses: readonly Loss[]) =>
  createError(code, { losses: losses.map(describeLoss).join('; ') }, { details: { losses } });

/**
 * Refuses a migration with losses. Rows that violate a new constraint are refused even where data loss is
 * accepted, since the database would refuse the constraint in the middle of the migration.
 *
 * @throws `migration/data-loss` with all losses as `details.losses`
 * @throws `migration/constraint-violation` with the losses that cannot be accepted
 */
export function assertNoLoss(losses: readonly Loss[], acceptsDataLoss: boolean): void {
  if (!acceptsDataLoss && losses.some(losesData)) throw lossError('migration/data-loss', losses);
  const blocking = losses.filter((loss) => !losesData(loss));
  if (blocking.length > 0) throw lossError('migration/constraint-violation', blocking);
}
