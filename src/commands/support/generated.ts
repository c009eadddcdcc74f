import type { GeneratedChange } from '../../app/generated-files.js';
import { printUnifiedDiff } from '../../lib/unified-diff.js';

/** Generated files that would change, as unified diffs. */
export function printGenerated(changes: readonly GeneratedChange[]): string {
  return changes.map(printUnifiedDiff).join('');
}
