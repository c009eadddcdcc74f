import type { ClientBase, PoolClient } from 'pg';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { ReadPlan, IndexExperiment, ExperimentIndex } from '../dialect/database-driver.js';
import type { BoundValue } from '../dialect/sql-expressions.js';
import { quoteName } from '../dialect/sql-text.js';
import { rollBack } from './connections.js';
import { createPostgresExpressions } from './expressions.js';
import { POSTGRES_MIGRATIONS } from './migrations.js';
import { openReadPool } from './read-connection.js';

type Node = Readonly<Record<string, unknown>>;

const nodesOf = (node: unknown): readonly Node[] => {
  if (!isRecord(node)) return [];
  const children = node['Plans'];
  return [node, ...(Array.isArray(children) ? children.flatMap(nodesOf) : [])];
};

/** Returns PostgreSQL's plan of a read. */
async function explainPostgresRead(
  client: Pick<ClientBase, 'query'>,
  sql: string,
  parameters: readonly BoundValue[],
): Promise<ReadPlan> {
  const { rows } = await client.query<[readonly [Node]]>({
    text: `EXPLAIN (FORMAT JSON) ${sql}`,
    values: [...parameters],
    rowMode: 'array',
  });
  const nodes = nodesOf(rows[0]?.[0][0]['Plan']);
  const scans = nodes.some((node) => node['Node Type'] === 'Seq Scan');
  return {
    scans,
    sorts: nodes.some((node) => String(node['Node Type']).endsWith('Sort')),
    filters: nodes.some((node) => 'Filter' in node),
  };
}

const INDEX = 'galley_trial';

const createIndex = async (client: PoolClient, { table, columns }: ExperimentIndex): Promise<void> => {
  const ordered = columns.map(({ name, ...column }) =>
    POSTGRES_MIGRATIONS.orderedColumn({ name: quoteName(name), ...column }),
  );
  const target = `pg_temp.${quoteName(table)}`;
  await client.query(
    `CREATE INDEX ${INDEX} ON ${target} ("status", "locale", ${ordered.join(', ')}, "id");
     ANALYZE ${target}`,
  );
};

const copyTable = async (client: PoolClient, table: string): Promise<void> => {
  const name = quoteName(table);
  const { rows } = await client.query<{ readonly schema: string }>(
    'select relnamespace::regnamespace::text as schema from pg_class where oid = $1::regclass',
    [name],
  );
  const source = `${defined(rows[0]?.schema, 'The schema of the table')}.${name}`;
  await client.query(
    `CREATE TEMPORARY TABLE ${name} (LIKE ${source} INCLUDING ALL) ON COMMIT DROP;
     INSERT INTO pg_temp.${name} SELECT * FROM ${source};
     ANALYZE pg_temp.${name}`,
  );
};

/** Runs in one transaction, which is rolled back. Temporary tables hide those of the schema. */
export async function openPostgresExperiment(url: string): Promise<IndexExperiment> {
  const { pool, kind, folding } = await openReadPool(url);
  const client = await pool.connect();
  await client.query(
    ['BEGIN READ WRITE', ...(kind.transactionSettings === null ? [] : [kind.transactionSettings])].join('; '),
  );
  return {
    expressions: createPostgresExpressions(folding),
    copyTable: (table) => copyTable(client, table),
    createIndex: (index) => createIndex(client, index),
    dropIndex: async () => {
      await client.query(`DROP INDEX IF EXISTS pg_temp.${INDEX}`);
    },
    values: async (sql, parameters: readonly BoundValue[]) => {
      const { rows } = await client.query<unknown[]>({
        text: sql,
        values: [...parameters],
        rowMode: 'array',
      });
      return rows.map(([value]) => value);
    },
    explain: (sql, parameters) => explainPostgresRead(client, sql, parameters),
    close: async () => {
      await rollBack((sql) => client.query(sql));
      client.release(true);
      await pool.end();
    },
  };
}
