import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../../src/database/database.js';
import { documentIdOf, fillSql, fillStatements } from '../../bench/fill-statements.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, observeStatements, uidOf } from './service.js';
import type { Api } from './service.js';

/** A category has 300 articles, and a tag 450, each as draft and published. */
const ARTICLES = 3000;

const SELECTION = { fields: [], populate: [] };

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsRead = (node: PlanNode): number => {
  const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  return below + (node['Relation Name'] === undefined ? 0 : own * node['Actual Loops']);
};

describe.each(databases)('writes to large lists on $name', (database) => {
  const isSqlite = database.name === 'sqlite';
  let environment: TestEnvironment;
  let api: Api;
  let steps: string[] = [];
  let read = 0;

  const observe = async (tx: Transaction, sql: string, parameters: readonly unknown[]) => {
    if (!/^(?:select|with|insert|update|delete)/i.test(sql)) return;
    if (isSqlite) {
      const plan = await tx.query(`explain query plan ${sql}`, parameters);
      steps.push(...plan.map((row) => String(row['detail'])));
      return;
    }
    // It is run for real.
    await tx.execute('savepoint explained', []);
    const [row] = await tx.query(`explain (analyze, format json) ${sql}`, parameters);
    await tx.execute('rollback to explained', []);
    const [{ Plan: plan }] = JSON.parse(String(row?.['QUERY PLAN'])) as [{ readonly Plan: PlanNode }];
    read += rowsRead(plan);
  };

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: 'magazine', database });
    await environment.database.transact(async (tx) => {
      for (const statement of fillStatements(database.name, ARTICLES))
        await tx.execute(fillSql(statement), []);
    });
    await environment.database.transact((tx) => tx.execute('analyze', []));
    api = createApi({ model: environment.model, database: observeStatements(environment.database, observe) });
  });
  afterAll(() => environment.close());

  const linksOf = (index: number) => ({
    author: documentIdOf('author', index),
    category: documentIdOf('category', index),
    tags: [1, 2, 3].map((offset) => documentIdOf('tag', index + offset)),
  });

  const createDrafts = async (count: number): Promise<readonly string[]> => {
    const drafts: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const data = { title: `Draft ${index}`, ...linksOf(index) };
      drafts.push((await api.create('article', data, { status: 'draft' })).documentId);
    }
    return drafts;
  };

  /** What a write reads on PostgreSQL, or how SQLite finds it. */
  const costOf = async (write: () => Promise<unknown>) => {
    steps = [];
    read = 0;
    await write();
    const wrong = steps.filter(
      (step) => step.includes('_status_locale_') || /^SCAN (?:articles|[lmovwxy]\b)/.test(step),
    );
    return { read, wrong, steps };
  };

  it('publishes a draft without reading the lists that it gets into', async () => {
    const [draft = ''] = await createDrafts(1);
    const { read: rows, wrong } = await costOf(() => api.act('publish', 'article', draft));
    expect(rows).toBeLessThan(200);
    expect(wrong).toEqual([]);
  });

  it('publishes many drafts without reading the lists that they get into', async () => {
    const drafts = await createDrafts(6);
    const items = drafts.map((documentId) => ({
      action: 'publish' as const,
      params: { type: uidOf(environment, 'article'), documentId, locale: 'en', selection: SELECTION },
    }));
    const { read: rows, wrong } = await costOf(() => api.documents.bulk({ items, atomic: true }));
    expect(rows).toBeLessThan(1200);
    expect(wrong).toEqual([]);
  });

  it('finds the links of a document that is published by that document', async () => {
    const category = documentIdOf('category', 3);
    // Its draft, which it is filled without.
    await api.update('category', category, { name: 'Another name' });
    const { wrong } = await costOf(() => api.act('publish', 'category', category));
    // Ten categories, of which none has a parent, are scanned. Articles are not.
    expect(wrong).toEqual(isSqlite ? ['SCAN o'] : []);
  });

  it('finds a link that is added from the other side by both its ends', async () => {
    const tag = documentIdOf('tag', 7);
    const articles = { connect: [documentIdOf('article', 100)] };
    const { read: rows, wrong, steps: all } = await costOf(() => api.update('tag', tag, { articles }));
    expect(rows).toBeLessThan(1200);
    expect(wrong).toEqual([]);
    expect(all.filter((step) => /^SEARCH l .*\(target_document_id=\?\)$/.test(step))).toEqual([]);
  });

  it('puts a link between others without reading the list', async () => {
    const [tag, position] = [documentIdOf('tag', 7), { before: documentIdOf('article', 1513) }];
    const articles = { connect: [{ documentId: documentIdOf('article', 101), position }] };
    const { read: rows, wrong } = await costOf(() => api.update('tag', tag, { articles }));
    expect(rows).toBeLessThan(200);
    expect(wrong).toEqual([]);
  });
});
