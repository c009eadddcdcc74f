import { describe, expect, it } from 'vitest';
import { createDocumentId } from '../../../src/lib/ids.js';

const ids = Array.from({ length: 5000 }, createDocumentId);

describe('document ids', () => {
  it('are 24 lower-case letters and digits that begin with a letter', () => {
    expect(ids.filter((id) => !/^[a-z][a-z0-9]{23}$/.test(id))).toEqual([]);
  });

  it('never repeat', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('use every character at every place', () => {
    for (let place = 1; place < 24; place += 1)
      expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(36);
  });
});
