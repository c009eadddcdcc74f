/**
 * Reaches below Prisma's API: calls `getPrismaClient`, which generated clients call, with the datamodel and
 * the query compiler that the generator would write to files, and builds the parameterization graph of
 * `@prisma/param-graph`. Needed because a development server cannot wait for the generator after every change
 * of a schema, and because a client without the graph rounds floats to fifteen digits.
 */
import { createRequire } from 'node:module';
import { EdgeFlag, scalarTypeToMask, serializeParamGraph } from '@prisma/param-graph';
import type { InputEdgeData, SerializedParamGraph } from '@prisma/param-graph';
import { memoizeAsync } from '../../lib/collections.js';
import type { GeneratedClient, PrismaProvider } from './generated-client.js';
import { parseDatamodel } from './datamodel.js';
import type { Datamodel, DatamodelModel } from './datamodel.js';
import { webAssembly } from './web-assembly.js';
import type { WasmModule } from './web-assembly.js';

/** The arguments of each operation that contain rows to write. */
const WRITE_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  createOne: ['data'],
  createMany: ['data'],
  createManyAndReturn: ['data'],
  updateOne: ['data'],
  updateMany: ['data'],
  updateManyAndReturn: ['data'],
  upsertOne: ['create', 'update'],
};
const UPDATE_OPERATORS = ['set', 'increment', 'decrement', 'multiply', 'divide'];
const OBJECT_FLAGS = EdgeFlag.Object | EdgeFlag.ListObject;
const FLOAT_EDGE: InputEdgeData = { flags: EdgeFlag.ParamScalar, scalarMask: scalarTypeToMask('Float') };

type Edges = Readonly<Record<string, InputEdgeData>>;

interface GraphBuilder {
  readonly addNode: (edges: Edges) => number;
  readonly setEdges: (node: number, edges: Edges) => void;
  readonly finish: (roots: Readonly<Record<string, number>>) => SerializedParamGraph;
}

const createGraphBuilder = (): GraphBuilder => {
  const indexes = new Map<string, number>();
  const inputNodes: { edges: Record<number, InputEdgeData> }[] = [];
  const intern = (text: string): number => {
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    return index;
  };
  const indexEdges = (edges: Edges): Record<number, InputEdgeData> =>
    Object.fromEntries(Object.entries(edges).map(([name, edge]) => [intern(name), edge]));
  return {
    addNode: (edges) => inputNodes.push({ edges: indexEdges(edges) }) - 1,
    setEdges: (node, edges) => {
      const target = inputNodes[node];
      if (target !== undefined) target.edges = indexEdges(edges);
    },
    finish: (roots) => {
      const entries = Object.entries(roots).map(([name, argsNodeId]) => {
        intern(name);
        return [name, { argsNodeId }] as const;
      });
      return serializeParamGraph({
        strings: [...indexes.keys()],
        inputNodes,
        outputNodes: [],
        roots: Object.fromEntries(entries),
      });
    },
  };
};

/** The nested writes of a relation field, each of which may contain rows of the related model. */
const relationEdge = (graph: GraphBuilder, rowNode: number): InputEdgeData => {
  const rowsEdge: InputEdgeData = { flags: OBJECT_FLAGS, childNodeId: rowNode };
  const wrappedEdge: InputEdgeData = {
    flags: OBJECT_FLAGS,
    childNodeId: graph.addNode({ data: rowsEdge, create: rowsEdge, update: rowsEdge }),
  };
  // An update takes the row itself, or a `data` member next to a condition.
  const updateEdge: InputEdgeData = { flags: OBJECT_FLAGS, childNodeId: graph.addNode({ data: rowsEdge }) };
  const childNodeId = graph.addNode({
    create: rowsEdge,
    createMany: wrappedEdge,
    connectOrCreate: wrappedEdge,
    upsert: wrappedEdge,
    update: updateEdge,
    updateMany: updateEdge,
  });
  return { flags: OBJECT_FLAGS, childNodeId };
};

const rowEdges = (
  graph: GraphBuilder,
  { fields }: DatamodelModel,
  rowNodes: ReadonlyMap<string, number>,
  floatEdge: InputEdgeData,
): Edges => {
  const edges: Record<string, InputEdgeData> = {};
  for (const field of fields) {
    const relatedRow = rowNodes.get(field.type);
    if (field.kind === 'scalar' && field.type === 'Float') edges[field.name] = floatEdge;
    else if (relatedRow !== undefined) edges[field.name] = relationEdge(graph, relatedRow);
  }
  return edges;
};

/**
 * Returns the graph of the values that the client passes to the driver as parameters. It prints all other
 * values into its query text, with fifteen digits per number, so every Float of a write must be a parameter.
 * Prisma's generator lists all values, from a description of the whole query API that takes a second to
 * build; this graph lists Floats only.
 */
export function floatParameters({ models }: Datamodel): SerializedParamGraph {
  const graph = createGraphBuilder();
  const operatorsNode = graph.addNode(Object.fromEntries(UPDATE_OPERATORS.map((name) => [name, FLOAT_EDGE])));
  const floatEdge: InputEdgeData = {
    ...FLOAT_EDGE,
    flags: FLOAT_EDGE.flags | EdgeFlag.Object,
    childNodeId: operatorsNode,
  };
  const rowNodes = new Map(models.map(({ name }) => [name, graph.addNode({})]));
  const roots: Record<string, number> = {};
  for (const model of models) {
    const rowNode = rowNodes.get(model.name);
    if (rowNode === undefined) continue;
    graph.setEdges(rowNode, rowEdges(graph, model, rowNodes, floatEdge));
    for (const [operation, names] of Object.entries(WRITE_ARGUMENTS)) {
      roots[`${model.name}.${operation}`] = graph.addNode(
        Object.fromEntries(names.map((name) => [name, { flags: OBJECT_FLAGS, childNodeId: rowNode }])),
      );
    }
  }
  return graph.finish(roots);
}

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

interface CreateClientOptions {
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
