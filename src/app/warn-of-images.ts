import { loadSharp } from '../media/images/load-sharp.js';
import type { Logger } from '../server/logger.js';

/** Says in the log that images cannot be opened on this machine, if so; uploads go on without. */
export async function warnOfImages(logger: Logger): Promise<void> {
  const { fault } = await loadSharp();
  if (fault !== null) logger.warn({ code: fault.code, hint: fault.hint }, fault.message);
}
