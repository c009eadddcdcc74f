import { createRequire } from 'node:module';
import type { GeneratedClient } from '../database/generated-client.js';
import type { DialectName } from '../dialects/dialect.js';
import { isRecord } from '../lib/is-record.js';
import { parseDatamodel } from './datamodel.js';
import type { Datamodel } from './datamodel.js';
import { floatParameters } from './float-parameters.js';
import { webAssembly } from './web-assembly.js';
import type { WasmModule } from './web-assembly.js';

const require = createRequire(import.meta.url);

/** Files of Prisma's runtime that its package has no types for. */
const requireRecord = (path: string): Readonly<Record<string, unknown>> => {
  const exports: unknown = require(path);
  if (typeof exports !== 'object' || exports === null) throw new TypeError(`${path} exports nothing`);
  return { ...exports };
};

const compileQueryCompiler = async (provider: DialectName): Promise<WasmModule> => {
  const { wasm } = requireRecord(`@prisma/client/runtime/query_compiler_fast_bg.${provider}.wasm-base64.js`);
  return webAssembly.compile(Buffer.from(String(wasm), 'base64'));
};

// Compiling takes longer than everything else here together, and the compiled module holds no state.
const queryCompilers = new Map<DialectName, Promise<WasmModule>>();

const loadQueryCompiler = (provider: DialectName): Promise<WasmModule> => {
  const known = queryCompilers.get(provider);
  if (known !== undefined) return known;
  const compiled = compileQueryCompiler(provider);
  queryCompilers.set(provider, compiled);
  compiled.catch(() => queryCompilers.delete(provider));
  return compiled;
};

/** The datamodel as far as the client's runtime reads it; the generator leaves the same out. */
const pruneDatamodel = ({ models }: Datamodel) => ({
  models: Object.fromEntries(
    models.map(({ name, dbName, schema, fields }) => [
      name,
      {
        fields: fields.map((field) => ({
          name: field.name,
          kind: field.kind,
          type: field.type,
          ...(field.relationName === undefined ? {} : { relationName: field.relationName }),
          ...(field.dbName === undefined || field.dbName === null ? {} : { dbName: field.dbName }),
        })),
        dbName,
        schema,
      },
    ]),
  ),
  enums: {},
  types: {},
});

/** What a generated client exports as `Prisma`, beside the names of its models. */
const PRISMA_EXPORTS = [
  'PrismaClientKnownRequestError', 'PrismaClientUnknownRequestError', 'PrismaClientRustPanicError', 'PrismaClientInitializationError', 'PrismaClientValidationError',
  'Decimal', 'DbNull', 'JsonNull', 'AnyNull', 'NullTypes', 'empty', 'join', 'raw',
] as const;

const asConstructor = (value: unknown): GeneratedClient['PrismaClient'] => {
  if (typeof value !== 'function') throw new TypeError('Prisma Client made no class');
  return value as GeneratedClient['PrismaClient'];
};

export interface CreateClientOptions {
  readonly schemaText: string;
  readonly provider: DialectName;
}

/**
 * Makes the client of a schema in memory: some 15 ms for 20 content-types, where generating its files takes more than a second. It does
 * what the generated one does, except that it plans every write anew (about 0.2 ms each), so it suits a development server, which cannot
 * wait, and is no stranger to production.
 *
 * @throws `migration/invalid-schema`
 */
export async function createClient({ schemaText, provider }: CreateClientOptions): Promise<GeneratedClient> {
  const [datamodel, queryCompiler] = await Promise.all([parseDatamodel(schemaText), loadQueryCompiler(provider)]);
  const runtime = requireRecord('@prisma/client/runtime/client.js');
  const { getPrismaClient, sqltag } = runtime;
  const version = requireRecord('@prisma/client/package.json')['version'];
  if (typeof getPrismaClient !== 'function') throw new TypeError('Prisma Client has no getPrismaClient');
  const PrismaClient: unknown = getPrismaClient({
    previewFeatures: [],
    clientVersion: version,
    engineVersion: version,
    activeProvider: provider,
    inlineSchema: schemaText,
    runtimeDataModel: pruneDatamodel(datamodel),
    parameterizationSchema: floatParameters(datamodel),
    compilerWasm: {
      getRuntime: async () => requireRecord(`@prisma/client/runtime/query_compiler_fast_bg.${provider}.js`),
      getQueryCompilerWasmModule: async () => queryCompiler,
      importName: './query_compiler_fast_bg.js',
    },
  });
  const Prisma = { ...Object.fromEntries(PRISMA_EXPORTS.map((name) => [name, runtime[name]])), sql: sqltag };
  return Object.freeze({ PrismaClient: asConstructor(PrismaClient), Prisma: Object.freeze(Prisma) });
}

/** Whether a module loaded from files is a generated client. */
export function isClientModule(value: unknown): value is GeneratedClient {
  return isRecord(value) && typeof value['PrismaClient'] === 'function' && isRecord(value['Prisma']);
}
