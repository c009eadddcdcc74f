import { describe, expect, it, onTestFinished } from 'vitest';
import { createStatisticsRefresh } from '../../src/content-store/refresh-statistics.js';
import { databases } from '../support/databases.js';
import { createSite } from './support/site.js';

const ARTICLE = 'api::article.article';

describe.each(databases)('what the planner of $name knows of tables', (database) => {
  // SQLite keeps no plans that the size of a table decides.
  it.runIf(database.name === 'postgresql')(
    'is renewed as a type is filled, with its link tables',
    async () => {
      const site = await createSite({ project: 'magazine', database });
      onTestFinished(() => site.close());
      const opened = site.server.app.database;
      /** The tables of the type that were looked at. */
      const analysed = (): Promise<readonly unknown[]> =>
        opened.transact(async (tx) =>
          (
            await tx.query(
              `select relname as "name" from pg_stat_user_tables
               where relname like 'articles%' and analyze_count > 0 order by relname`,
              [],
            )
          ).map(({ name }) => name),
        );
      const refresh = createStatisticsRefresh(opened, site.project.model);
      await refresh(ARTICLE, 49);
      expect(await analysed()).toEqual([]);
      await refresh(ARTICLE, 1);
      await expect
        .poll(analysed, { timeout: 10_000 })
        .toEqual(expect.arrayContaining(['articles', 'articles_documents', 'articles_tags_links']));
    },
  );
});
