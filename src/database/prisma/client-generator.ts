/**
 * Reaches below Prisma's API: calls `generateClient` of `@prisma/client-generator-js` in its test mode.
 * Needed because only that mode accepts both an output folder and the path of a runtime that is not copied,
 * and because `prisma generate` would need the `prisma` package and a child process.
 */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tinypool } from 'tinypool';
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/caught-errors.js';
import type { PrismaProvider } from './generated-client.js';

const require = createRequire(import.meta.url);

/** The folder of Galley's copy of Prisma's runtime, as generated files name it. */
const runtimeFolder = (): string =>
  dirname(require.resolve('@prisma/client/runtime/client.js')).split(sep).join('/');

export interface ClientGeneratorOptions {
  readonly schemaText: string;
  /** An absolute path. */
  readonly outputDir: string;
  readonly provider: PrismaProvider;
}

/** The options that `prisma generate` would pass to the generator, with the path of the toolkit's runtime. */
const generatorOptions = ({
  schemaText,
  outputDir,
  provider,
}: ClientGeneratorOptions): Readonly<Record<string, unknown>> => {
  const runtime = runtimeFolder();
  const { version } = require('@prisma/client/package.json') as { readonly version: string };
  const schemaPath = join(outputDir, 'schema.prisma');
  return {
    datamodel: schemaText,
    schemaPath,
    outputDir,
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
    datasources: [
      { name: 'db', provider, activeProvider: provider, schemas: [], sourceFilePath: schemaPath },
    ],
    binaryPaths: {},
    engineVersion: version,
    clientVersion: version,
    activeProvider: provider,
    compilerBuild: 'fast',
  };
};

const THREAD = fileURLToPath(new URL('./generator-thread.cjs', import.meta.url));
/** A thread that is kept for the next client needs a third of the time. */
const IDLE_MS = 5000;

const createThreads = async (): Promise<Tinypool> => {
  const { Tinypool: Threads } = await import('tinypool');
  const name = 'generateInThread';
  return new Threads({
    filename: THREAD,
    name,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: IDLE_MS,
    execArgv: [],
  });
};

let threads: Promise<Tinypool> | undefined;

/**
 * Writes the files of the Prisma Client, types included, into a folder. A thread does it: the generator needs
 * most of a second of CPU time, and its memory is released when the thread ends.
 *
 * @throws `client/generation-failed` where the generator refuses the schema
 */
export async function runClientGenerator(options: ClientGeneratorOptions): Promise<void> {
  threads ??= createThreads();
  try {
    await (await threads).run(generatorOptions(options));
  } catch (error) {
    throw createError('client/generation-failed', { reason: messageOf(error) }, { cause: error });
  }
}

/** True if the code of a generated `index.js` imports the runtime from where it is now. */
export function importsRuntime(code: string): boolean {
  return code.includes(`require('${runtimeFolder()}/client.js')`);
}
