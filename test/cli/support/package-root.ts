import { fileURLToPath } from 'node:url';

/** The package's own folder, with a trailing separator. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url));
