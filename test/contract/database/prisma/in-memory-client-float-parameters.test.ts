import { deserializeParamGraph, EdgeFlag, scalarTypeToMask } from '@prisma/param-graph';
import { describe, expect, it } from 'vitest';
import { parseDatamodel } from '../../../../src/database/prisma/datamodel.js';
import { floatParameters } from '../../../../src/database/prisma/in-memory-client.js';
import { brokenReach, THING_SCHEMA } from './reach.js';

const FILE = 'in-memory-client.ts';

describe('the graph of float parameters', () => {
  it('leads from a write to its floats in the form the client reads', async () => {
    const serialized = floatParameters(await parseDatamodel(THING_SCHEMA('sqlite')));
    expect(Object.keys(serialized).toSorted(), brokenReach(FILE, 'the serialized form')).toEqual([
      'graph',
      'strings',
    ]);
    const graph = deserializeParamGraph(serialized);
    const edge = (node: number | undefined, name: string) =>
      graph.inputNodes[node ?? -1]?.edges[graph.strings.indexOf(name)];
    const data = edge(graph.roots['Thing.createOne']?.argsNodeId, 'data');
    const rating = edge(data?.childNodeId, 'rating');
    expect(rating?.scalarMask, brokenReach(FILE, 'the mask of the scalar type `Float`')).toBe(
      scalarTypeToMask('Float'),
    );
    expect(
      (rating?.flags ?? 0) & EdgeFlag.ParamScalar,
      brokenReach(FILE, 'the flag of a scalar that is passed as a parameter'),
    ).not.toBe(0);
  });
});
