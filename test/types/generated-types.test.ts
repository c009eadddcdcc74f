import { describe, expect, it } from 'vitest';
import { SHARED_DECLARATIONS } from '../../src/generate/typegen/print-attributes.js';
import { compileFrontEnd as compile } from '../support/compile-front-end.js';
import { loadFixtureModel, modelFrom } from '../support/models.js';
import { printAllTypes } from '../support/print-all-types.js';
import { TORTURE } from '../unit/generate/prisma-schema/torture-model.js';

const MAGAZINE_USAGE = `
import type {
  Article,
  ArticleInput,
  Collections,
  CreateRequest,
  ErrorResponse,
  Filters,
  ListResponse,
  OffsetPagination,
  Populated,
  Query,
  SingleResponse,
  SingleTypes,
  UpdateRequest,
} from './types/index.js';

declare const list: ListResponse<Article>;
const title: string = list.data[0]!.title;
const slug: string | null = list.data[0]!.slug;
const pages: number | undefined = list.meta.pagination.pageCount;
declare const offset: ListResponse<Article, OffsetPagination>;
offset.meta.pagination.start.toFixed();

// A relation that is not populated may be absent.
declare const bare: Article;
// @ts-expect-error
bare.author.name;
declare const deep: Populated<Article, 'author' | 'tags' | 'sections'>;
const author: string | undefined = deep.author?.name;
const tags: string[] = deep.tags.map((tag) => tag.name);
for (const section of deep.sections) {
  if (section.__component === 'sections.quote') section.text.toUpperCase();
  // @ts-expect-error
  if (section.__component === 'sections.nothing') section;
}
// @ts-expect-error title is no relation
type Wrong = Populated<Article, 'title'>;

// Private and password attributes never leave the server.
// @ts-expect-error
bare.secret;
// @ts-expect-error
bare.internalNote;

const input: ArticleInput = {
  title: 'Hello',
  kind: 'news',
  secret: 'hush-hush',
  reads: '9007199254740993',
  tags: ['abc', { documentId: 'def' }],
  author: { connect: { documentId: 'x' } },
  related: { connect: [{ documentId: 'y', position: { before: 'z' } }] },
  cover: 7,
  seo: { metaTitle: 'Hello' },
  sections: [{ __component: 'sections.quote', text: 'Q' }],
  content: [{ type: 'paragraph', children: [{ type: 'text', text: 'Hi' }] }],
  extra: { any: ['json', 1, null] },
};
const create: CreateRequest<ArticleInput> = { data: input };
const update: UpdateRequest<ArticleInput> = { data: { summary: null } };
// @ts-expect-error a title is required
const untitled: ArticleInput = {};
// @ts-expect-error no such kind
const kind: ArticleInput = { title: 'x', kind: 'gossip' };
// @ts-expect-error no such attribute
const unknown: ArticleInput = { title: 'x', colour: 'red' };
// @ts-expect-error not allowed in this zone
const zone: ArticleInput = { title: 'x', sections: [{ __component: 'shared.seo', metaTitle: 'x' }] };

const filters: Filters<Article> = {
  title: { $containsi: 'a' },
  views: { $between: [1, 2] },
  author: { name: 'Ada' },
  tags: { name: { $in: ['a'] } },
  $or: [{ slug: { $null: true } }, { $not: { kind: 'news' } }],
};
// @ts-expect-error no such attribute
const noFilter: Filters<Article> = { colour: 'red' };
const query: Query<Article> = {
  fields: ['title'],
  populate: { author: { fields: ['name'], populate: ['avatar'] }, tags: true },
  sort: 'title:desc',
  filters,
  pagination: { page: 2 },
};
// @ts-expect-error title cannot be populated
const noQuery: Query<Article> = { populate: ['title'] };

declare function find<Name extends keyof Collections>(
  name: Name,
  query?: Query<Collections[Name]['document']>,
): Promise<ListResponse<Collections[Name]['document']>>;
export const names = find('authors', { sort: 'name' }).then(({ data }) => data.map((author) => author.name));
// @ts-expect-error not in the API
find('files');
declare const setting: SingleResponse<SingleTypes['setting']['document']>;
setting.data.siteName.trim();
export const faultPaths = (response: ErrorResponse): string[] =>
  response.error.details.errors?.map(({ path }) => path.join('.')) ?? [];
export { title, slug, pages, author, tags };
export { create, update, untitled, kind, unknown, zone };
export { noFilter, query, noQuery };
export type { Wrong };
`;

describe('generated types', () => {
  it('accept correct code of a front end, and refuse its mistakes', async () => {
    expect(await compile(await loadFixtureModel('magazine'), MAGAZINE_USAGE)).toBe('');
  });

  it('compile for the launchpad', async () => {
    const usage =
      "import type { Product, Populated } from './types/index.js';\n" +
      "declare const product: Populated<Product, 'plans'>;\n" +
      'export const first: string | null | undefined = product.plans[0]?.name;\n';
    expect(await compile(await loadFixtureModel('launchpad'), usage)).toBe('');
  });

  it('compile for types named like keywords, globals or the generated types', async () => {
    const attributes = {
      class: { type: 'string' },
      'two-words': { type: 'enumeration', enum: ['a"b', 'Blocks'], required: true },
      body: { type: 'blocks' },
    } as const;
    const names = [
      'record',
      'date',
      'string',
      'object',
      'array',
      'query',
      'filters',
      'to-one',
      'article',
      'article-input',
      'collections',
      'single-types',
      'api',
      'components',
      'class',
      'blocks',
    ];
    const types = Object.fromEntries(names.map((name) => [name, { pluralName: `${name}-all`, attributes }]));
    const usage =
      "import type { ArticleInput, ArticleInput2, Collections2 } from './types/index.js';\n" +
      'export const stored = (one: ArticleInput): string => one.documentId;\n' +
      "export const sent: ArticleInput2 = { 'two-words': 'a\"b' };\n" +
      "export type All = Collections2['article-all'];\n";
    expect(await compile(modelFrom({ types }), usage)).toBe('');
  });

  it('compile for polymorphic relations and long names', async () => {
    const usage =
      "import type { Comment } from './types/index.js';\n" +
      'export const kinds = ({ about }: Comment): string[] => (about ?? []).map(({ __type }) => __type);\n';
    expect(await compile(modelFrom(TORTURE), usage)).toBe('');
  });

  it('require no owner that the server sets', async () => {
    const owner = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' };
    const attributes = {
      title: { type: 'string', required: true },
      owner: { ...owner, required: true, default: '$caller' },
      editor: { ...owner, required: true },
    };
    const usage =
      "import type { NoteInput } from './types/index.js';\n" +
      "export const note: NoteInput = { title: 'one', editor: 'abc' };\n" +
      '// @ts-expect-error the server sets no editor\n' +
      "export const other: NoteInput = { title: 'one', owner: 'abc' };\n";
    expect(await compile(modelFrom({ types: { note: { attributes } } }), usage)).toBe('');
  });

  it('compile for a project without content', async () => {
    expect(
      await compile(
        modelFrom({}),
        "import type { UploadFile } from './types/index.js';\n" +
          'export const url = (file: UploadFile): string => file.url;\n',
      ),
    ).toBe('');
  });

  it('leave none of the exported names out of the index', async () => {
    const files = await printAllTypes(await loadFixtureModel('magazine'));
    for (const [file, names] of Object.entries(SHARED_DECLARATIONS)) {
      const text = files.find(({ path }) => path === `types/${file}.d.ts`)?.text ?? '';
      const exported = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
      expect(new Set(exported)).toEqual(new Set(names));
    }
  });

  it('are the same files every time, with the same bytes', async () => {
    const models = [await loadFixtureModel('magazine'), await loadFixtureModel('magazine')];
    const [first, second] = await Promise.all(models.map(printAllTypes));
    expect(first).toEqual(second);
    expect(first?.map((file) => file.path)).toEqual([
      'types/api.d.ts',
      'types/components.d.ts',
      'types/content-types.d.ts',
      'types/index.d.ts',
      'types/query.d.ts',
      'types/result.d.ts',
      'types/server.d.ts',
    ]);
  });
});
