import type { MigrateProjectOptions } from '../../project/migrate-project.js';
import type { Progress } from '../terminal/progress.js';

/** Shows which migration runs, how far its code has come, and what the code prints. */
export function reportMigrationProgress({
  update,
  log,
}: Progress): Required<Pick<MigrateProjectOptions, 'onProgress' | 'onMessage' | 'onCopy'>> {
  return {
    onProgress: ({ name, completed, total, detail }) =>
      update(`${name} (${completed} of ${total})${detail === undefined ? '' : `: ${detail}`}`),
    onMessage: log,
    onCopy: (path) => log(`Copied the database first, to ${path}. To bring it back: cms migrate undo`),
  };
}
