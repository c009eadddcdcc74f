import { describe, expect, it } from 'vitest';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import type { DialectName } from '../../../src/dialects/dialect.js';
import { planMigration } from '../../../src/migrations/plan.js';

const schema = (provider: DialectName, models: string): string => `datasource db {\n  provider = "${provider}"\n}\n\n${models}\n`;

const plan = (name: DialectName, previous: string | null, next: string, extra: { readonly renames?: Parameters<typeof planMigration>[0]['renames'] } = {}) =>
  planMigration({ previousSchema: previous === null ? null : schema(name, previous), nextSchema: schema(name, next), dialect: dialectNamed(name), renames: extra.renames ?? [] });

const ARTICLE = 'model Article {\n  id Int @id\n  title String?\n  @@map("articles")\n}';

describe('planMigration', () => {
  it('makes an empty database with no more than the tables, so that a user who may make nothing else can', async () => {
    const { sql, steps, stakes } = await plan('postgresql', null, ARTICLE);
    expect(sql).toBe('-- CreateTable\nCREATE TABLE "articles" (\n    "id" INTEGER NOT NULL,\n    "title" TEXT,\n\n    CONSTRAINT "articles_pkey" PRIMARY KEY ("id")\n);\n');
    expect({ steps, stakes }).toEqual({ steps: [{ action: 'create-table', table: 'articles' }], stakes: [] });
  });

  it.each(['sqlite', 'postgresql'] as const)('has nothing to do on %s where only the text differs', async (name) => {
    expect((await plan(name, ARTICLE, `/// Note.\n${ARTICLE.replace('title String?', 'heading   String?  @map("title")')}`)).sql).toBe('');
    expect(await plan(name, ARTICLE, ARTICLE)).toEqual({ sql: '', steps: [], stakes: [], renames: [] });
  });

  it.each(['sqlite', 'postgresql'] as const)('moves a column out of the way on %s whose values its type cannot keep', async (name) => {
    const before = ARTICLE.replace('}', '  title_old Int?\n}');
    const { sql, steps } = await plan(name, before, before.replace('title String?', 'title Int?'));
    expect(sql).toContain('ALTER TABLE "articles" RENAME COLUMN "title" TO "title_old_";');
    expect(steps).toEqual([{ action: 'change-column', table: 'articles', column: 'title' }]);
  });

  it('counts by the names the database has before the renames', async () => {
    const { stakes, renames, steps } = await plan('postgresql', ARTICLE, 'model Post {\n  id Int @id\n  heading Int?\n  @@map("posts")\n}', {
      renames: [{ kind: 'table', from: 'articles', to: 'posts' }, { kind: 'column', table: 'posts', from: 'title', to: 'heading' }],
    });
    expect(stakes).toEqual([{ kind: 'type', table: 'articles', column: 'title', from: 'String', to: 'Int' }]);
    expect(renames).toHaveLength(2);
    expect(steps).toEqual([
      { action: 'rename-table', table: 'articles', to: 'posts' },
      { action: 'rename-column', table: 'posts', column: 'title', to: 'heading' },
      { action: 'change-column', table: 'posts', column: 'heading' },
    ]);
  });

  it('says what is wrong with a schema, without colours', async () => {
    const broken = plan('sqlite', null, 'model Article {\n  title Strin\n}');
    await expect(broken).rejects.toMatchObject({ code: 'migration/invalid-schema', message: expect.stringContaining('Strin') as string });
    await expect(broken).rejects.not.toMatchObject({ message: expect.stringContaining('\u001B') as string });
  });
});
