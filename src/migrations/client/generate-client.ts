import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasErrorCode } from '../../lib/error-code.js';
import { runClientGenerator } from '../../database/prisma/client-generator.js';
import type { PrismaProvider } from '../../database/prisma/provider.js';

/** Replaces a folder by a complete new one. Repeats where another process replaces it at the same time. */
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

export interface GenerateClientOptions {
  readonly schemaText: string;
  /** An absolute path. The folder is replaced as a whole. */
  readonly outputDir: string;
  readonly provider: PrismaProvider;
}

/**
 * Generates the files of the Prisma Client, types included, as `prisma generate` does. The folder is complete
 * at every moment. Returns the names of its files.
 *
 * @throws `client/generation-failed` where the generator refuses the schema
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
