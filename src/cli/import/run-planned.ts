import type { PlannedImport } from '../../project/archives/import-content.js';
import { createError } from '../../errors/catalogue.js';
import type { Progress } from '../terminal/progress.js';
import { stopOnSignal } from '../terminal/signals.js';

/**
 * Runs an import that was planned. A signal to stop ends it after the transaction that is being written.
 *
 * @throws `cli/stopped`, and the errors of the import
 */
export async function runPlanned(run: PlannedImport['run'], { update }: Progress): Promise<void> {
  let done = '';
  await stopOnSignal(async (signal) => {
    try {
      await run((detail) => {
        done = detail;
        update(detail);
      }, signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      const remedy = 'What was written stays. Run the same command again: it goes on.';
      throw createError('cli/stopped', { work: 'The import', done, remedy }, { cause: error });
    }
  });
}
