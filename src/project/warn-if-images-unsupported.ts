import { loadSharp } from '../media/images/load-sharp.js';
import type { Logger } from '../server/logger.js';

/** Logs a warning if the image library cannot be loaded. Uploaded images are then stored unchanged. */
export async function warnIfImagesUnsupported(logger: Logger): Promise<void> {
  const { error: loadError } = await loadSharp();
  if (loadError !== null) logger.warn({ code: loadError.code, hint: loadError.hint }, loadError.message);
}
