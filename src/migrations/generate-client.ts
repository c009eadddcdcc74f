import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DialectName } from '../dialects/dialect.js';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';

const require = createRequire(import.meta.url);

/**
 * Runs in a thread of its own: the generator keeps a processor busy for a second, loads 200 ms of modules that nothing else needs, and
 * gives its memory back when the thread ends. As text, so that it is found both in the sources and in the build.
 */
const GENERATE = `
const { parentPort, workerData } = require('node:worker_threads');
const run = async () => {
  const { getDMMF } = require(workerData.getDmmf);
  const dmmf = getDMMF({ datamodel: workerData.options.datamodel });
  if ('error' in dmmf) throw dmmf.error;
  await require(workerData.generator).generateClient({ ...workerData.options, dmmf });
};
run().then(() => parentPort.postMessage({}), (error) => parentPort.postMessage({ reason: String(error && error.message || error) }));
`;

const runGenerator = (options: Readonly<Record<string, unknown>>): Promise<void> =>
  new Promise((resolve, reject) => {
    const workerData = { options, getDmmf: require.resolve('@prisma/get-dmmf'), generator: require.resolve('@prisma/client-generator-js') };
    const worker = new Worker(GENERATE, { eval: true, workerData, execArgv: [] });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The generator ended with ${code}`)));
    worker.once('message', (message: unknown) => {
      if (isRecord(message) && message['reason'] === undefined) resolve();
      else reject(fail('client/not-generated', { reason: isRecord(message) ? message['reason'] : message }));
    });
  });

/** Where the toolkit's own copy of Prisma's runtime is, as generated files name it. */
export const runtimeFolder = (): string => dirname(require.resolve('@prisma/client/runtime/client.js')).split(sep).join('/');

/** What `prisma generate` would hand to the generator; the client takes the toolkit's own copy of Prisma's runtime by its absolute path. */
const generatorOptions = (schemaText: string, outputDir: string, provider: DialectName): Readonly<Record<string, unknown>> => {
  const runtime = runtimeFolder();
  const { version } = require('@prisma/client/package.json') as { readonly version: string };
  const schemaPath = join(outputDir, 'schema.prisma');
  return {
    datamodel: schemaText,
    schemaPath,
    outputDir,
    // The generator's only way to be told both where to write and where the runtime is, without copying the runtime.
    testMode: true,
    runtimeBase: runtime,
    runtimeSourcePath: runtime,
    copyRuntime: false,
    generator: {
      name: 'client',
      provider: { value: 'prisma-client-js', fromEnvVar: null },
      output: { value: outputDir, fromEnvVar: null },
      config: {},
      binaryTargets: [],
      previewFeatures: [],
      sourceFilePath: schemaPath,
    },
    datasources: [{ name: 'db', provider, activeProvider: provider, schemas: [], sourceFilePath: schemaPath }],
    binaryPaths: {},
    engineVersion: version,
    clientVersion: version,
    activeProvider: provider,
    compilerBuild: 'fast',
  };
};

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST');
const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Puts a finished folder in the place of another. */
const swap = async (fresh: string, place: string): Promise<void> => {
  for (;;) {
    const old = join(dirname(place), `.${basename(place)}-${randomUUID()}`);
    await rename(place, old).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    try {
      await rename(fresh, place);
      return;
    } catch (error) {
      if (!isTaken(error)) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
};

export interface GenerateClientOptions {
  readonly schemaText: string;
  /** Absolute; replaced as a whole. */
  readonly outputDir: string;
  readonly provider: DialectName;
}

/**
 * Generates the Prisma Client's files, types included, the way `prisma generate` does, without a child process or an engine. The folder
 * is complete at every moment. Returns the names of its files.
 *
 * @throws `client/not-generated` where the schema is refused
 */
export async function generateClient({ schemaText, outputDir, provider }: GenerateClientOptions): Promise<readonly string[]> {
  await mkdir(dirname(outputDir), { recursive: true });
  const fresh = join(dirname(outputDir), `.${basename(outputDir)}-${randomUUID()}`);
  try {
    await runGenerator(generatorOptions(schemaText, fresh, provider));
    const files = (await readdir(fresh)).toSorted();
    await swap(fresh, outputDir);
    return files;
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}
