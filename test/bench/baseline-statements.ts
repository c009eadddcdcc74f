/**
 * The ceiling: what the same requests cost when someone writes the SQL by hand for this one content model and
 * its indexes. Every statement answers one text per record, the same JSON as the server under test.
 */
import type { DialectName } from '../../src/database/dialect/dialect.js';
import { BASELINE_WORDS } from './baseline-words.js';
import type { BaselineWords } from './baseline-words.js';

type Columns = Readonly<Record<string, string>>;

const object = ({ objectFunction }: BaselineWords, pairs: Columns): string =>
  `${objectFunction}(${Object.entries(pairs)
    .map(([key, value]) => `'${key}', ${value}`)
    .join(', ')})`;

const ids = (row: string): Columns => ({ id: `${row}.id`, documentId: `${row}.document_id` });
const times = ({ time }: BaselineWords, row: string): Columns => ({
  createdAt: time(`${row}.created_at`),
  updatedAt: time(`${row}.updated_at`),
  publishedAt: time(`${row}.published_at`),
});
const plain = (row: string, ...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, `${row}.${name}`]));

const article = (words: BaselineWords, row: string): Columns => ({
  ...ids(row),
  ...plain(row, 'title', 'slug', 'summary', 'body'),
  content: words.json(`${row}.content`),
  ...plain(row, 'kind', 'rating', 'views'),
  reads: `CAST(${row}.reads AS TEXT)`,
  score: `${row}.score`,
  featured: words.flag(`${row}.featured`),
  eventDate: `${row}.event_date`,
  eventTime: `${row}.event_time`,
  startsAt: words.time(`${row}.starts_at`),
  contactEmail: `${row}.contact_email`,
  extra: words.json(`${row}.extra`),
  ...times(words, row),
  locale: `${row}.locale`,
});

const author = (words: BaselineWords, row: string): Columns => ({
  ...ids(row),
  ...plain(row, 'name', 'email', 'bio', 'age'),
  ...times(words, row),
});
const category = (words: BaselineWords, row: string): Columns => ({
  ...ids(row),
  ...plain(row, 'name', 'position', 'code'),
  ...times(words, row),
});
const tag = (words: BaselineWords, row: string): Columns => ({
  ...ids(row),
  ...plain(row, 'name', 'weight', 'label'),
  ...times(words, row),
});

const file = (words: BaselineWords): Columns => ({
  ...ids('f'),
  ...plain('f', 'name'),
  alternativeText: 'f.alternative_text',
  caption: 'f.caption',
  focalPoint: words.json('f.focal_point'),
  ...plain('f', 'width', 'height'),
  formats: words.json('f.formats'),
  ...plain('f', 'hash', 'ext', 'mime', 'size', 'url'),
  previewUrl: 'f.preview_url',
  provider: 'f.provider',
  provider_metadata: words.json('f.provider_metadata'),
  ...times(words, 'f'),
});

const coverOf = (words: BaselineWords): string =>
  words.json(
    `(SELECT ${object(words, file(words))} FROM files f WHERE f.document_id = a.cover_document_id ` +
      `AND f.locale = '' AND f.status = 'published')`,
  );
const galleryOf = (words: BaselineWords): string =>
  words.json(
    `(SELECT ${words.array(object(words, file(words)))} FROM (SELECT f.* FROM articles_gallery_links l ` +
      `${words.join} files f ON f.document_id = l.target_document_id WHERE l.source_id = a.id ` +
      `AND f.locale = '' AND f.status = 'published' ORDER BY l.position, l.id) AS f)`,
  );
const authorOf = (words: BaselineWords): string =>
  words.json(
    `(SELECT ${object(words, author(words, 'au'))} FROM authors au WHERE au.document_id = ` +
      `a.author_document_id AND au.locale = '' AND au.status = 'published')`,
  );
const categoryOf = (words: BaselineWords): string =>
  words.json(
    `(SELECT ${object(words, category(words, 'c'))} FROM categories c WHERE c.document_id = ` +
      `a.category_document_id AND c.locale = '' AND c.status = 'published')`,
  );
const tagsOf = (words: BaselineWords, row: string, alias: string, fields: Columns): string =>
  words.json(
    `(SELECT ${words.array(object(words, fields))} FROM (SELECT ${alias}.* FROM ` +
      `articles_tags_links l ${words.join} tags ${alias} ON ${alias}.document_id = ` +
      `l.target_document_id WHERE l.source_id = ${row}.id AND ${alias}.locale = '' ` +
      `AND ${alias}.status = 'published' ORDER BY l.position, l.id) AS ${alias})`,
  );
const relatedOf = (words: BaselineWords): string =>
  words.json(
    `(SELECT ${words.array(object(words, article(words, 'r')))} FROM (SELECT r.* FROM ` +
      `articles_related_links l ${words.join} articles r ON r.document_id = l.target_document_id AND ` +
      `r.locale = 'en' AND r.status = 'published' WHERE l.source_id = a.id ORDER BY l.position, ` +
      'l.id) AS r)',
  );

const seoOf = (words: BaselineWords): string => {
  const keys = ['id', 'metaTitle', 'metaDescription', 'canonical'];
  const members = Object.fromEntries(keys.map((key) => [key, words.member('a.seo', key)]));
  return `CASE WHEN a.seo IS NULL THEN NULL ELSE ${object(words, members)} END`;
};

const sectionsOf = (words: BaselineWords): string => {
  const section = (...fields: readonly string[]): string => {
    const keys = ['__component', 'id', ...fields];
    return object(words, Object.fromEntries(keys.map((key) => [key, words.member('s.value', key)])));
  };
  const sections = `CASE s.value ->> '__component'
    WHEN 'sections.quote' THEN ${section('text', 'source')}
    WHEN 'sections.text' THEN ${section('body')}
    ELSE ${section('heading')} END`;
  return words.json(`(SELECT ${words.array(sections)} FROM ${words.elements('a.sections')})`);
};

const linksOf = (words: BaselineWords): string => {
  const keys = ['id', 'label', 'href'];
  const members = Object.fromEntries(keys.map((key) => [key, words.member('s.value', key)]));
  const external = words.flag(words.member('s.value', 'external'));
  const link = object(words, { ...members, external });
  return words.json(`(SELECT ${words.array(link)} FROM ${words.elements('a.links')})`);
};

const PUBLISHED = `a.status = 'published' AND a.locale = 'en'`;
const PAGE = `FROM articles a WHERE ${PUBLISHED} ORDER BY a.id LIMIT 25`;

const everything = (words: BaselineWords): Columns => ({
  ...article(words, 'a'),
  cover: coverOf(words),
  gallery: galleryOf(words),
  author: authorOf(words),
  category: categoryOf(words),
  tags: tagsOf(words, 'a', 't', tag(words, 't')),
  related: relatedOf(words),
  seo: seoOf(words),
  links: linksOf(words),
  sections: sectionsOf(words),
  localizations: words.json(
    `(SELECT ${words.array(object(words, article(words, 'o')))} FROM articles o WHERE o.document_id = ` +
      `a.document_id AND ${words.plain('o.status')} = 'published' AND o.locale <> a.locale)`,
  ),
});

const deepAuthor = (words: BaselineWords): string => {
  const name = { ...ids('t'), name: 't.name' };
  const deepArticle = { ...ids('b'), title: 'b.title', tags: tagsOf(words, 'b', 't', name) };
  const articles = words.json(`(SELECT ${words.array(object(words, deepArticle))}
    FROM (SELECT b.* FROM articles b
      WHERE b.author_document_id = au.document_id AND b.status = 'published'
      ORDER BY b.author_position, b.id) AS b)`);
  return words.json(
    `(SELECT ${object(words, { ...author(words, 'au'), articles })} FROM authors au WHERE ` +
      `au.document_id = a.author_document_id AND au.locale = '' AND au.status = 'published')`,
  );
};

/** Twenty-five rows by an index of their ids, so that only those are read as a whole. */
const pageBy = (words: BaselineWords, columns: Columns, order: string): string =>
  `SELECT ${words.text(object(words, columns))} FROM (SELECT a.id AS sorted_id FROM articles a ` +
  `WHERE ${PUBLISHED} ORDER BY ${order} LIMIT 25) s ${words.join} articles a ON a.id = s.sorted_id`;

const filteredBy = (words: BaselineWords, table: string, column: string): string =>
  `SELECT ${words.text(object(words, article(words, 'a')))} FROM articles a WHERE ` +
  `${words.plain('a.status')} = 'published' AND ${words.plain('a.locale')} = 'en' AND a.${column} IN ` +
  `(SELECT au.document_id FROM ${table} au WHERE au.locale = '' AND au.status = 'published' ` +
  `AND au.name = ${words.placeholder}) ORDER BY a.id LIMIT 25`;

/** Returns the statements by name. Those with a parameter have one. */
export function baselineStatements(dialect: DialectName) {
  const words = BASELINE_WORDS[dialect];
  const row = article(words, 'a');
  const text = (columns: Columns): string => words.text(object(words, columns));
  const title = words.ordered('a.title');
  return {
    one: `SELECT ${text(row)} FROM articles a WHERE a.document_id = ${words.placeholder} AND ${PUBLISHED}`,
    sorted: pageBy(words, row, `${title}, a.id`),
    // In descending order; the server reverses them.
    last: pageBy(words, row, `${words.descending('a.title')}, a.id DESC`),
    listed: `SELECT ${text(row)} ${PAGE}`,
    count: `SELECT count(*) FROM articles a WHERE ${PUBLISHED}`,
    countViews: `SELECT count(*) FROM articles a WHERE ${PUBLISHED} AND a.views >= ${words.placeholder}`,
    twoRelations: `SELECT ${text({ ...row, author: authorOf(words), category: categoryOf(words) })} ${PAGE}`,
    everything: `SELECT ${text(everything(words))} ${PAGE}`,
    deep: `SELECT ${text({ ...ids('a'), title: 'a.title', author: deepAuthor(words) })} ${PAGE}`,
    byAuthor: filteredBy(words, 'authors', 'author_document_id'),
  } as const;
}

export type BaselineStatement = keyof ReturnType<typeof baselineStatements>;
