import { createPostgresPool } from './postgres-pool.js';
import { createStatementNames } from './statement-names.js';
import { createWriteAdapter } from './write-adapter.js';
import type { WriteAdapter } from './write-adapter.js';

/** The driver takes no name and an empty one for the same. */
const UNNAMED = '';

/** A burst of writes is worked off rather than refused. */
const PATIENCE_MS = 60_000;

/** Prisma Client writes the schema's name into every statement; it is the one the connection looks into first. */
const currentSchema = async (query: (sql: string) => Promise<{ readonly rows: readonly { readonly schema: string | null }[] }>): Promise<string> => {
  const { rows } = await query('select current_schema() as schema');
  return rows[0]?.schema ?? 'public';
};

export async function createPostgresAdapter(url: string): Promise<WriteAdapter> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const pool = await createPostgresPool(url, { settings: [], patience: PATIENCE_MS });
  const nameOf = createStatementNames('galley_');
  try {
    const schema = await currentSchema((sql) => pool.query(sql));
    return createWriteAdapter(new PrismaPg(pool, { schema, disposeExternalPool: true, statementNameGenerator: ({ sql }) => nameOf(sql) ?? UNNAMED }));
  } catch (error) {
    await pool.end();
    throw error;
  }
}
