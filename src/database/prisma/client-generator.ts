/**
 * Reaches below Prisma's API: calls `generateClient` of `@prisma/client-generator-js` in its test mode.
 * Needed because only that mode accepts both an output folder and the path of a runtime that is not copied,
 * and because `prisma generate` would need the `prisma` package and a child process. Imports the functions of
 * `@prisma/internals` that the generator uses from single files of that package, because loading all of it,
 * with the download of engines, takes a fifth of the time.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { PrismaProvider } from './generated-client.js';

const require = createRequire(import.meta.url);

/**
 * The files of `@prisma/internals` with the functions that the generator uses. Other functions load the
 * package.
 */
export const INTERNAL_FILES: Readonly<Record<string, string>> = {
  externalToInternalDmmf: 'engine-commands/getDmmf.js',
  hasOwnProperty: 'utils/hasOwnProperty.js',
  isValidJsIdentifier: 'utils/isValidJsIdentifier.js',
  pathToPosix: 'utils/path.js',
  setClassName: 'utils/setClassName.js',
};

/** The main file of `@prisma/internals`, which is a dependency of the generator only. */
export const internalsFile = (): string =>
  createRequire(require.resolve('@prisma/client-generator-js')).resolve('@prisma/internals');

/**
 * Runs in a worker thread: the generator needs most of a second of CPU time, and the memory is released when
 * the thread ends. It is a string so that it is found in the sources and in the build.
 */
const WORKER_SOURCE = `
const { dirname, join } = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
const { internals, internalFiles } = workerData;
const loadInternals = () => {
  delete require.cache[internals];
  return require(internals);
};
const functionOf = (_, name) => {
  const known = Object.hasOwn(internalFiles, name);
  return (known ? require(join(dirname(internals), internalFiles[name])) : loadInternals())[name];
};
require.cache[internals] = {
  id: internals,
  filename: internals,
  loaded: true,
  exports: new Proxy({}, { get: functionOf }),
};
const run = async (options) => {
  const { getDMMF } = require(workerData.getDmmf);
  const dmmf = getDMMF({ datamodel: options.datamodel });
  if ('error' in dmmf) throw dmmf.error;
  await require(workerData.generator).generateClient({ ...options, dmmf });
};
const reasonOf = (error) => String((error && error.message) || error);
parentPort.on('message', (options) => {
  run(options).then(
    () => parentPort.postMessage({}),
    (error) => parentPort.postMessage({ reason: reasonOf(error) }),
  );
});
`;

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

const startThread = (): Worker => {
  const workerData = {
    getDmmf: require.resolve('@prisma/get-dmmf'),
    generator: require.resolve('@prisma/client-generator-js'),
    internals: internalsFile(),
    internalFiles: INTERNAL_FILES,
  };
  return new Worker(WORKER_SOURCE, { eval: true, workerData, execArgv: [] });
};

/** Milliseconds for which a thread is kept for the next client, which then takes a third of the time. */
const KEPT_MS = 5000;

/** A thread that has done its work and is kept for a while. `end` ends it. */
let spare: { readonly thread: Worker; readonly timer: NodeJS.Timeout; readonly end: () => void } | null =
  null;

const takeThread = (): Worker => {
  if (spare === null) return startThread();
  const { thread, timer, end } = spare;
  spare = null;
  clearTimeout(timer);
  thread.off('exit', end);
  thread.ref();
  return thread;
};

const keepThread = (thread: Worker): void => {
  const end = (): void => {
    if (spare?.thread === thread) spare = null;
    void thread.terminate();
  };
  if (spare !== null) return end();
  thread.once('exit', end);
  // Neither keeps the process from ending.
  thread.unref();
  spare = { thread, timer: setTimeout(end, KEPT_MS).unref(), end };
};

/** Generates a client in a thread. Returns the thread's message. */
const generateIn = async (thread: Worker, options: ClientGeneratorOptions): Promise<unknown> => {
  const responded = new AbortController();
  const { signal } = responded;
  const ended = once(thread, 'exit', { signal }).then(([code]) => {
    throw new Error(`The client generator ended with exit code ${String(code)}`);
  });
  try {
    thread.postMessage(generatorOptions(options));
    const [message] = (await Promise.race([once(thread, 'message', { signal }), ended])) as [unknown];
    return message;
  } finally {
    responded.abort();
  }
};

/**
 * Writes the files of the Prisma Client, types included, into a folder.
 *
 * @throws `client/generation-failed` where the generator refuses the schema
 */
export async function runClientGenerator(options: ClientGeneratorOptions): Promise<void> {
  const thread = takeThread();
  const message = await generateIn(thread, options);
  const reason = isRecord(message) ? message['reason'] : message;
  if (reason === undefined) return keepThread(thread);
  void thread.terminate();
  throw createError('client/generation-failed', { reason });
}

/** True if the code of a generated `index.js` imports the runtime from where it is now. */
export function importsRuntime(code: string): boolean {
  return code.includes(`require('${runtimeFolder()}/client.js')`);
}
