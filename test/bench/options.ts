import { parseArgs } from 'node:util';
import type { DialectName } from '../../src/database/dialect/dialect.js';

/**
 * `npm run bench -- [--size 1000] [--database postgresql]` compares with the ceiling. `npm run bench --
 * --grow` prints what reads cost at several sizes. `npm run bench -- --heavy` prints what heavy requests mean
 * for others, at 100,000 articles. `npm run bench -- --layer` prints what reads cost beside project code that
 * does not touch them, and without. `npm run bench -- --bulk` prints what a write costs in a bulk and alone,
 * `npm run bench -- --check` what it costs to check all content, `npm run bench -- --lists` what it costs to
 * change the list of a tag with 20,000 articles, and `npm run bench -- --start` what commands take to start.
 * With `--plugins` the hand-written server sends the same headers.
 */
export interface BenchOptions {
  readonly dialect: DialectName;
  readonly grows: boolean;
  /** True if cheap reads are measured beside heavy requests, instead. */
  readonly isHeavy: boolean;
  /** True if a site without code is compared with one that has some, instead. */
  readonly isLayer: boolean;
  /** True if bulks are compared with the same writes one by one, instead. */
  readonly isBulk: boolean;
  /** True if checks of all content are measured, instead. */
  readonly isCheck: boolean;
  /** True if changes of a long list are measured, instead. */
  readonly isLists: boolean;
  /** True if the start of commands is measured, instead. */
  readonly isStart: boolean;
  /** True if the hand-written server's responses have Galley's headers, by Fastify's plugins. */
  readonly usesPlugins: boolean;
  readonly sizes: readonly number[];
  /** Part of the names of the scenarios to run. */
  readonly only: string;
  /** Where filled sites are kept for the next run. Null: they are removed at the end. */
  readonly folder: string | null;
  /** A PostgreSQL server to create databases on. Null: one is started. */
  readonly server: string | null;
}

const GROWTH_SIZES = [1000, 100_000, 1_000_000];
const HEAVY_SIZES = [100_000];
/** Memory must not differ between these. */
const CHECK_SIZES = [1000, 100_000];
/** Tags then have 20,010 articles each. */
const LIST_SIZES = [133_400];

const parseDialect = (text: string): DialectName => {
  if (text === 'sqlite' || text === 'postgresql') return text;
  throw new Error(`--database is sqlite or postgresql, not ${text}`);
};

const parseSize = (text: string): number => {
  const size = Number(text);
  if (Number.isInteger(size) && size >= 100 && size % 100 === 0 && size % 7919 !== 0) return size;
  throw new Error(`--size is a number of articles, a multiple of 100 but not of 7919, not ${text}`);
};

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: { type: 'string', multiple: true },
      database: { type: 'string', default: 'sqlite' },
      grow: { type: 'boolean', default: false },
      heavy: { type: 'boolean', default: false },
      layer: { type: 'boolean', default: false },
      bulk: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      start: { type: 'boolean', default: false },
      plugins: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      folder: { type: 'string' },
      server: { type: 'string' },
    },
  });
  const sizes = (values.size ?? []).map(parseSize);
  const defaultSizes = (): readonly number[] => {
    if (values.grow) return GROWTH_SIZES;
    if (values.heavy) return HEAVY_SIZES;
    if (values.check) return CHECK_SIZES;
    return values.lists ? LIST_SIZES : [1000];
  };
  return {
    dialect: parseDialect(values.database),
    grows: values.grow,
    isHeavy: values.heavy,
    isLayer: values.layer,
    isBulk: values.bulk,
    isCheck: values.check,
    isLists: values.lists,
    isStart: values.start,
    usesPlugins: values.plugins,
    sizes: sizes.length > 0 ? sizes : defaultSizes(),
    only: values.only,
    folder: values.folder ?? null,
    server: values.server ?? null,
  };
}
