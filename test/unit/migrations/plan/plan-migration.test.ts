import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../src/database/get-dialect.js';
import type { DialectName } from '../../../../src/database/dialect/dialect.js';
import { planMigration } from '../../../../src/migrations/plan/plan-migration.js';

const schema = (provider: DialectName, models: string): string =>
  `datasource db {\n  provider = "${provider}"\n}\n\n${models}\n`;

const plan = (
  name: DialectName,
  previous: string | null,
  next: string,
  extra: { readonly renames?: Parameters<typeof planMigration>[0]['renames'] } = {},
) =>
  planMigration({
    previousSchema: previous === null ? null : schema(name, previous),
    nextSchema: schema(name, next),
    dialect: getDialect(name),
    renames: extra.renames ?? [],
  });

const ARTICLE = 'model Article {\n  id Int @id\n  title String?\n  @@map("articles")\n}';

describe('planMigration', () => {
  it('creates tables only, since a user may lack the right to create schemas', async () => {
    const { sql, steps, tableChanges } = await plan('postgresql', null, ARTICLE);
    expect(sql).toBe(
      '-- CreateTable\nCREATE TABLE "articles" (\n    "id" INTEGER NOT NULL,\n    "title" TEXT,\n\n' +
        '    CONSTRAINT "articles_pkey" PRIMARY KEY ("id")\n);\n',
    );
    expect({ steps, tableChanges }).toEqual({
      steps: [{ action: 'create-table', table: 'articles' }],
      tableChanges: [],
    });
  });

  it.each(['sqlite', 'postgresql'] as const)('is empty on %s where only the text differs', async (name) => {
    expect(
      (
        await plan(
          name,
          ARTICLE,
          `/// Note.\n${ARTICLE.replace('title String?', 'heading   String?  @map("title")')}`,
        )
      ).sql,
    ).toBe('');
    expect(await plan(name, ARTICLE, ARTICLE)).toMatchObject({
      sql: '',
      steps: [],
      tableChanges: [],
      renames: [],
    });
  });

  it.each(['sqlite', 'postgresql'] as const)(
    'drops and adds a column on %s whose values cannot be converted',
    async (name) => {
      const before = ARTICLE.replace('}', '  title_old Int?\n}');
      const { sql, steps } = await plan(name, before, before.replace('title String?', 'title Int?'));
      expect(sql).toContain('ALTER TABLE "articles" RENAME COLUMN "title" TO "title_old_";');
      expect(steps).toEqual([{ action: 'change-column', table: 'articles', column: 'title' }]);
    },
  );

  it('uses the names before the renames in changes of tables', async () => {
    const { tableChanges, renames, steps } = await plan(
      'postgresql',
      ARTICLE,
      'model Post {\n  id Int @id\n  heading Int?\n  @@map("posts")\n}',
      {
        renames: [
          { kind: 'table', from: 'articles', to: 'posts' },
          { kind: 'column', table: 'posts', from: 'title', to: 'heading' },
        ],
      },
    );
    expect(tableChanges).toEqual([
      { kind: 'type', table: 'articles', column: 'title', from: 'String', to: 'Int' },
    ]);
    expect(renames).toHaveLength(2);
    expect(steps).toEqual([
      { action: 'rename-table', table: 'articles', to: 'posts' },
      { action: 'rename-column', table: 'posts', column: 'title', to: 'heading' },
      { action: 'change-column', table: 'posts', column: 'heading' },
    ]);
  });

  it('reports the error of a schema, without colours', async () => {
    const broken = plan('sqlite', null, 'model Article {\n  title Strin\n}');
    await expect(broken).rejects.toMatchObject({
      code: 'migration/invalid-schema',
      message: expect.stringContaining('Strin') as string,
    });
    await expect(broken).rejects.not.toMatchObject({ message: expect.stringContaining('\u001B') as string });
  });
});
