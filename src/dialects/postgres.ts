import { PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import { createCompilingKysely } from './compiling-kysely.js';
import type { Dialect } from './dialect.js';
import { createPostgresAdapter } from './postgres-adapter.js';
import { POSTGRES_CHANGE_FEED } from './postgres-change-feed.js';
import { postgresExpressions } from './postgres-expressions.js';
import { readPostgresFault } from './postgres-faults.js';
import type { Folding } from './postgres-fold.js';
import { POSTGRES_MIGRATIONS } from './postgres-migrations.js';
import { openPostgresReads } from './postgres-reads.js';
import { encodeForPostgres, encodeListForPostgres } from './postgres-values.js';

type PrismaType = ReturnType<Dialect['prismaType']>;

const TYPES: Readonly<Record<ColumnKind, PrismaType>> = {
  text: { type: 'String', attribute: null },
  integer: { type: 'Int', attribute: null },
  bigint: { type: 'BigInt', attribute: null },
  double: { type: 'Float', attribute: null },
  boolean: { type: 'Boolean', attribute: null },
  datetime: { type: 'DateTime', attribute: '@db.Timestamp(3)' },
  // Not jsonb, which reorders keys and rewrites numbers: what was written reads back the same.
  json: { type: 'Json', attribute: '@db.Json' },
};

const kysely = createCompilingKysely({ createAdapter: () => new PostgresAdapter(), createQueryCompiler: () => new PostgresQueryCompiler() });

const withFolding = (folding: Folding): Dialect => Object.freeze({
  name: 'postgresql',
  prismaProvider: 'postgresql',
  singleWriter: false,
  maxParameters: 65_535,
  namesConstraints: true,
  prismaType: (kind) => TYPES[kind],
  migrations: POSTGRES_MIGRATIONS,
  changeFeed: POSTGRES_CHANGE_FEED,
  kysely,
  ...postgresExpressions(folding),
  encode: encodeForPostgres,
  encodeList: encodeListForPostgres,
  openReads: (url) => openPostgresReads(url, withFolding),
  createWriteAdapter: createPostgresAdapter,
  lockName: 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text',
  limitWaits: "select set_config('lock_timeout', '100ms', true)",
  readFault: readPostgresFault,
} satisfies Dialect);

/** PostgreSQL 14 and later through pg. Until a connection is open it is taken to be one with its own tables of letters (17 and later). */
export const postgres: Dialect = withFolding('builtin');
