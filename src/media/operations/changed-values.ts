import { parseFileInfo } from '../file-info.js';
import type { FileValues } from '../file-hooks.js';
import { infoValues } from '../file-table.js';

/**
 * The values to write when others have taken part: what is said of the file may have changed, what was found out about its content stays.
 *
 * @throws `upload/invalid-info`
 */
export function changedValues(own: FileValues, changed: FileValues | null): FileValues {
  return changed === null || changed === own ? own : { ...own, ...infoValues(parseFileInfo(changed)) };
}
