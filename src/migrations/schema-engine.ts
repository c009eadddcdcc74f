import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { DialectName } from '../dialects/dialect.js';
import type { MigrationSupport } from '../dialects/migration-support.js';
import { fail } from '../errors/catalogue.js';
import type { MigrationDialect } from './migration-dialect.js';
import { webAssembly } from './web-assembly.js';

type EngineProvider = MigrationSupport['engineProvider'];
type EngineModule = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');

const require = createRequire(import.meta.url);

const loadEngineModule = async (): Promise<EngineModule> => {
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasmPath = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const { instance } = await webAssembly.instantiate(await readFile(wasmPath), { './schema_engine_bg.js': { ...engine } });
  engine.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start !== 'function') throw new TypeError('The schema engine has no __wbindgen_start');
  start();
  return engine;
};

/**
 * A database that is not there. Comparing two texts needs none, but the engine asks PostgreSQL for its version when it starts; this is
 * the answer, so that a comparison gives the same SQL whatever server is near.
 */
const offlineAdapter = (provider: EngineProvider): SqlDriverAdapter => ({
  provider,
  adapterName: 'offline',
  queryRaw: async () => ({
    columnNames: ['exists', 'version', 'numeric_version'],
    columnTypes: [5, 7, 0],
    rows: [[true, 'PostgreSQL 16.0', 160_000]],
  }),
  executeRaw: async () => 0,
  executeScript: async () => undefined,
  startTransaction: () => Promise.reject(new Error('The schema engine asked for a transaction while comparing texts')),
  getConnectionInfo: () => ({ supportsRelationJoins: false }),
  dispose: async () => undefined,
});

const offlineFactory = (provider: EngineProvider): SqlMigrationAwareDriverAdapterFactory => ({
  provider,
  adapterName: 'offline',
  connect: async () => offlineAdapter(provider),
  connectToShadowDb: () => Promise.reject(new Error('The schema engine asked for a shadow database while comparing texts')),
});

// The bindings keep their WebAssembly instance in a variable of their module, so there is one per process whoever asks.
let engineModule: Promise<EngineModule> | undefined;
const engines = new Map<EngineProvider, Promise<SchemaEngine>>();

const createEngine = async (provider: EngineProvider): Promise<SchemaEngine> => {
  engineModule ??= loadEngineModule();
  const [{ SchemaEngine: Engine }, { bindMigrationAwareSqlAdapterFactory }] = await Promise.all([engineModule, import('@prisma/driver-adapter-utils')]);
  return Engine.new({ datamodels: undefined }, () => undefined, bindMigrationAwareSqlAdapterFactory(offlineFactory(provider)));
};

const engineFor = (provider: EngineProvider): Promise<SchemaEngine> => {
  const known = engines.get(provider);
  if (known !== undefined) return known;
  const made = createEngine(provider);
  engines.set(provider, made);
  made.catch(() => engines.delete(provider));
  return made;
};

const emptySchema = (provider: DialectName): string => `datasource db {\n  provider = "${provider}"\n}\n`;

const target = (text: string) => ({ tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content: text }] });

/** The engine's exit code for "they differ". */
const DIFFERENT = 2;

export interface DiffRequest {
  /** Schema text to start from; null: an empty database. */
  readonly from: string | null;
  readonly to: string;
  readonly dialect: Pick<MigrationDialect, 'prismaProvider' | 'migrations'>;
}

/**
 * The SQL that leads from one schema text to another; empty where nothing changes. Touches no database.
 *
 * @throws `migration/invalid-schema` where a text is not a valid Prisma schema.
 */
export async function diffSchemas({ from, to, dialect }: DiffRequest): Promise<string> {
  const engine = await engineFor(dialect.migrations.engineProvider);
  try {
    const { stdout, exitCode } = await engine.diff({
      from: target(from ?? emptySchema(dialect.prismaProvider)),
      to: target(to),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === DIFFERENT ? (stdout ?? '') : '';
  } catch (error) {
    throw fail('migration/invalid-schema', { reason: error instanceof Error ? error.message : String(error) }, { cause: error });
  }
}
