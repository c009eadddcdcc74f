import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/database/database.js';
import { createVersionReader } from '../../../../src/strapi/database/version-reader.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

const NOTE = 'api::note.note';

const PUBLISHED = { locale: '', status: 'published', createdAt: new Date(0), updatedAt: new Date(0) };

describe.each(databases)('rows for code on the server, on $name', (database) => {
  let environment: TestEnvironment;
  const statements: string[] = [];

  beforeAll(async () => {
    environment = await createTestEnvironment({
      model: { types: { note: { attributes: { title: { type: 'string', search: true } } } } },
      database,
    });
    const { model, database: opened } = environment;
    const { document, version } = model.typesByUid[NOTE]?.storage ?? {};
    const titles = ['A brass lamp', 'A LAMP', 'A chair'];
    const keys = titles.map((title) => ({ documentId: title }));
    await opened.transact(async (tx) => {
      await tx.model(document?.model ?? '').createMany({ data: keys });
      await tx.model(version?.model ?? '').createMany({
        data: titles.map((title) => ({ documentId: title, title, ...PUBLISHED })),
      });
    });
  });
  afterAll(() => environment.close());

  const recorded = (opened: Database): Database => ({
    ...opened,
    readTexts: (sql, ...rest) => {
      statements.push(sql);
      return opened.readTexts(sql, ...rest);
    },
    readNumber: (sql, ...rest) => {
      statements.push(sql);
      return opened.readNumber(sql, ...rest);
    },
  });

  it('are found through a full-text index', async () => {
    const { model, database: opened } = environment;
    const objects = await opened.readObjects();
    const defaultLocale = (): string => 'en';
    const reader = createVersionReader({ model, objects, database: recorded(opened), defaultLocale });
    const where = { title: { $containsi: 'lamp' } };
    const found = await reader.find(NOTE, { where, orderBy: { title: 'desc' } });
    expect(found.map(({ title }) => title)).toEqual(['A brass lamp', 'A LAMP']);
    expect(await reader.count(NOTE, { where })).toBe(2);
    expect(statements).toHaveLength(2);
    // PostgreSQL's planner chooses the index, by the values of each run.
    for (const sql of statements) expect(sql).toMatch(/galley_search_|planned per run/u);
  });
});
