/**
 * Reaches below Prisma's API: builds the parameterization graph of `@prisma/param-graph` for the in-memory
 * client. Needed because a client without it rounds floats to fifteen digits.
 */
import { EdgeFlag, scalarTypeToMask, serializeParamGraph } from '@prisma/param-graph';
import type { InputEdgeData, SerializedParamGraph } from '@prisma/param-graph';
import type { Datamodel, DatamodelModel } from './datamodel.js';

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
