import { readFile } from 'node:fs/promises';
import wasm from '@prisma/prisma-schema-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ColumnKind } from '../../../src/lib/stored-value.js';
import type { ContentModel } from '../../../src/model/model.js';
import { printPrismaSchema } from '../../../src/prisma-schema/print-prisma-schema.js';
import type { SchemaDialect } from '../../../src/prisma-schema/schema-context.js';
import { loadFixtureModel, modelFrom } from '../../support/models.js';
import { TORTURE } from './torture-model.js';

const PLAIN: Readonly<Record<ColumnKind, string>> = {
  text: 'String', integer: 'Int', bigint: 'BigInt', double: 'Float', boolean: 'Boolean', datetime: 'DateTime', json: 'Json',
};
const NATIVE: Partial<Record<ColumnKind, string>> = { double: '@db.DoublePrecision', datetime: '@db.Timestamptz(3)', json: '@db.Json' };

const sqlite: SchemaDialect = { prismaProvider: 'sqlite', namesConstraints: false, prismaType: (kind) => ({ type: PLAIN[kind], attribute: null }) };
const postgres: SchemaDialect = { prismaProvider: 'postgresql', namesConstraints: true, prismaType: (kind) => ({ type: PLAIN[kind], attribute: NATIVE[kind] ?? null }) };
const DIALECTS = [sqlite, postgres];

let base = '';
beforeAll(async () => {
  base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');
});

const validate = (text: string): void => wasm.validate(JSON.stringify({ prismaSchema: [['schema.prisma', text]], noColor: true }));

const format = (text: string): string => {
  const uri = 'file:///schema.prisma';
  const formatted = JSON.parse(wasm.format(JSON.stringify([[uri, text]]), JSON.stringify({ textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } }))) as [string, string][];
  return formatted[0]?.[1] ?? '';
};

/** The lines of one model, without its braces and what it says to migrations. */
const modelLines = (text: string, name: string): readonly string[] => {
  const body = new RegExp(`^model ${name} \\{\\n([^]*?)^\\}`, 'm').exec(text)?.[1] ?? '';
  return body.split('\n').map((line) => line.trim().replace(/ +/g, ' ')).filter((line) => line !== '' && !line.startsWith('//'));
};

const constraintNames = (text: string): readonly string[] => [...text.matchAll(/map: "([^"]+)"/g)].map((match) => match[1] ?? '');

const MODELS: readonly (readonly [string, () => Promise<ContentModel>])[] = [
  ['magazine', () => loadFixtureModel('magazine')],
  ['launchpad', () => loadFixtureModel('launchpad')],
  ['torture', async () => modelFrom(TORTURE)],
  ['empty', async () => modelFrom({})],
];

describe.each(DIALECTS)('on $prismaProvider', (dialect) => {
  describe.each(MODELS)('%s', (_, load) => {
    it('is a schema Prisma accepts, and formats as it is', async () => {
      const text = printPrismaSchema({ model: await load(), dialect, base });
      expect(() => validate(text)).not.toThrow();
      expect(format(text)).toBe(text);
    });

    it('is the same bytes every time', async () => {
      const [first, second] = [await load(), await load()].map((model) => printPrismaSchema({ model, dialect, base }));
      expect(first).toBe(second);
    });

    it('names constraints uniquely, in at most 63 bytes', async () => {
      const names = constraintNames(printPrismaSchema({ model: await load(), dialect, base }));
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
    });
  });

  it('prints the magazine', async () => {
    const text = printPrismaSchema({ model: await loadFixtureModel('magazine'), dialect, base });
    await expect(text).toMatchFileSnapshot(`magazine.${dialect.prismaProvider}.prisma`);
  });
});

describe('what the database enforces', () => {
  const print = (project: Parameters<typeof modelFrom>[0]): string => printPrismaSchema({ model: modelFrom(project), dialect: postgres, base });
  const relation = (kind: string, target: string, rest = {}) => ({ type: 'relation', relation: kind, target: `api::${target}.${target}`, ...rest });

  it('keeps one row per document, locale and status', () => {
    const lines = modelLines(print({ types: { tag: { attributes: { name: { type: 'string' } } } } }), 'Tag');
    expect(lines).toContain('@@unique([documentId, locale, status], map: "tags_document_id_locale_status_key")');
    expect(lines).toContain('document TagDocument @relation("Tag_document", fields: [documentId], references: [documentId], onDelete: Cascade, map: "tags_document_id_fkey")');
    expect(lines).toContain('@@index([status, locale, id], map: "tags_status_locale_id_idx")');
  });

  it('leaves required columns nullable, because drafts may lack them', () => {
    const lines = modelLines(print({ types: { tag: { draftAndPublish: true, attributes: { name: { type: 'string', required: true } } } } }), 'Tag');
    expect(lines).toContain('name String?');
  });

  it('makes unique attributes and uids unique per locale and status, and nothing else', () => {
    const attributes = { code: { type: 'string', unique: true }, slug: { type: 'uid' }, name: { type: 'string' } };
    const lines = modelLines(print({ types: { tag: { attributes } } }), 'Tag').filter((line) => line.startsWith('@@unique'));
    expect(lines).toEqual([
      '@@unique([documentId, locale, status], map: "tags_document_id_locale_status_key")',
      '@@unique([code, locale, status], map: "tags_code_locale_status_key")',
      '@@unique([slug, locale, status], map: "tags_slug_locale_status_key")',
    ]);
  });

  it('sets a to-one link to null when its target goes, and indexes it with the order of the other side', () => {
    const text = print({ types: {
      author: { attributes: { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) } },
      article: { attributes: { author: relation('manyToOne', 'author', { inversedBy: 'articles' }) } },
    } });
    expect(modelLines(text, 'Article')).toEqual(expect.arrayContaining([
      'author AuthorDocument? @relation("Article_author", fields: [authorDocumentId], references: [documentId], onDelete: SetNull, map: "articles_author_document_id_fkey")',
      'authorPosition Int? @map("author_position")',
      '@@index([authorDocumentId, authorPosition], map: "articles_author_document_id_author_position_idx")',
    ]));
    expect(modelLines(text, 'AuthorDocument')).toContain('articleAuthor Article[] @relation("Article_author")');
  });

  it('cascades a link table from both ends, unique per link and indexed in both orders', () => {
    const text = print({ types: {
      tag: { attributes: { articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) } },
      article: { attributes: { tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }) } },
    } });
    const lines = modelLines(text, 'ArticleTagsLink');
    expect(lines.filter((line) => line.includes('onDelete: Cascade'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('@@'))).toEqual([
      '@@unique([sourceId, targetDocumentId], map: "articles_tags_links_source_id_target_document_id_key")',
      '@@index([sourceId, position], map: "articles_tags_links_source_id_position_idx")',
      '@@index([targetDocumentId, inversePosition], map: "articles_tags_links_target_document_id_inverse_position_idx")',
      '@@map("articles_tags_links")',
    ]);
  });

  it('says which version of the target a link stands for, where the owner has none of its own', () => {
    const text = print({ types: {
      profile: { attributes: { favourites: relation('oneToMany', 'article') } },
      article: { draftAndPublish: true, localized: true, attributes: { title: { type: 'string' } } },
    } });
    const lines = modelLines(text, 'ProfileFavouritesLink');
    expect(lines).toContain('targetStatus String @default("published") @map("target_status")');
    expect(lines).toContain('targetLocale String @default("") @map("target_locale")');
    expect(lines.find((line) => line.startsWith('@@unique'))).toContain('[sourceId, targetDocumentId, targetStatus, targetLocale]');
  });

  it('gives a polymorphic link a nullable foreign key per target, each indexed', () => {
    const text = print({ types: {
      comment: { attributes: { about: { type: 'relation', relation: 'morphToMany' } } },
      tag: { attributes: { comments: relation('morphMany', 'comment', { morphBy: 'about' }) } },
      page: { attributes: { comments: relation('morphMany', 'comment', { morphBy: 'about' }) } },
    } });
    const lines = modelLines(text, 'CommentAboutLink');
    for (const target of ['tag', 'page']) {
      expect(lines).toContain(`${target}DocumentId String? @map("${target}_document_id")`);
      expect(lines).toContain(`@@index([${target}DocumentId], map: "comments_about_links_${target}_document_id_idx")`);
    }
  });

  it('keeps components and dynamic zones as JSON of their owner, and no table for them', () => {
    const text = print({
      types: { page: { attributes: { seo: { type: 'component', component: 'shared.seo' }, body: { type: 'dynamiczone', components: ['shared.seo'] } } } },
      components: { 'shared.seo': { attributes: { title: { type: 'string', unique: true } } } },
    });
    expect(modelLines(text, 'Page')).toEqual(expect.arrayContaining(['seo Json? @db.Json', 'body Json? @db.Json']));
    expect(text).not.toMatch(/model Component/);
  });
});

describe('the system tables', () => {
  it.each(DIALECTS)('use the same type for points in time as the content on $prismaProvider', (dialect) => {
    const text = printPrismaSchema({ model: modelFrom({}), dialect, base });
    const times = text.split('\n').filter((line) => / DateTime\b/.test(line));
    expect(times.length).toBeGreaterThan(6);
    expect(times.filter((line) => line.includes('@db.Timestamptz(3)'))).toHaveLength(dialect === postgres ? times.length : 0);
  });

  it('are there, under their own prefix', () => {
    const text = printPrismaSchema({ model: modelFrom({}), dialect: sqlite, base });
    for (const table of ['cms_api_tokens', 'cms_api_token_permissions', 'cms_locales', 'cms_state']) expect(text).toContain(`@@map("${table}")`);
  });
});
