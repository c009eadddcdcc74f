import { EdgeFlag, scalarTypeToMask, serializeParamGraph } from '@prisma/param-graph';
import type { InputEdgeData, SerializedParamGraph } from '@prisma/param-graph';
import type { Datamodel, DatamodelModel } from './datamodel.js';

/** The arguments in which an operation takes rows to write. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  createOne: ['data'],
  createMany: ['data'],
  createManyAndReturn: ['data'],
  updateOne: ['data'],
  updateMany: ['data'],
  updateManyAndReturn: ['data'],
  upsertOne: ['create', 'update'],
};
const CHANGES = ['set', 'increment', 'decrement', 'multiply', 'divide'];
const OBJECTS = EdgeFlag.Object | EdgeFlag.ListObject;
const FLOAT: InputEdgeData = { flags: EdgeFlag.ParamScalar, scalarMask: scalarTypeToMask('Float') };

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
  const numbered = (edges: Edges): Record<number, InputEdgeData> => Object.fromEntries(Object.entries(edges).map(([name, edge]) => [intern(name), edge]));
  return {
    addNode: (edges) => inputNodes.push({ edges: numbered(edges) }) - 1,
    setEdges: (node, edges) => {
      const target = inputNodes[node];
      if (target !== undefined) target.edges = numbered(edges);
    },
    finish: (roots) => {
      const entries = Object.entries(roots).map(([name, argsNodeId]) => {
        intern(name);
        return [name, { argsNodeId }] as const;
      });
      return serializeParamGraph({ strings: [...indexes.keys()], inputNodes, outputNodes: [], roots: Object.fromEntries(entries) });
    },
  };
};

/** What the value of a relation may hold: rows of the other model, one way or another. */
const relationEdge = (graph: GraphBuilder, row: number): InputEdgeData => {
  const rows: InputEdgeData = { flags: OBJECTS, childNodeId: row };
  const wrapped: InputEdgeData = { flags: OBJECTS, childNodeId: graph.addNode({ data: rows, create: rows, update: rows }) };
  // An update takes the row itself, or wraps it beside a condition.
  const changed: InputEdgeData = { flags: OBJECTS, childNodeId: graph.addNode({ data: rows }) };
  const childNodeId = graph.addNode({ create: rows, createMany: wrapped, connectOrCreate: wrapped, upsert: wrapped, update: changed, updateMany: changed });
  return { flags: OBJECTS, childNodeId };
};

const rowEdges = (graph: GraphBuilder, { fields }: DatamodelModel, rows: ReadonlyMap<string, number>, change: InputEdgeData): Edges => {
  const edges: Record<string, InputEdgeData> = {};
  for (const field of fields) {
    const other = rows.get(field.type);
    if (field.kind === 'scalar' && field.type === 'Float') edges[field.name] = change;
    else if (other !== undefined) edges[field.name] = relationEdge(graph, other);
  }
  return edges;
};

/**
 * Which values the client hands to the driver as they are. All others it writes into its own query text, where a number keeps fifteen digits
 * only: so every Float that a write may hold has to be among them. Prisma's generator lists whatever could be, from a description of the whole
 * query API that takes a second to make; this lists what must be.
 */
export function floatParameters({ models }: Datamodel): SerializedParamGraph {
  const graph = createGraphBuilder();
  const operations = graph.addNode(Object.fromEntries(CHANGES.map((name) => [name, FLOAT])));
  const change: InputEdgeData = { ...FLOAT, flags: FLOAT.flags | EdgeFlag.Object, childNodeId: operations };
  const rows = new Map(models.map(({ name }) => [name, graph.addNode({})]));
  const roots: Record<string, number> = {};
  for (const model of models) {
    const row = rows.get(model.name);
    if (row === undefined) continue;
    graph.setEdges(row, rowEdges(graph, model, rows, change));
    for (const [operation, names] of Object.entries(ROOTS)) {
      roots[`${model.name}.${operation}`] = graph.addNode(Object.fromEntries(names.map((name) => [name, { flags: OBJECTS, childNodeId: row }])));
    }
  }
  return graph.finish(roots);
}
