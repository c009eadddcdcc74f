import { describe, expect, it } from 'vitest';
import { createInversePositions } from '../../../src/documents/together/inverse-positions.js';
import type { RelationMapping } from '../../../src/documents/links/relation-mapping.js';
import type { LoadedRelationWrite } from '../../../src/documents/links/relation-write.js';
import type { TargetLookup } from '../../../src/documents/links/targets/target-lookup.js';
import type { TableLink } from '../../../src/model/model.js';

const link = { kind: 'table', hasInversePosition: true } as TableLink;
const mapping = { link } as RelationMapping;
const lookup = { find: (_type, { documentId }) => documentId ?? null } as TargetLookup;

const stored = { entries: [] as LoadedRelationWrite['stored']['entries'] } as LoadedRelationWrite['stored'];
const writeTo = (documentId: string): LoadedRelationWrite => ({
  mapping,
  operation: { kind: 'set', targets: [{ type: 'api::tag.tag', documentId, id: null, locale: null }] },
  stored,
});

/** Positions of which `others` says the last among documents that are not written. */
const open = (others: Readonly<Record<string, number>>) => {
  const positions = createInversePositions();
  positions.open(link, new Map(Object.entries(others)));
  const last = (target: string): number | undefined =>
    positions.complete(writeTo(target), lookup).stored.lastPositionByTarget.get(target);
  return { put: positions.put, last };
};

describe('the last position in a list that several documents get into', () => {
  it('follows what is linked, and what is linked no more', () => {
    const { put, last } = open({ red: 4 });
    put(link, 'row 1', 'red', 7);
    expect(last('red')).toBe(7);
    put(link, 'row 2', 'red', 9);
    expect(last('red')).toBe(9);
    put(link, 'row 2', null, null);
    expect(last('red')).toBe(7);
    put(link, 'row 1', 'blue', 2);
    expect([last('red'), last('blue')]).toEqual([4, 2]);
  });

  it('follows a link that moves within its list', () => {
    const { put, last } = open({});
    put(link, 'row 1', 'red', 7);
    put(link, 'row 2', 'red', 5);
    expect(last('red')).toBe(7);
    put(link, 'row 1', 'red', 3);
    expect(last('red')).toBe(5);
  });

  it('may be negative', () => {
    const { last } = open({ red: -3 });
    expect([last('red'), last('blue')]).toEqual([-3, 0]);
  });
});
