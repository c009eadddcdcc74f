import { insertRow, runSql } from './rows.js';
import type { TempProject } from './temp-project.js';

const ARTICLES = 3000;

/** Inserts three thousand published articles in the default locale of types with locales. */
export function fillArticles(site: TempProject, locale = 'en'): void {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ARTICLES})`;
  const time = `'2026-01-01T00:00:00.000+00:00'`;
  runSql(site, `${numbers} INSERT INTO articles_documents (document_id) SELECT 'a' || i FROM n`);
  runSql(
    site,
    `${numbers} INSERT INTO articles (document_id, locale, status, created_at, updated_at, title)
       SELECT 'a' || i, '${locale}', 'published', ${time}, ${time}, 'Title ' || i FROM n`,
  );
}

/** Stores what servers have counted: articles by their title. */
export function insertReads(site: TempProject): void {
  const shape = {
    type: 'api::article.article',
    isCount: false,
    filter: { kind: 'compare', field: 'title', operator: '$eq', operand: null },
    sort: [],
    isPaged: true,
    isAllLocales: false,
    status: 'published',
  };
  insertRow(site, 'cms_state', {
    key: 'read-shapes',
    value: JSON.stringify([{ shape, calls: 3, ms: 60, maxMs: 30 }]),
    updated_at: '2026-01-01T00:00:00.000+00:00',
  });
}
