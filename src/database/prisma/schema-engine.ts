/**
 * Reaches below Prisma's API: loads the schema engine's WebAssembly module, as Prisma's command line
 * does. Needed because migrations are planned in this process, without the `prisma` package and its child
 * processes.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { createError } from '../../errors/catalogue.js';
import { memoizeAsync } from '../../lib/collections.js';
import type { PrismaProvider } from './generated-client.js';
import { webAssembly } from './web-assembly.js';

type AdapterProvider = SqlDriverAdapter['provider'];
type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');

const ADAPTER_PROVIDERS: Readonly<Record<PrismaProvider, AdapterProvider>> = {
  sqlite: 'sqlite',
  postgresql: 'postgres',
};

const require = createRequire(import.meta.url);

const loadEngineModule = async (): Promise<EngineModule> => {
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasmPath = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const { instance } = await webAssembly.instantiate(await readFile(wasmPath), {
    './schema_engine_bg.js': { ...engine },
  });
  engine.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start !== 'function') throw new TypeError('The schema engine has no __wbindgen_start');
  start();
  return engine;
};

/**
 * An adapter without a database. Comparing two schemas needs none, but the engine asks PostgreSQL for its
 * version when it starts. The fixed reply makes the SQL independent of any server.
 */
const createOfflineAdapter = (provider: AdapterProvider): SqlDriverAdapter => ({
  provider,
  adapterName: 'offline',
  queryRaw: async () => ({
    columnNames: ['exists', 'version', 'numeric_version'],
    columnTypes: [5, 7, 0],
    rows: [[true, 'PostgreSQL 16.0', 160_000]],
  }),
  executeRaw: async () => 0,
  executeScript: async () => undefined,
  startTransaction: () =>
    Promise.reject(new Error('The schema engine asked for a transaction while comparing schemas')),
  getConnectionInfo: () => ({ supportsRelationJoins: false }),
  dispose: async () => undefined,
});

const createOfflineFactory = (provider: AdapterProvider): SqlMigrationAwareDriverAdapterFactory => ({
  provider,
  adapterName: 'offline',
  connect: async () => createOfflineAdapter(provider),
  connectToShadowDb: () =>
    Promise.reject(new Error('The schema engine asked for a shadow database while comparing schemas')),
});

// The module keeps its WebAssembly instance in a variable, so there can be one per process only.
let engineModule: Promise<EngineModule> | undefined;

const engineFor = memoizeAsync(async (provider: PrismaProvider): Promise<SchemaEngine> => {
  engineModule ??= loadEngineModule();
  const [{ SchemaEngine: Engine }, { bindMigrationAwareSqlAdapterFactory }] = await Promise.all([
    engineModule,
    import('@prisma/driver-adapter-utils'),
  ]);
  return Engine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(createOfflineFactory(ADAPTER_PROVIDERS[provider])),
  );
});

const emptySchema = (provider: PrismaProvider): string => `datasource db {\n  provider = "${provider}"\n}\n`;

const schemaSource = (text: string) => ({
  tag: 'schemaDatamodel' as const,
  files: [{ path: 'schema.prisma', content: text }],
});

/** The engine's exit code where the schemas differ. */
const EXIT_CODE_DIFFERENT = 2;

export interface DiffRequest {
  /** The schema to start from. Null stands for an empty database. */
  readonly from: string | null;
  readonly to: string;
  readonly provider: PrismaProvider;
}

/**
 * Returns the SQL that turns one schema into another; empty where they are equal. Connects to no database.
 *
 * @throws `migration/invalid-schema` where a text is not a valid Prisma schema
 */
export async function diffSchemas({ from, to, provider }: DiffRequest): Promise<string> {
  const engine = await engineFor(provider);
  const { stdout, exitCode } = await engine
    .diff({
      from: schemaSource(from ?? emptySchema(provider)),
      to: schemaSource(to),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    })
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw createError('migration/invalid-schema', { reason }, { cause: error });
    });
  if (exitCode !== EXIT_CODE_DIFFERENT) return '';
  if (stdout === null) throw new TypeError('The schema engine found a difference but returned no SQL');
  return stdout;
}
