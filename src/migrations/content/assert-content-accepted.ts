import { createError } from '../../errors/catalogue.js';
import type { ContentChange } from './content-plan.js';
import { countNoun } from '../../lib/count-noun.js';

/** Prints `api::article.article price: 3 values, such as "a", "b" (not a whole number)`. */
function describeContentChange({ type, path, values, samples, reason }: ContentChange): string {
  const location = path === null ? type : `${type} ${path}`;
  const examples = samples.length === 0 ? '' : `, such as ${samples.join(', ')}`;
  return `${location}: ${countNoun(values, 'value')}${examples} (${reason})`;
}

/**
 * Refuses a migration that drops values, or leaves values that the new schema does not accept, unless the
 * user has accepted that.
 *
 * @throws `migration/data-loss`, `migration/misfits` with all changes as `details.changes`
 */
export function assertContentAccepted(
  changes: readonly ContentChange[],
  {
    acceptsDataLoss = false,
    acceptsMisfits = false,
  }: { readonly acceptsDataLoss?: boolean; readonly acceptsMisfits?: boolean },
): void {
  const dropped = changes.filter(({ kind }) => kind === 'dropped');
  const misfits = changes.filter(({ kind }) => kind === 'misfit');
  const details = { details: { changes } };
  if (dropped.length > 0 && !acceptsDataLoss)
    throw createError(
      'migration/data-loss',
      { losses: dropped.map(describeContentChange).join('; ') },
      details,
    );
  if (misfits.length > 0 && !acceptsMisfits)
    throw createError(
      'migration/misfits',
      { misfits: misfits.map(describeContentChange).join('; ') },
      details,
    );
}
