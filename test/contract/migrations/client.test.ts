import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GeneratedClient, PrismaClientLike } from '../../../src/database/generated-client.js';
import { createClient } from '../../../src/migrations/create-client.js';
import { generateClient } from '../../../src/migrations/generate-client.js';
import { isClientCurrent, loadClient } from '../../../src/migrations/load-client.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createBench, failure, openFactory } from './support.js';
import type { Bench } from './support.js';

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

const open = (kind: TestDatabaseKind, { url }: Bench, { PrismaClient }: GeneratedClient): Client => {
  const client = new PrismaClient({ adapter: openFactory(kind.name, url), errorFormat: 'minimal' });
  onTestFinished(() => client.$disconnect());
  return client as Client;
};

/** The client made in memory and the one from files, which must do the same. */
const WAYS: readonly [string, (kind: TestDatabaseKind, schemaText: string) => Promise<GeneratedClient>][] = [
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

describe.each(databases)('the client on $name', (kind) => {
  it.each(WAYS)('writes and reads when %s', async (_way, make) => {
    const bench = await createBench(kind);
    await bench.migrate(MODELS);
    const module = await make(kind, bench.schema(MODELS));
    const client = open(kind, bench, module);

    const author = await client.author.create({ data: { email: 'a@example.com', articles: { create: [{ title: 'One', views: 2n ** 60n, extra: { a: [1, null] } }, { title: 'Two', extra: module.Prisma['JsonNull'] }] } } });

    expect(author).toEqual({ id: 1, email: 'a@example.com' });
    expect(await client.article.findMany({ select: { title: true, views: true, extra: true, author: { select: { email: true } } }, orderBy: { id: 'asc' } })).toEqual([
      { title: 'One', views: 2n ** 60n, extra: { a: [1, null] }, author: { email: 'a@example.com' } },
      { title: 'Two', views: null, extra: null, author: { email: 'a@example.com' } },
    ]);
    expect(await bench.rows('SELECT the_title FROM articles ORDER BY id')).toEqual([{ the_title: 'One' }, { the_title: 'Two' }]);
    const [{ at } = {}] = await client.article.findMany();
    expect(at).toBeInstanceOf(Date);
  });

  it.each(WAYS)('keeps every digit of a number, however deep it is written, when %s', async (_way, make) => {
    const bench = await createBench(kind);
    await bench.migrate(MODELS);
    const client = open(kind, bench, await make(kind, bench.schema(MODELS)));
    const [third, huge, tiny] = [0.1 + 0.2, Number.MAX_SAFE_INTEGER, 1.234567890123457e-300];
    await client.article.create({ data: { title: 'a', rating: third } });
    await client.author.create({ data: { email: 'b', articles: { create: [{ title: 'b', rating: huge }] } } });
    const { article } = client as unknown as { readonly article: Delegate & { readonly createMany: (args: object) => Promise<unknown>; readonly updateMany: (args: object) => Promise<unknown> } };
    await article.createMany({ data: [{ title: 'c', rating: tiny }, { title: 'd', rating: 5 }] });
    await article.updateMany({ where: { title: 'd' }, data: { rating: { increment: third } } });
    const ratings = (await client.article.findMany({ orderBy: { id: 'asc' } })).map(({ rating }) => rating);
    expect(ratings).toEqual([third, huge, tiny, 5 + third]);
  });

  it.each(WAYS)('reports a value taken, and rolls a transaction back, when %s', async (_way, make) => {
    const bench = await createBench(kind);
    await bench.migrate(MODELS);
    const module = await make(kind, bench.schema(MODELS));
    const client = open(kind, bench, module);
    const attempt = client.$transaction(async (tx) => {
      const { author } = tx as Client;
      await author.create({ data: { email: 'a@example.com' } });
      await author.create({ data: { email: 'a@example.com' } });
    }, { maxWait: 1000, timeout: 5000 });

    await expect(attempt).rejects.toMatchObject({ code: 'P2002' });
    await expect(attempt).rejects.toBeInstanceOf(module.Prisma['PrismaClientKnownRequestError']);
    expect(await client.author.findMany()).toEqual([]);
  });

  it('knows the same of the schema in memory as from files', async () => {
    const bench = await createBench(kind);
    const schemaText = bench.schema(`${MODELS}\n\nenum Mood {\n  GOOD\n  BAD @map("bad")\n}\n\nmodel Tag {\n  id Int @id\n  mood Mood\n  more Tag[] @relation("same")\n  less Tag[] @relation("same")\n}`);
    const known = await Promise.all(WAYS.map(async ([, make]) => Reflect.get(open(kind, bench, await make(kind, schemaText)), '_runtimeDataModel') as unknown));
    expect(known[0]).toEqual(known[1]);
    expect(JSON.stringify(known[0])).toContain('"the_title"');
  });

  it('gives a new class after the schema has changed', async () => {
    const bench = await createBench(kind);
    const dir = await createFolder();
    const [before, after] = [bench.schema(MODELS), bench.schema(`${MODELS}\n\nmodel Tag {\n  id Int @id\n}`)];
    await bench.migrate(`${MODELS}\n\nmodel Tag {\n  id Int @id\n}`);

    const files = await generateClient({ schemaText: before, outputDir: dir, provider: kind.name });
    const first = await loadClient({ dir, schemaText: before });
    await generateClient({ schemaText: after, outputDir: dir, provider: kind.name });
    const second = await loadClient({ dir, schemaText: after });

    expect(files).toEqual(expect.arrayContaining(['index.d.ts', 'index.js', 'schema.prisma']));
    expect((await readdir(join(dir, '..'))).toSorted()).toEqual(['client']);
    expect(second.PrismaClient).not.toBe(first.PrismaClient);
    expect(open(kind, bench, first).tag).toBeUndefined();
    expect(await open(kind, bench, second).tag?.create({ data: { id: 7 } })).toEqual({ id: 7 });
    expect(await readFile(join(dir, 'index.d.ts'), 'utf8')).toContain('export type Tag =');
  });

  it('refuses files that are missing, of another schema, or damaged', async () => {
    const bench = await createBench(kind);
    const dir = await createFolder();
    const schemaText = bench.schema(MODELS);
    expect((await failure(loadClient({ dir, schemaText }))).code).toBe('client/outdated');
    await generateClient({ schemaText, outputDir: dir, provider: kind.name });
    expect(await isClientCurrent({ dir, schemaText })).toBe(true);
    expect((await failure(loadClient({ dir, schemaText: `${schemaText}\n` }))).code).toBe('client/outdated');
    const file = join(dir, 'index.js');
    const code = await readFile(file, 'utf8');
    await writeFile(file, code.replaceAll(/require\('[^']*\/runtime\/client\.js'\)/g, `require('/moved/runtime/client.js')`));
    expect(await isClientCurrent({ dir, schemaText })).toBe(false);
    expect((await failure(loadClient({ dir, schemaText }))).code).toBe('client/outdated');
    await writeFile(file, code.replace('Object.defineProperty', 'Object.definePropertie'));
    expect((await failure(loadClient({ dir, schemaText }))).code).toBe('client/outdated');
  });

  it('leaves the old files where the schema is refused', async () => {
    const bench = await createBench(kind);
    const dir = await createFolder();
    const schemaText = bench.schema(MODELS);
    await generateClient({ schemaText, outputDir: dir, provider: kind.name });

    const error = await failure(generateClient({ schemaText: `${schemaText}\nmodel Broken {\n}\n`, outputDir: dir, provider: kind.name }));

    expect(error.code).toBe('client/not-generated');
    expect((await failure(createClient({ schemaText: `${schemaText}\nmodel Broken {\n}\n`, provider: kind.name }))).code).toBe('migration/invalid-schema');
    expect(await isClientCurrent({ dir, schemaText })).toBe(true);
    expect((await readdir(join(dir, '..'))).toSorted()).toEqual(['client']);
  });

  it('generates twice at once', async () => {
    const bench = await createBench(kind);
    const dir = await createFolder();
    const schemaText = bench.schema(MODELS);
    await Promise.all([generateClient({ schemaText, outputDir: dir, provider: kind.name }), generateClient({ schemaText, outputDir: dir, provider: kind.name })]);
    expect((await loadClient({ dir, schemaText })).PrismaClient).toBeTypeOf('function');
    expect((await readdir(join(dir, '..'))).toSorted()).toEqual(['client']);
  });
});
