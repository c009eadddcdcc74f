import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../../../src/database/prisma/schema-engine.js';
import { brokenReach, THING_SCHEMA } from './reach.js';

const FILE = 'schema-engine.ts';
const require = createRequire(import.meta.url);

describe('the schema engine', () => {
  it('has the bindings that load its WebAssembly module', async () => {
    const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    for (const name of ['__wbg_set_wasm', 'SchemaEngine'] as const)
      expect(typeof engine[name], brokenReach(FILE, `\`${name}\` of the schema engine`)).toBe('function');
    expect(
      require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'),
      brokenReach(FILE, 'the place of the WebAssembly module next to its bindings'),
    ).toMatch(/schema_engine_bg\.js$/);
  });

  it.each(['sqlite', 'postgresql'] as const)(
    'compares schemas for %s without a database',
    async (provider) => {
      const message = brokenReach(FILE, '`diff` of the schema engine, with an adapter that has no database');
      const schema = THING_SCHEMA(provider);
      expect(await diffSchemas({ from: null, to: schema, provider }), message).toContain(
        'CREATE TABLE "Thing"',
      );
      expect(await diffSchemas({ from: schema, to: schema, provider }), message).toBe('');
      const changed = schema.replace('rating Float?', 'rating Float?\n  extra Int?');
      expect(await diffSchemas({ from: schema, to: changed, provider }), message).toMatch(
        /ALTER TABLE "Thing" ADD COLUMN\s+"extra" INTEGER;/,
      );
    },
  );
});
