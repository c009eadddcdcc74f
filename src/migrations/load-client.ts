import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';
import type { GeneratedClient } from '../database/generated-client.js';
import { fail } from '../errors/catalogue.js';
import { isClientModule } from './create-client.js';
import { runtimeFolder } from './generate-client.js';

export interface LoadClientOptions {
  /** The folder `generateClient` wrote. */
  readonly dir: string;
  readonly schemaText: string;
}

/** Whether the generated files are there, were made from this schema, and name the runtime where it is: a project may have been moved. */
export async function isClientCurrent({ dir, schemaText }: LoadClientOptions): Promise<boolean> {
  try {
    const [schema, code] = await Promise.all([readFile(join(dir, 'schema.prisma'), 'utf8'), readFile(join(dir, 'index.js'), 'utf8')]);
    return schema === schemaText && code.includes(`require('${runtimeFolder()}/client.js')`);
  } catch {
    return false;
  }
}

/**
 * Loads a generated client as it is on disk now, however often it has been loaded before: each call gives a class of its own.
 *
 * @throws `client/outdated` where it is missing, was made from another schema, or its runtime has moved
 */
export async function loadClient({ dir, schemaText }: LoadClientOptions): Promise<GeneratedClient> {
  if (!(await isClientCurrent({ dir, schemaText }))) throw fail('client/outdated', { folder: dir });
  const folder = await realpath(resolve(dir));
  const require = createRequire(join(folder, 'index.js'));
  for (const path of Object.keys(require.cache)) if (path.startsWith(folder + sep)) delete require.cache[path];
  try {
    const loaded: unknown = require(join(folder, 'index.js'));
    if (isClientModule(loaded)) return loaded;
  } catch (error) {
    throw fail('client/outdated', { folder: dir }, { cause: error });
  }
  throw fail('client/outdated', { folder: dir });
}
