import { describe, expect, it } from 'vitest';
import { assertNever } from '../../../src/lib/assert.js';

describe('assertNever', () => {
  it('names what was not handled', () => {
    expect(() => assertNever('cube' as never, 'shape')).toThrow('Unhandled shape: "cube"');
  });
});
