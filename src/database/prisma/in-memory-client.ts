/**
 * Reaches below Prisma's API: calls `getPrismaClient`, which generated clients call, with the datamodel and
 * the query compiler that the generator would write to files. Needed because a development server cannot wait
 * for the generator after every change of a schema.
 */
import { createRequire } from 'node:module';
import { memoizeAsync } from '../../lib/collections.js';
import type { GeneratedClient, PrismaProvider } from './generated-client.js';
import { parseDatamodel } from './datamodel.js';
import type { Datamodel } from './datamodel.js';
import { floatParameters } from './float-parameters.js';
import { webAssembly } from './web-assembly.js';
import type { WasmModule } from './web-assembly.js';

const require = createRequire(import.meta.url);

/** Requires a file of Prisma's runtime that has no types. */
const requireExports = (path: string): Readonly<Record<string, unknown>> => {
  const exports: unknown = require(path);
  if (typeof exports !== 'object' || exports === null) throw new TypeError(`${path} exports nothing`);
  return { ...exports };
};

/** Compiled once, since this takes longer than all other steps combined. The compiled module has no state. */
const loadQueryCompiler = memoizeAsync(async (provider: PrismaProvider): Promise<WasmModule> => {
  const { wasm } = requireExports(`@prisma/client/runtime/query_compiler_fast_bg.${provider}.wasm-base64.js`);
  return webAssembly.compile(Buffer.from(String(wasm), 'base64'));
});

/** The part of the datamodel that the client's runtime reads. The generator writes the same part. */
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

/** The members of a generated client's `Prisma` export, without the names of its models. */
const PRISMA_EXPORTS = [
  'PrismaClientKnownRequestError',
  'PrismaClientUnknownRequestError',
  'PrismaClientRustPanicError',
  'PrismaClientInitializationError',
  'PrismaClientValidationError',
  'Decimal',
  'DbNull',
  'JsonNull',
  'AnyNull',
  'NullTypes',
  'empty',
  'join',
  'raw',
] as const;

const asConstructor = (value: unknown): GeneratedClient['PrismaClient'] => {
  if (typeof value !== 'function') throw new TypeError('getPrismaClient of Prisma Client returned no class');
  return value as GeneratedClient['PrismaClient'];
};

export interface CreateClientOptions {
  readonly schemaText: string;
  readonly provider: PrismaProvider;
}

/**
 * Creates the client of a schema in memory. That takes about 15 ms for 20 content-types, while generating its
 * files takes more than a second. It behaves like the generated client, except that it compiles the plan of
 * every write again (about 0.2 ms each).
 *
 * @throws `migration/invalid-schema` where the text is not a valid Prisma schema
 */
export async function createClient({ schemaText, provider }: CreateClientOptions): Promise<GeneratedClient> {
  const [datamodel, queryCompiler] = await Promise.all([
    parseDatamodel(schemaText),
    loadQueryCompiler(provider),
  ]);
  const runtime = requireExports('@prisma/client/runtime/client.js');
  const { getPrismaClient, sqltag } = runtime;
  const version = requireExports('@prisma/client/package.json')['version'];
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
      getRuntime: async () => requireExports(`@prisma/client/runtime/query_compiler_fast_bg.${provider}.js`),
      getQueryCompilerWasmModule: async () => queryCompiler,
      importName: './query_compiler_fast_bg.js',
    },
  });
  const Prisma = { ...Object.fromEntries(PRISMA_EXPORTS.map((name) => [name, runtime[name]])), sql: sqltag };
  return Object.freeze({ PrismaClient: asConstructor(PrismaClient), Prisma: Object.freeze(Prisma) });
}
