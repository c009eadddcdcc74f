import type { Project } from '../../project/open-project.js';
import { warning } from './check.js';
import type { Finding } from './check.js';

/** Tells of full-text indexes that the database lacks. Searches then read all documents of the type. */
export async function examineSearch({ model, dialect, config }: Project): Promise<readonly Finding[]> {
  const searched = model.types.filter(({ search }) => search !== null);
  if (searched.length === 0) return [];
  const connection = await dialect.driver.openReadConnection(config.database.url);
  try {
    const { search } = connection.expressions;
    const existing = new Set(await connection.queryTexts(search.indexesSql, []));
    return searched
      .filter((type) => type.search !== null && !existing.has(search.nameOf(type.search)))
      .map(({ uid }) =>
        warning(
          'database',
          `Searches of ${uid} read every document: the full-text index is missing.`,
          'Run: cms migrate. On PostgreSQL its role must be allowed to install the extension pg_trgm.',
        ),
      );
  } finally {
    await connection.close();
  }
}
