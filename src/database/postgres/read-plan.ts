import type { ClientBase } from 'pg';
import { isRecord } from '../../lib/is-record.js';
import type { ReadPlan } from '../dialect/read-plan.js';
import type { BoundValue } from '../dialect/sql-expressions.js';

type Node = Readonly<Record<string, unknown>>;

const nodesOf = (node: unknown): readonly Node[] => {
  if (!isRecord(node)) return [];
  const children = node['Plans'];
  return [node, ...(Array.isArray(children) ? children.flatMap(nodesOf) : [])];
};

/** Returns how PostgreSQL would run a read. */
export async function explainPostgresRead(
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
