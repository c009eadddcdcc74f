import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GeneratedClient, PrismaClientLike } from '../../../src/database/prisma/generated-client.js';
import { createClient } from '../../../src/database/prisma/in-memory-client.js';
import { generateClient, isClientCurrent, loadClient } from '../../../src/migrations/prisma-client.js';
import type { LoadClientOptions } from '../../../src/migrations/prisma-client.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createMigrationFixture, rejectionOf, openFactory } from './migration-fixture.js';
import type { MigrationFixture } from './migration-fixture.js';

const MODELS = `
model Author {
  id       Int       @id @default(autoincrement())
  email    String    @unique
  articles Article[]

  @@map("authors")
}

model Article {
  id        Int      @id @default(autoincrement())
  title     String?  @map("the_title")
  views     BigInt?
  extra     Json?
  rating    Float?
  at        DateTime @default(now())
  authorId  Int?     @map("author_id")
  author    Author?  @relation(fields: [authorId], references: [id], onDelete: SetNull)

  @@map("articles")
}`;

interface Delegate {
  readonly create: (args: object) => Promise<Readonly<Record<string, unknown>>>;
  readonly findMany: (args?: object) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

interface Client extends PrismaClientLike {
  readonly author: Delegate;
  readonly article: Delegate;
  readonly tag?: Delegate;
}

const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, '.galley', 'client');
};

const open = async (
  kind: TestDatabaseKind,
  { url }: MigrationFixture,
  { PrismaClient }: GeneratedClient,
): Promise<Client> => {
  const client = new PrismaClient({ adapter: await openFactory(kind.name, url), errorFormat: 'minimal' });
  onTestFinished(() => client.$disconnect());
  return client as Client;
};

/** The in-memory client and the generated one, which must behave alike. */
const CLIENT_SOURCES: readonly [
  string,
  (kind: TestDatabaseKind, schemaText: string) => Promise<GeneratedClient>,
][] = [
  ['made in memory', (kind, schemaText) => createClient({ schemaText, provider: kind.name })],
  [
    'loaded from files',
    async (kind, schemaText) => {
      const dir = await createFolder();
      await generateClient({ schemaText, outputDir: dir, provider: kind.name });
      return loadClient({ dir, schemaText });
    },
  ],
];

/** Loads a client. Errors are rejections. */
const load = async (options: LoadClientOptions): Promise<GeneratedClient> => loadClient(options);

describe.each(databases)('the client on $name', (kind) => {
  it.each(CLIENT_SOURCES)('writes and reads when %s', async (_way, make) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(MODELS);
    const module = await make(kind, fixture.schema(MODELS));
    const client = await open(kind, fixture, module);

    const author = await client.author.create({
      data: {
        email: 'a@example.com',
        articles: {
          create: [
            { title: 'One', views: 2n ** 60n, extra: { a: [1, null] } },
            { title: 'Two', extra: module.Prisma['JsonNull'] },
          ],
        },
      },
    });

    expect(author).toEqual({ id: 1, email: 'a@example.com' });
    expect(
      await client.article.findMany({
        select: { title: true, views: true, extra: true, author: { select: { email: true } } },
        orderBy: { id: 'asc' },
      }),
    ).toEqual([
      { title: 'One', views: 2n ** 60n, extra: { a: [1, null] }, author: { email: 'a@example.com' } },
      { title: 'Two', views: null, extra: null, author: { email: 'a@example.com' } },
    ]);
    expect(await fixture.rows('SELECT the_title FROM articles ORDER BY id')).toEqual([
      { the_title: 'One' },
      { the_title: 'Two' },
    ]);
    const [{ at } = {}] = await client.article.findMany();
    expect(at).toBeInstanceOf(Date);
  });

  it.each(CLIENT_SOURCES)('keeps all digits of a number in nested writes, when %s', async (_way, make) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(MODELS);
    const client = await open(kind, fixture, await make(kind, fixture.schema(MODELS)));
    const [third, huge, tiny] = [0.1 + 0.2, Number.MAX_SAFE_INTEGER, 1.234567890123457e-300];
    await client.article.create({ data: { title: 'a', rating: third } });
    await client.author.create({
      data: { email: 'b', articles: { create: [{ title: 'b', rating: huge }] } },
    });
    const { article } = client as unknown as {
      readonly article: Delegate & {
        readonly createMany: (args: object) => Promise<unknown>;
        readonly updateMany: (args: object) => Promise<unknown>;
      };
    };
    await article.createMany({
      data: [
        { title: 'c', rating: tiny },
        { title: 'd', rating: 5 },
      ],
    });
    await article.updateMany({ where: { title: 'd' }, data: { rating: { increment: third } } });
    const ratings = (await client.article.findMany({ orderBy: { id: 'asc' } })).map(({ rating }) => rating);
    expect(ratings).toEqual([third, huge, tiny, 5 + third]);
  });

  it.each(CLIENT_SOURCES)(
    'reports a unique violation and rolls the transaction back, when %s',
    async (_way, make) => {
      const fixture = await createMigrationFixture(kind);
      await fixture.migrate(MODELS);
      const module = await make(kind, fixture.schema(MODELS));
      const client = await open(kind, fixture, module);
      const attempt = client.$transaction(
        async (tx) => {
          const { author } = tx as Client;
          await author.create({ data: { email: 'a@example.com' } });
          await author.create({ data: { email: 'a@example.com' } });
        },
        { maxWait: 1000, timeout: 5000 },
      );

      await expect(attempt).rejects.toMatchObject({ code: 'P2002' });
      await expect(attempt).rejects.toBeInstanceOf(module.Prisma['PrismaClientKnownRequestError']);
      expect(await client.author.findMany()).toEqual([]);
    },
  );

  it('has the same datamodel in memory as from files', async () => {
    const fixture = await createMigrationFixture(kind);
    const schemaText = fixture.schema(
      `${MODELS}

enum Mood {
  GOOD
  BAD @map("bad")
}

model Tag {
  id Int @id
  mood Mood
  more Tag[] @relation("same")
  less Tag[] @relation("same")
}`,
    );
    const known = await Promise.all(
      CLIENT_SOURCES.map(
        async ([, make]) =>
          Reflect.get(
            await open(kind, fixture, await make(kind, schemaText)),
            '_runtimeDataModel',
          ) as unknown,
      ),
    );
    expect(known[0]).toEqual(known[1]);
    expect(JSON.stringify(known[0])).toContain('"the_title"');
  });

  it('loads a new class after the schema has changed', async () => {
    const fixture = await createMigrationFixture(kind);
    const dir = await createFolder();
    const [before, after] = [
      fixture.schema(MODELS),
      fixture.schema(`${MODELS}\n\nmodel Tag {\n  id Int @id\n}`),
    ];
    await fixture.migrate(`${MODELS}\n\nmodel Tag {\n  id Int @id\n}`);

    const files = await generateClient({ schemaText: before, outputDir: dir, provider: kind.name });
    const first = loadClient({ dir, schemaText: before });
    await generateClient({ schemaText: after, outputDir: dir, provider: kind.name });
    const second = loadClient({ dir, schemaText: after });

    expect(files).toEqual(expect.arrayContaining(['index.d.ts', 'index.js', 'schema.prisma']));
    expect((await readdir(join(dir, '..'))).toSorted()).toEqual(['client']);
    expect(second.PrismaClient).not.toBe(first.PrismaClient);
    expect((await open(kind, fixture, first)).tag).toBeUndefined();
    expect(await (await open(kind, fixture, second)).tag?.create({ data: { id: 7 } })).toEqual({ id: 7 });
    expect(await readFile(join(dir, 'index.d.ts'), 'utf8')).toContain('export type Tag =');
  });

  it('refuses files that are missing, damaged or of another schema', async () => {
    const fixture = await createMigrationFixture(kind);
    const dir = await createFolder();
    const schemaText = fixture.schema(MODELS);
    expect((await rejectionOf(load({ dir, schemaText }))).code).toBe('client/outdated');
    await generateClient({ schemaText, outputDir: dir, provider: kind.name });
    expect(isClientCurrent({ dir, schemaText })).toBe(true);
    expect((await rejectionOf(load({ dir, schemaText: `${schemaText}\n` }))).code).toBe('client/outdated');
    const file = join(dir, 'index.js');
    const code = await readFile(file, 'utf8');
    await writeFile(
      file,
      code.replaceAll(/require\('[^']*\/runtime\/client\.js'\)/g, `require('/moved/runtime/client.js')`),
    );
    expect(isClientCurrent({ dir, schemaText })).toBe(false);
    expect((await rejectionOf(load({ dir, schemaText }))).code).toBe('client/outdated');
    await writeFile(file, code.replace('Object.defineProperty', 'Object.definePropertie'));
    expect((await rejectionOf(load({ dir, schemaText }))).code).toBe('client/outdated');
  });

  it('keeps the old files where the schema is refused', async () => {
    const fixture = await createMigrationFixture(kind);
    const dir = await createFolder();
    const schemaText = fixture.schema(MODELS);
    await generateClient({ schemaText, outputDir: dir, provider: kind.name });

    const error = await rejectionOf(
      generateClient({
        schemaText: `${schemaText}\nmodel Broken {\n}\n`,
        outputDir: dir,
        provider: kind.name,
      }),
    );

    expect(error.code).toBe('client/generation-failed');
    expect(
      (
        await rejectionOf(
          createClient({ schemaText: `${schemaText}\nmodel Broken {\n}\n`, provider: kind.name }),
        )
      ).code,
    ).toBe('migration/invalid-schema');
    expect(isClientCurrent({ dir, schemaText })).toBe(true);
    expect((await readdir(join(dir, '..'))).toSorted()).toEqual(['client']);
  });

  it('can be generated twice concurrently', async () => {
    const fixture = await createMigrationFixture(kind);
    const dir = await createFolder();
    const schemaText = fixture.schema(MODELS);
    await Promise.all([
      generateClient({ schemaText, outputDir: dir, provider: kind.name }),
      generateClient({ schemaText, outputDir: dir, provider: kind.name }),
    ]);
    expect(loadClient({ dir, schemaText }).PrismaClient).toBeTypeOf('function');
    expect((await readdir(join(dir, '..'))).toSorted()).toEqual(['client']);
  });
});
