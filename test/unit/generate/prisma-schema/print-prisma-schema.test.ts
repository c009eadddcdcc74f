import { readFile } from 'node:fs/promises';
import wasm from '@prisma/prisma-schema-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ColumnKind } from '../../../../src/lib/stored-value.js';
import type { ContentModel } from '../../../../src/model/model.js';
import { printPrismaSchema } from '../../../../src/generate/prisma-schema/print-prisma-schema.js';
import type { PrismaSchemaSupport } from '../../../../src/database/dialect/dialect.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';
import { TORTURE } from './torture-model.js';

const PLAIN: Readonly<Record<ColumnKind, string>> = {
  text: 'String',
  integer: 'Int',
  bigint: 'BigInt',
  double: 'Float',
  boolean: 'Boolean',
  datetime: 'DateTime',
  json: 'Json',
};
const NATIVE: Partial<Record<ColumnKind, string>> = {
  double: '@db.DoublePrecision',
  datetime: '@db.Timestamptz(3)',
  json: '@db.Json',
};

const sqlite: PrismaSchemaSupport = {
  provider: 'sqlite',
  namesConstraints: false,
  columnType: (kind) => ({ type: PLAIN[kind], attribute: null }),
};
const postgres: PrismaSchemaSupport = {
  provider: 'postgresql',
  namesConstraints: true,
  columnType: (kind) => ({ type: PLAIN[kind], attribute: NATIVE[kind] ?? null }),
};
const DIALECTS = [sqlite, postgres];

let base = '';
beforeAll(async () => {
  base = await readFile(new URL('../../../../prisma/base.prisma', import.meta.url), 'utf8');
});

const validate = (text: string): void =>
  wasm.validate(JSON.stringify({ prismaSchema: [['schema.prisma', text]], noColor: true }));

const format = (text: string): string => {
  const uri = 'file:///schema.prisma';
  const formatted = JSON.parse(
    wasm.format(
      JSON.stringify([[uri, text]]),
      JSON.stringify({ textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } }),
    ),
  ) as [string, string][];
  return formatted[0]?.[1] ?? '';
};

/** The lines of one model, without its braces and its metadata comment. */
const modelLines = (text: string, name: string): readonly string[] => {
  const body = new RegExp(`^model ${name} \\{\\n([^]*?)^\\}`, 'm').exec(text)?.[1] ?? '';
  return body
    .split('\n')
    .map((line) => line.trim().replace(/ +/g, ' '))
    .filter((line) => line !== '' && !line.startsWith('//'));
};

const constraintNames = (text: string): readonly string[] =>
  [...text.matchAll(/map: "([^"]+)"/g)].map((match) => match[1] ?? '');

const MODELS: readonly (readonly [string, () => Promise<ContentModel>])[] = [
  ['magazine', () => loadFixtureModel('magazine')],
  ['launchpad', () => loadFixtureModel('launchpad')],
  ['torture', async () => modelFrom(TORTURE)],
  ['empty', async () => modelFrom({})],
];

describe.each(DIALECTS)('on $provider', (dialect) => {
  describe.each(MODELS)('%s', (_, load) => {
    it('is valid, and equal to what the formatter of Prisma prints', async () => {
      const text = printPrismaSchema({ model: await load(), support: dialect, base });
      expect(() => validate(text)).not.toThrow();
      expect(format(text)).toBe(text);
    });

    it('is the same text every time', async () => {
      const [first, second] = [await load(), await load()].map((model) =>
        printPrismaSchema({ model, support: dialect, base }),
      );
      expect(first).toBe(second);
    });

    it('names constraints uniquely, in at most 63 bytes', async () => {
      const names = constraintNames(printPrismaSchema({ model: await load(), support: dialect, base }));
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
    });
  });

  it('prints the magazine', async () => {
    const text = printPrismaSchema({ model: await loadFixtureModel('magazine'), support: dialect, base });
    await expect(text).toMatchFileSnapshot(`magazine.${dialect.provider}.prisma`);
  });
});

describe('the constraints in the schema', () => {
  const print = (project: Parameters<typeof modelFrom>[0]): string =>
    printPrismaSchema({ model: modelFrom(project), support: postgres, base });
  const relation = (kind: string, target: string, rest = {}) => ({
    type: 'relation',
    relation: kind,
    target: `api::${target}.${target}`,
    ...rest,
  });

  it('allow one row per document, locale and status', () => {
    const lines = modelLines(print({ types: { tag: { attributes: { name: { type: 'string' } } } } }), 'Tag');
    expect(lines).toContain(
      '@@unique([documentId, locale, status], map: "tags_document_id_locale_status_key")',
    );
    expect(lines).toContain(
      'document TagDocument @relation("Tag_document", fields: [documentId], references: [documentId], ' +
        'onDelete: Cascade, map: "tags_document_id_fkey")',
    );
    expect(lines).toContain('@@index([status, locale, id], map: "tags_status_locale_id_idx")');
  });

  it('leave required columns nullable, since drafts may lack them', () => {
    const lines = modelLines(
      print({
        types: { tag: { draftAndPublish: true, attributes: { name: { type: 'string', required: true } } } },
      }),
      'Tag',
    );
    expect(lines).toContain('name String?');
  });

  it('make published values of unique attributes unique per locale, and index all and the times', () => {
    const attributes = {
      code: { type: 'string', unique: true },
      slug: { type: 'uid' },
      name: { type: 'string' },
    };
    const lines = modelLines(print({ types: { tag: { attributes } } }), 'Tag').filter((line) =>
      /^@@(?:unique|index)/.test(line),
    );
    expect(lines).toEqual([
      '@@unique([documentId, locale, status], map: "tags_document_id_locale_status_key")',
      '@@unique([code, locale, status], map: "tags_code_locale_status_key", where: { status: "published" })',
      '@@unique([slug, locale, status], map: "tags_slug_locale_status_key", where: { status: "published" })',
      '@@index([status, locale, id], map: "tags_status_locale_id_idx")',
      '@@index([status, locale, createdAt(sort: Desc), id], map: "tags_status_locale_created_at_id_idx")',
      '@@index([status, locale, updatedAt(sort: Desc), id], map: "tags_status_locale_updated_at_id_idx")',
      '@@index([status, locale, publishedAt(sort: Desc), id], map: "tags_status_locale_published_at_id_idx")',
      '@@index([status, locale, code, id], map: "tags_status_locale_code_id_idx")',
      '@@index([status, locale, slug, id], map: "tags_status_locale_slug_id_idx")',
    ]);
  });

  it('set a to-one link to null when its target is deleted, and index it', () => {
    const text = print({
      types: {
        author: { attributes: { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) } },
        article: { attributes: { author: relation('manyToOne', 'author', { inversedBy: 'articles' }) } },
      },
    });
    expect(modelLines(text, 'Article')).toEqual(
      expect.arrayContaining([
        'author AuthorDocument? @relation("Article_author", fields: [authorDocumentId], ' +
          'references: [documentId], onDelete: SetNull, map: "articles_author_document_id_fkey")',
        'authorPosition Float? @map("author_position")',
        '@@index([authorDocumentId, authorPosition], map: "articles_author_document_id_author_position_idx")',
      ]),
    );
    expect(modelLines(text, 'AuthorDocument')).toContain(
      'articleAuthor Article[] @relation("Article_author")',
    );
  });

  it('cascade to link tables from both ends, with unique links and an index per order', () => {
    const text = print({
      types: {
        tag: { attributes: { articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) } },
        article: { attributes: { tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }) } },
      },
    });
    const lines = modelLines(text, 'ArticleTagsLink');
    expect(lines.filter((line) => line.includes('onDelete: Cascade'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('@@'))).toEqual([
      '@@unique([sourceId, targetDocumentId], map: "articles_tags_links_source_id_target_document_id_key")',
      '@@index([sourceId, position], map: "articles_tags_links_source_id_position_idx")',
      '@@index([targetDocumentId, inversePosition], ' +
        'map: "articles_tags_links_target_document_id_inverse_position_idx")',
      '@@map("articles_tags_links")',
    ]);
  });

  it('store the version of the target of a link where its owner has no versions', () => {
    const text = print({
      types: {
        profile: { attributes: { favourites: relation('oneToMany', 'article') } },
        article: { draftAndPublish: true, localized: true, attributes: { title: { type: 'string' } } },
      },
    });
    const lines = modelLines(text, 'ProfileFavouritesLink');
    expect(lines).toContain('targetStatus String @default("published") @map("target_status")');
    expect(lines).toContain('targetLocale String @default("") @map("target_locale")');
    expect(lines.find((line) => line.startsWith('@@unique'))).toContain(
      '[sourceId, targetDocumentId, targetStatus, targetLocale]',
    );
  });

  it('give a polymorphic link a nullable, indexed foreign key per target', () => {
    const text = print({
      types: {
        comment: { attributes: { about: { type: 'relation', relation: 'morphToMany' } } },
        tag: { attributes: { comments: relation('morphMany', 'comment', { morphBy: 'about' }) } },
        page: { attributes: { comments: relation('morphMany', 'comment', { morphBy: 'about' }) } },
      },
    });
    const lines = modelLines(text, 'CommentAboutLink');
    for (const target of ['tag', 'page']) {
      expect(lines).toContain(`${target}DocumentId String? @map("${target}_document_id")`);
      expect(lines).toContain(
        `@@index([${target}DocumentId], map: "comments_about_links_${target}_document_id_idx")`,
      );
    }
  });

  it('store components and dynamic zones as JSON columns, without tables', () => {
    const text = print({
      types: {
        page: {
          attributes: {
            seo: { type: 'component', component: 'shared.seo' },
            body: { type: 'dynamiczone', components: ['shared.seo'] },
          },
        },
      },
      components: { 'shared.seo': { attributes: { title: { type: 'string', unique: true } } } },
    });
    expect(modelLines(text, 'Page')).toEqual(
      expect.arrayContaining(['seo Json? @db.Json', 'body Json? @db.Json']),
    );
    expect(text).not.toMatch(/model Component/);
  });
});

describe('the system tables', () => {
  it.each(DIALECTS)('use the same type for points in time as the content on $provider', (dialect) => {
    const text = printPrismaSchema({ model: modelFrom({}), support: dialect, base });
    const times = text.split('\n').filter((line) => / DateTime\b/.test(line));
    expect(times.length).toBeGreaterThan(6);
    expect(times.filter((line) => line.includes('@db.Timestamptz(3)'))).toHaveLength(
      dialect === postgres ? times.length : 0,
    );
  });

  it('have a prefix of their own', () => {
    const text = printPrismaSchema({ model: modelFrom({}), support: sqlite, base });
    for (const table of ['cms_api_tokens', 'cms_api_token_permissions', 'cms_locales', 'cms_state'])
      expect(text).toContain(`@@map("${table}")`);
  });
});
