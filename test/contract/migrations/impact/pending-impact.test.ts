import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../src/database/get-dialect.js';
import { inspectPending } from '../../../../src/migrations/impact/pending-impact.js';
import type { PendingImpact } from '../../../../src/migrations/impact/pending-impact.js';
import { databases } from '../../../support/databases.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import type { Attributes, ProjectLiteral, TypeLiteral } from '../../../support/models.js';
import { createContentFixture } from '../content-fixture.js';
import type { ContentFixture } from '../content-fixture.js';
import { createMigrationFixture, rejectionOf } from '../migration-fixture.js';
import { articles, printChange } from '../scalar-fixture.js';

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const BEFORE = articles({ price: TEXT, note: TEXT });

const inspectOf = (
  kind: TestDatabaseKind,
  { folder, url }: Pick<ContentFixture, 'folder' | 'url'>,
): Promise<PendingImpact> => inspectPending({ folder, url, dialect: getDialect(kind.name) });

const told = ({ counted, uncounted }: PendingImpact) => ({
  name: counted?.migration.name ?? null,
  changes: counted?.impact.map(printChange) ?? [],
  uncounted,
});

const NOTHING = { name: null, changes: [], uncounted: [] };

describe.each(databases)('what pending migrations would do, on $name', (kind) => {
  /** A developer's database, empty, and one of a server with articles. */
  const createPair = async (): Promise<{
    readonly server: ContentFixture;
    readonly migrate: (project: ProjectLiteral) => Promise<string>;
  }> => {
    const developer = await createContentFixture(kind);
    await developer.migrate(BEFORE);
    const server = await developer.withEmptyDatabase();
    await server.apply();
    const api = await server.open(BEFORE);
    await api.create('article', { price: '1', note: 'a' });
    await api.create('article', { price: 'much', note: 'b' });
    return { server, migrate: async (project) => String((await developer.migrate(project)).name) };
  };

  it('is counted for the first that touches values, and the later ones are named', async () => {
    const { server, migrate } = await createPair();
    expect(told(await inspectOf(kind, server))).toEqual(NOTHING);
    await migrate(articles({ price: TEXT, note: TEXT, rank: INTEGER }));
    expect(told(await inspectOf(kind, server))).toEqual(NOTHING);
    const second = await migrate(articles({ price: INTEGER, note: TEXT, rank: INTEGER }));
    const third = await migrate(articles({ price: INTEGER, rank: INTEGER }));
    await migrate(articles({ price: INTEGER, rank: INTEGER, teaser: TEXT }));
    expect(told(await inspectOf(kind, server))).toEqual({
      name: second,
      changes: [expect.stringMatching(/^converted price: 1 /), expect.stringMatching(/^dropped price: 1 /)],
      uncounted: [third],
    });
    await server.apply({ acceptsDataLoss: true });
    expect(told(await inspectOf(kind, server))).toEqual(NOTHING);
  });

  it('is what deploy refuses then', async () => {
    const { server, migrate } = await createPair();
    const first = await migrate(articles({ price: INTEGER, note: TEXT }));
    const second = await migrate(articles({ price: INTEGER }));
    const pending = await inspectOf(kind, server);
    expect(told(pending)).toEqual({
      name: first,
      changes: [
        expect.stringMatching(/^converted price: 1 /),
        expect.stringMatching(/^dropped price: 1 .*\["much"\]$/),
      ],
      uncounted: [second],
    });
    const refused = await rejectionOf(server.apply());
    expect(refused.details['changes']).toEqual(pending.counted?.impact);
    expect(await server.rows('SELECT price FROM articles ORDER BY id')).toEqual([
      { price: '1' },
      { price: 'much' },
    ]);
  });

  it('stops at what does not only add, at code, and at SQL written by hand', async () => {
    const { server, migrate } = await createPair();
    const limited = await migrate(articles({ price: TEXT, note: { ...TEXT, maxLength: 9 } }));
    const converted = await migrate(articles({ price: INTEGER, note: { ...TEXT, maxLength: 9 } }));
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [converted] });
    const hand = '00000000000000_hand';
    await mkdir(join(server.folder, hand));
    const sql = join(server.folder, hand, 'migration.sql');
    await writeFile(sql, "UPDATE articles SET note = 'a long note';\n");
    const all = [hand, limited, converted];
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: all });
    await writeFile(sql, '-- nothing\n');
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [converted] });
    await writeFile(join(server.folder, hand, 'migrate.ts'), 'export default () => {};');
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [limited, converted] });
  });

  it.each([
    ['required', { type: 'string', required: true }],
    ['of another type', INTEGER],
  ])(
    'is not counted for a column that an earlier one has yet to add, and that becomes %s',
    async (_, rank) => {
      const { server, migrate } = await createPair();
      await migrate(articles({ price: TEXT, note: TEXT, rank: TEXT }));
      const name = await migrate(articles({ price: TEXT, note: TEXT, rank }));
      expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [name] });
    },
  );

  it('is not counted for a type with links and versions that an earlier one has yet to add', async () => {
    const { server, migrate } = await createPair();
    const { article } = BEFORE.types ?? {};
    const i18n = (localized: boolean) => ({ type: 'string', pluginOptions: { i18n: { localized } } });
    const components = { 'shared.seo': { attributes: { title: TEXT } } };
    const seo = { type: 'component', component: 'shared.seo' };
    const links = { type: 'relation', relation: 'manyToMany', target: 'api::article.article' };
    const note = (attributes: Attributes, versioned: boolean): TypeLiteral => ({
      draftAndPublish: versioned,
      localized: versioned,
      attributes,
    });
    if (article === undefined) throw new Error('There are no articles');
    await migrate({ components, types: { article, note: note({ title: i18n(true), seo, links }, true) } });
    const names = [
      await migrate({ components, types: { article, note: note({ title: i18n(false), seo, links }, true) } }),
      await migrate({ components, types: { article, note: note({ title: TEXT, seo, links }, false) } }),
      await migrate({ components, types: { article, note: note({ title: TEXT, seo }, false) } }),
      await migrate({ types: { article, note: note({ title: TEXT }, false) } }),
      await migrate({ types: { article } }),
    ];
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: names });
    await server.apply();
  });

  it('is not counted where a migration of another branch has changed what it starts from', async () => {
    const { server, migrate } = await createPair();
    const first = await migrate(articles({ price: INTEGER, note: TEXT }));
    await server.apply({ acceptsDataLoss: true });
    const second = await migrate(articles({ price: { type: 'boolean' }, note: TEXT }));
    expect(told(await inspectOf(kind, server))).toMatchObject({ name: second, uncounted: [] });
    const file = join(server.folder, second, 'schema.snapshot');
    const snapshot = await readFile(file, 'utf8');
    expect(snapshot).toContain(first);
    const [start = ''] = await readdir(server.folder);
    await writeFile(file, snapshot.replace(first, start));
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [second] });
  });

  it('goes past what only adds where the database has what the next one starts from', async () => {
    const { server, migrate } = await createPair();
    const name = await migrate(articles({ price: TEXT }));
    const hand = '00000000000000_hand';
    await mkdir(join(server.folder, hand));
    await writeFile(join(server.folder, hand, 'migration.sql'), '-- nothing\n');
    expect(told(await inspectOf(kind, server))).toMatchObject({ name, uncounted: [] });
  });

  it('is not counted for a draft, nor where the records contradict the folders', async () => {
    const { server, migrate } = await createPair();
    const name = await migrate(articles({ price: INTEGER, note: TEXT }));
    const file = join(server.folder, name, 'migration.sql');
    await appendFile(file, '\n-- draft\n');
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [name] });
    await server.run(`UPDATE "_prisma_migrations" SET "checksum" = 'another'`);
    expect(told(await inspectOf(kind, server))).toEqual(NOTHING);
  });

  it('reports constraints that the rows violate', async () => {
    const model = (title: string): string =>
      `model Article {\n  id Int @id\n  ${title}\n  @@map("articles")\n}`;
    const developer = await createMigrationFixture(kind);
    await developer.migrate(model('title String?'));
    const server = await developer.withEmptyDatabase();
    await server.apply();
    await server.run(`INSERT INTO articles (id, title) VALUES (1, 'a'), (2, 'a')`);
    await developer.migrate(model('title String? @unique'));
    expect((await inspectOf(kind, server)).counted?.impact).toMatchObject([
      { kind: 'invalid', type: 'table articles', path: 'title', values: 2, isRejected: true },
    ]);
  });

  it('creates no database', async () => {
    const developer = await createContentFixture(kind);
    await developer.migrate(BEFORE);
    const last = String((await developer.migrate(articles({ price: INTEGER, note: TEXT }))).name);
    const server = await developer.withEmptyDatabase();
    expect(told(await inspectOf(kind, server))).toEqual({ ...NOTHING, uncounted: [last] });
    const path = server.url.startsWith('file:') ? server.url.slice('file:'.length) : null;
    expect(path !== null && existsSync(path)).toBe(false);
  });
});
