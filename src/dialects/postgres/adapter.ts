import { createPostgresPool } from './pool.js';
import { createStatementNames } from './statement-names.js';
import { createWriteAdapter } from '../../prisma/write-adapter.js';
import type { WriteAdapter } from '../../prisma/write-adapter.js';

/** For the driver an empty name means no name. */
const UNNAMED = '';

/** Long, so that writes of a burst wait instead of failing. */
const CONNECTION_TIMEOUT_MS = 60_000;

/** Prisma Client needs the name of the schema, which it writes into every statement. */
const currentSchema = async (
  query: (sql: string) => Promise<{ readonly rows: readonly { readonly schema: string | null }[] }>,
): Promise<string> => {
  const { rows } = await query('select current_schema() as schema');
  return rows[0]?.schema ?? 'public';
};

/** Creates the adapter that Prisma Client writes through, with its own pool and named statements. */
export async function createPostgresAdapter(url: string): Promise<WriteAdapter> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const pool = await createPostgresPool(url, { settings: [], connectionTimeoutMs: CONNECTION_TIMEOUT_MS });
  const nameOf = createStatementNames('galley_');
  try {
    const schema = await currentSchema((sql) => pool.query(sql));
    return createWriteAdapter(
      new PrismaPg(pool, {
        schema,
        disposeExternalPool: true,
        statementNameGenerator: ({ sql }) => nameOf(sql) ?? UNNAMED,
      }),
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
}
