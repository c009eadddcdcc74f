import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { importsRuntime } from '../../database/prisma/client-generator.js';
import { isGeneratedClient } from '../../database/prisma/generated-client.js';
import type { GeneratedClient } from '../../database/prisma/generated-client.js';
import { createError } from '../../errors/catalogue.js';

export interface LoadClientOptions {
  /** The folder that `generateClient` wrote. */
  readonly dir: string;
  readonly schemaText: string;
}

/**
 * True if the generated files exist, come from this schema, and import the runtime from where it is now. The
 * path is wrong once the project has been moved.
 */
export async function isClientCurrent({ dir, schemaText }: LoadClientOptions): Promise<boolean> {
  try {
    const [schema, code] = await Promise.all([
      readFile(join(dir, 'schema.prisma'), 'utf8'),
      readFile(join(dir, 'index.js'), 'utf8'),
    ]);
    return schema === schemaText && importsRuntime(code);
  } catch {
    return false;
  }
}

/**
 * Loads a generated client as it is on disk now. Each call evaluates the files again and returns its own
 * class.
 *
 * @throws `client/outdated` where it is missing, comes from another schema, or its runtime has moved
 */
export async function loadClient({ dir, schemaText }: LoadClientOptions): Promise<GeneratedClient> {
  if (!(await isClientCurrent({ dir, schemaText }))) throw createError('client/outdated', { folder: dir });
  const folder = await realpath(resolve(dir));
  const require = createRequire(join(folder, 'index.js'));
  for (const path of Object.keys(require.cache))
    if (path.startsWith(folder + sep)) delete require.cache[path];
  try {
    const loaded: unknown = require(join(folder, 'index.js'));
    if (isGeneratedClient(loaded)) return loaded;
  } catch (error) {
    throw createError('client/outdated', { folder: dir }, { cause: error });
  }
  throw createError('client/outdated', { folder: dir });
}
