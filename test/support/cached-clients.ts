import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { runClientGenerator as generate } from '../../src/database/prisma/client-generator.js';
import type { ClientGeneratorOptions } from '../../src/database/prisma/client-generator.js';

export { importsRuntime } from '../../src/database/prisma/client-generator.js';

/** The query compiler, which is most of a client and the same in all of a database. */
const COMPILER = /\.wasm/;

/** The first client that this process has cached, by provider. */
const firstClients = new Map<string, string>();

/** Copies a client. Links its query compiler, so that many clients fit in memory. */
const copyClient = async (from: string, to: string, compilerFolder = from): Promise<void> => {
  await mkdir(to, { recursive: true });
  const copyEntry = (name: string): Promise<void> =>
    COMPILER.test(name)
      ? link(join(compilerFolder, name), join(to, name))
      : copyFile(join(from, name), join(to, name));
  await Promise.all((await readdir(from)).map(copyEntry));
};

/**
 * Takes the place of the client generator: copies the client of a schema that this run has generated before,
 * since most tests begin with the same few schemas. `test/contract/database/prisma` tests the generator
 * itself.
 */
export async function runClientGenerator(options: ClientGeneratorOptions): Promise<void> {
  const { schemaText, provider, outputDir } = options;
  const name = createHash('sha1').update(`${provider}\n${schemaText}`).digest('hex');
  const cached = join(inject('runFolder'), `client-${name}`);
  if (existsSync(cached)) return copyClient(cached, outputDir);
  await generate(options);
  const copy = join(inject('runFolder'), randomUUID());
  await copyClient(outputDir, copy, firstClients.get(provider));
  // Another worker may have been first.
  await rename(copy, cached).catch(() => undefined);
  if (!firstClients.has(provider)) firstClients.set(provider, cached);
}
