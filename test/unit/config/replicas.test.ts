import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { Config } from '../../../src/config/config.js';

const parse = (
  environment: Readonly<Record<string, string>>,
  database: Readonly<Record<string, unknown>> = {},
): Config['database'] =>
  parseConfig({ root: '/srv/site', file: 'cms.config.ts', input: { database }, environment, overrides: {} })
    .database;

describe('database.replicas', () => {
  it('come from the environment or the file, and mean the schema of the database', () => {
    const DATABASE_URL = 'postgres://db/x?schema=a';
    expect(parse({ DATABASE_URL }).replicas).toEqual([]);
    expect(
      parse({ DATABASE_URL, DATABASE_REPLICAS: ' postgres://one/x, postgres://two/x,' }).replicas,
    ).toEqual(['postgres://one/x?schema=a', 'postgres://two/x?schema=a']);
    expect(parse({ DATABASE_URL: 'postgres://db/x' }, { replicas: ['postgres://one/x'] }).replicas).toEqual([
      'postgres://one/x',
    ]);
  });

  it('are refused beside SQLite, and where they are no addresses of PostgreSQL', () => {
    expect(() => parse({}, { replicas: ['postgres://one/x'] })).toThrow(/replicas require PostgreSQL/);
    for (const replicas of [7, ['file:./a.db']])
      expect(() => parse({ DATABASE_URL: 'postgres://db/x' }, { replicas })).toThrow(/database\.replicas/);
  });
});
