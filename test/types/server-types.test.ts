import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printAllTypes } from '../support/print-all-types.js';
import { loadFixtureModel } from '../support/models.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-types-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};

/** Returns what the compiler reports of src/index.ts in a project, one line each. */
const compile = async (usage: string): Promise<readonly string[]> => {
  await write('package.json', '{"type":"module"}');
  await write(
    '.galley/client/index.d.ts',
    'export declare class PrismaClient { article: { count(): Promise<number> } }',
  );
  await write('src/index.ts', usage);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2023',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: true,
    paths: { galley: [join(ROOT, 'src/index.ts')] },
  };
  await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src', 'types'] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (_, stdout) =>
      resolve(
        stdout.split('\n').filter((line) => line.startsWith(`src/index.ts(`) || line.startsWith('types/')),
      ),
    );
  });
};

const USAGE = `
import { ApplicationError, ForbiddenError, defineCheck } from 'galley';
import type { BootstrapContext, DocumentOf, RegisterContext } from 'galley';

export const register = ({ documents, strapi }: RegisterContext): void => {
  documents.before('create', async ({ documentId }, tx) => {
    const tag = await tx.documents('api::tag.tag').create({ data: { name: documentId } });
    tag.name.toUpperCase();
    throw new ApplicationError('Closed', { tag: tag.documentId });
  }, ['api::article.article']);
  documents.use(async (operation, next) => {
    if (operation.action === 'delete') throw new ForbiddenError();
    return next();
  });
  // @ts-expect-error no such type
  strapi.documents('api::nope.nope');
};

export const bootstrap = async ({ documents, prisma }: BootstrapContext): Promise<void> => {
  const articles = documents('api::article.article');
  const list = await articles.findMany({
    filters: { title: { $containsi: 'a' }, author: { name: 'Ada' } },
    sort: 'title:desc',
    fields: ['title'],
    locale: 'fr',
    status: 'published',
    start: 0,
    limit: 5,
  });
  const title: string | undefined = list[0]?.title;
  // @ts-expect-error not populated
  list[0]?.author.name;
  const populated = await articles.findOne({ documentId: 'x', populate: ['author', 'tags'] });
  const names: string[] | undefined = populated?.tags.map(({ name }) => name);
  const author: string | undefined = populated?.author?.name;
  const deep = await articles.findFirst({ populate: { tags: { sort: 'name' } }, pagination: { page: 2 } });
  deep?.tags.length.toFixed();
  const page = await articles.findPage({ pagination: { after: '', limit: 5 }, populate: 'tags' });
  const cursor: string | null = page.results[0]?.tags.length === 0 ? page.previous : page.next;
  const figures = await articles.aggregate({ sum: 'views', groupBy: { createdAt: 'month' } });
  const sum: number | string | null | undefined = figures[0]?.sum?.['views'];
  // @ts-expect-error no such attribute
  await articles.aggregate({ filters: { colour: 'red' } });
  const total: number = await articles.count({ filters: { title: 'x' } });
  await articles.create({ data: { title: 'x' }, status: 'published', locale: 'en' });
  await articles.create({ data: { summary: 'a draft needs no title' } });
  await articles.update({ documentId: 'x', data: { summary: null } });
  await articles.delete({ documentId: 'x', locale: '*' });
  const published = await articles.publish({ documentId: 'x', locale: 'fr' });
  await articles.unpublish({ documentId: 'x' });
  await articles.discardDraft({ documentId: 'x' });
  const [first] = await articles.bulk({
    items: [
      { action: 'create', data: { title: 'x' }, status: 'published' },
      { action: 'delete', documentId: 'x' },
    ],
    fields: ['title'],
  });
  const bulkTitle: string | null | undefined = first?.document?.title;
  // @ts-expect-error an unknown action
  await articles.bulk({ items: [{ action: 'destroy', documentId: 'x' }] });
  bulkTitle?.trim();
  const document: DocumentOf<'api::article.article'> | null = published;
  const counted: number = await prisma.article.count();
  const draft = await articles.findFirst({ populate: 'author.avatar', sort: 'title', _q: 'sea' });
  const url: string | undefined = draft?.author?.avatar?.formats?.thumbnail?.url;
  // @ts-expect-error a draft may lack its title
  draft?.title.trim();
  // @ts-expect-error not populated
  draft?.tags;
  const users = await documents('plugin::users-permissions.user').findMany({ populate: 'role' });
  const role: string | undefined = users[0]?.role?.name;
  const files = await documents('plugin::upload.file').findMany({ fields: ['url'] });
  files[0]?.url.trim();
  // @ts-expect-error not selected
  files[0]?.mime;
  // @ts-expect-error no such order
  await articles.findMany({ sort: 'colour' });
  // @ts-expect-error no such model
  prisma.nothing;
  // @ts-expect-error no such attribute
  await articles.findMany({ filters: { colour: 'red' } });
  // @ts-expect-error nothing to populate
  await articles.findMany({ populate: ['title'] });
  // @ts-expect-error a published article needs a title
  await articles.create({ data: {}, status: 'published' });
  // @ts-expect-error no such attribute
  await articles.update({ documentId: 'x', data: { colour: 'red' } });
  // @ts-expect-error no such attribute, beside one
  await articles.findMany({ filters: { title: 'x', colour: 'red' } });
  // @ts-expect-error no such attribute, beside one
  await articles.findMany({ populate: { author: { populate: { avatar: true, hat: true } } } });
  // @ts-expect-error no such parameter, beside one
  await articles.findMany({ start: 0, limits: 5 });
  // @ts-expect-error no such attribute, beside one
  await articles.create({ data: { title: 'x', colour: 'red' } });
  // @ts-expect-error no document named
  await articles.publish({});
  console.log(url, role, title, names, author, total, sum, cursor, document, counted);
};

export const titles = defineCheck({
  name: 'titles',
  level: 'warning',
  types: ['api::article.article'],
  check: ({ documentId, title, seo }, { locale, status, type }) => {
    const uid: 'api::article.article' = type;
    const place: string = [documentId, uid, locale ?? '', status].join();
    // @ts-expect-error a draft may lack its title
    title.trim();
    return seo?.metaTitle === title ? [{ path: 'title', message: place }] : [];
  },
});

export const all = defineCheck({
  name: 'all',
  check: async ({ documentId }, { type }) => (type === documentId ? [{ message: 'a' }] : []),
});

// @ts-expect-error no such type
defineCheck({ name: 'a', types: ['api::nope.nope'], check: () => [] });
// @ts-expect-error no such level
defineCheck({ name: 'a', level: 'off', check: () => [] });
// @ts-expect-error a problem needs a message
defineCheck({ name: 'a', check: () => [{ path: 'title' }] });
`;

describe("a project's server code", () => {
  it('has documents(uid) and prisma typed by the generated types', async () => {
    for (const file of await printAllTypes(await loadFixtureModel('magazine')))
      await write(file.path, file.text);
    expect(await compile(USAGE)).toEqual([]);
    const mistakes = USAGE.split('@ts-expect-error').length - 1;
    expect(await compile(USAGE.replaceAll('@ts-expect-error', 'error:'))).toHaveLength(mistakes);
  });

  it('compiles before any types are generated', async () => {
    const usage = `
      import { defineCheck } from 'galley';
      import type { BootstrapContext } from 'galley';
      export const bootstrap = async ({ documents }: BootstrapContext): Promise<void> => {
        const found = await documents('api::any.any').findMany({ filters: { a: 1 }, populate: '*' });
        console.log(found[0]?.documentId, found[0]?.['a']);
        await documents('api::any.any').create({ data: { a: 1 }, status: 'published' });
      };
      export default defineCheck({
        name: 'any',
        types: ['api::any.any'],
        check: ({ a }, { locale }) => (a === locale ? [{ message: 'a' }] : []),
      });
    `;
    expect(await compile(usage)).toEqual([]);
  });
});
