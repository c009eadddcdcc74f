import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { importsRuntime, runClientGenerator } from '../database/prisma/client-generator.js';
import { isGeneratedClient } from '../database/prisma/generated-client.js';
import type { GeneratedClient, PrismaProvider } from '../database/prisma/generated-client.js';
import { createError } from '../errors/catalogue.js';
import { hasErrorCode } from '../lib/caught-errors.js';

export interface LoadClientOptions {
  /** The folder that `generateClient` wrote. */
  readonly dir: string;
  readonly schemaText: string;
}

/**
 * True if the generated files exist, come from this schema, and import the runtime from its current path. The
 * path changes when the project is moved.
 */
export function isClientCurrent({ dir, schemaText }: LoadClientOptions): boolean {
  try {
    return (
      readFileSync(join(dir, 'schema.prisma'), 'utf8') === schemaText &&
      importsRuntime(readFileSync(join(dir, 'index.js'), 'utf8'))
    );
  } catch {
    return false;
  }
}

/**
 * Loads the generated client from disk, at once, because project code reads it as a property. Each call
 * evaluates the files again and returns a new class.
 *
 * @throws `client/outdated` if it is missing, comes from another schema, or its runtime has moved
 */
export function loadClient({ dir, schemaText }: LoadClientOptions): GeneratedClient {
  if (!isClientCurrent({ dir, schemaText })) throw createError('client/outdated', { folder: dir });
  const folder = realpathSync(resolve(dir));
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

/** Replaces a folder by a complete new one. Retries if another process replaces it at the same time. */
const replaceDirectory = async (newDirectory: string, targetDirectory: string): Promise<void> => {
  for (;;) {
    const oldDirectory = join(dirname(targetDirectory), `.${basename(targetDirectory)}-${randomUUID()}`);
    await rename(targetDirectory, oldDirectory).catch((error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    });
    try {
      await rename(newDirectory, targetDirectory);
      return;
    } catch (error) {
      if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    } finally {
      await rm(oldDirectory, { recursive: true, force: true });
    }
  }
};

interface GenerateClientOptions {
  readonly schemaText: string;
  /** Absolute path of the folder, which is replaced as a whole. */
  readonly outputDir: string;
  readonly provider: PrismaProvider;
}

/**
 * Generates the files of the Prisma Client, types included, as `prisma generate` does. The folder is complete
 * at every moment. Returns the names of its files.
 *
 * @throws `client/generation-failed` if the generator rejects the schema
 */
export async function generateClient({
  schemaText,
  outputDir,
  provider,
}: GenerateClientOptions): Promise<readonly string[]> {
  await mkdir(dirname(outputDir), { recursive: true });
  const newDirectory = join(dirname(outputDir), `.${basename(outputDir)}-${randomUUID()}`);
  try {
    await runClientGenerator({ schemaText, outputDir: newDirectory, provider });
    const files = (await readdir(newDirectory)).toSorted();
    await replaceDirectory(newDirectory, outputDir);
    return files;
  } catch (error) {
    await rm(newDirectory, { recursive: true, force: true });
    throw error;
  }
}
