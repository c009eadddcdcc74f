/**
 * The ceiling: what the same requests cost when someone writes the SQL by hand for this one content model.
 * Every statement answers one text per record, the same bytes as the server under test.
 */
const time = (column: string): string => `substr(${column}, 1, 23) || 'Z'`;
const flag = (column: string): string =>
  `json(CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`;
const object = (pairs: Readonly<Record<string, string>>): string =>
  `json_object(${Object.entries(pairs)
    .map(([key, value]) => `'${key}', ${value}`)
    .join(', ')})`;
const times = (row: string): Readonly<Record<string, string>> => ({
  createdAt: time(`${row}.created_at`),
  updatedAt: time(`${row}.updated_at`),
  publishedAt: time(`${row}.published_at`),
});

const article = (row: string): Readonly<Record<string, string>> => ({
  id: `${row}.id`,
  documentId: `${row}.document_id`,
  title: `${row}.title`,
  slug: `${row}.slug`,
  summary: `${row}.summary`,
  body: `${row}.body`,
  content: `json(${row}.content)`,
  kind: `${row}.kind`,
  rating: `${row}.rating`,
  views: `${row}.views`,
  reads: `CAST(${row}.reads AS TEXT)`,
  score: `${row}.score`,
  featured: flag(`${row}.featured`),
  eventDate: `${row}.event_date`,
  eventTime: `${row}.event_time`,
  startsAt: time(`${row}.starts_at`),
  contactEmail: `${row}.contact_email`,
  extra: `json(${row}.extra)`,
  ...times(row),
  locale: `${row}.locale`,
});

const author = (row: string): Readonly<Record<string, string>> => ({
  id: `${row}.id`,
  documentId: `${row}.document_id`,
  name: `${row}.name`,
  email: `${row}.email`,
  bio: `${row}.bio`,
  age: `${row}.age`,
  ...times(row),
});
const category = (row: string): Readonly<Record<string, string>> => ({
  id: `${row}.id`,
  documentId: `${row}.document_id`,
  name: `${row}.name`,
  position: `${row}.position`,
  code: `${row}.code`,
  ...times(row),
});
const tag = (row: string): Readonly<Record<string, string>> => ({
  id: `${row}.id`,
  documentId: `${row}.document_id`,
  name: `${row}.name`,
  weight: `${row}.weight`,
  label: `${row}.label`,
  ...times(row),
});

const AUTHOR =
  `(SELECT ${object(author('au'))} FROM authors au WHERE au.document_id = a.author_document_id ` +
  `AND au.locale = '' AND au.status = 'published')`;
const CATEGORY =
  `(SELECT ${object(category('c'))} FROM categories c WHERE c.document_id = ` +
  `a.category_document_id AND c.locale = '' AND c.status = 'published')`;
const tagsOf = (row: string, alias: string, fields: Readonly<Record<string, string>>): string =>
  `(SELECT json_group_array(${object(fields)}) FROM (SELECT ${alias}.* FROM ` +
  `articles_tags_links l CROSS JOIN tags ${alias} ON ${alias}.document_id = ` +
  `l.target_document_id WHERE l.source_id = ${row}.id AND ${alias}.locale = '' ` +
  `AND ${alias}.status = 'published' ORDER BY l.position, l.id) AS ${alias})`;
const SEO =
  `CASE WHEN a.seo IS NULL THEN NULL ELSE json_object('id', a.seo ->> '$.id', 'metaTitle', ` +
  `a.seo ->> '$.metaTitle', 'metaDescription', a.seo ->> '$.metaDescription', 'canonical', ` +
  `a.seo ->> '$.canonical') END`;
const section = (...fields: readonly string[]): string => {
  const keys = ['__component', 'id', ...fields];
  return object(Object.fromEntries(keys.map((key) => [key, `s.value ->> '$.${key}'`])));
};
const SECTIONS = `(SELECT json_group_array(CASE s.value ->> '$.__component'
  WHEN 'sections.quote' THEN ${section('text', 'source')}
  WHEN 'sections.text' THEN ${section('body')}
  ELSE ${section('heading')} END)
  FROM jsonb_each(a.sections) s)`;
const LINKS =
  `(SELECT json_group_array(json_object('id', s.value ->> '$.id', 'label', s.value ->> ` +
  `'$.label', 'href', s.value ->> '$.href', 'external', ${flag(`s.value ->> '$.external'`)})) ` +
  'FROM jsonb_each(a.links) s)';

const PUBLISHED = `a.status = 'published' AND a.locale = 'en'`;
const PAGE = `FROM articles a WHERE ${PUBLISHED} ORDER BY a.id LIMIT 25`;

const EVERYTHING = {
  ...article('a'),
  cover: 'NULL',
  gallery: 'NULL',
  author: AUTHOR,
  category: CATEGORY,
  tags: tagsOf('a', 't', tag('t')),
  related:
    `(SELECT json_group_array(${object(article('r'))}) FROM (SELECT r.* FROM ` +
    'articles_related_links l CROSS JOIN articles r ON r.document_id = l.target_document_id AND ' +
    `r.locale = 'en' AND r.status = 'published' WHERE l.source_id = a.id ORDER BY l.position, ` +
    'l.id) AS r)',
  seo: SEO,
  links: LINKS,
  sections: SECTIONS,
  localizations:
    `(SELECT json_group_array(${object(article('o'))}) FROM articles o WHERE o.document_id = ` +
    `a.document_id AND +o.status = 'published' AND o.locale <> a.locale)`,
};

const DEEP_ARTICLE = {
  id: 'b.id',
  documentId: 'b.document_id',
  title: 'b.title',
  tags: tagsOf('b', 't', { id: 't.id', documentId: 't.document_id', name: 't.name' }),
};
const DEEP_ARTICLES = `(SELECT json_group_array(${object(DEEP_ARTICLE)})
  FROM (SELECT b.* FROM articles b
    WHERE b.author_document_id = au.document_id AND b.status = 'published'
    ORDER BY b.author_position, b.id) AS b)`;

export const BASELINE_STATEMENTS = {
  one: `SELECT ${object(article('a'))} FROM articles a WHERE a.document_id = ? AND ${PUBLISHED}`,
  sorted:
    `SELECT ${object(article('a'))} FROM (SELECT a.id AS sorted_id FROM articles a ` +
    `WHERE ${PUBLISHED} ORDER BY a.title, a.id LIMIT 25) s CROSS JOIN articles a ON a.id = ` +
    's.sorted_id',
  listed: `SELECT ${object(article('a'))} ${PAGE}`,
  count: `SELECT count(*) FROM articles a WHERE ${PUBLISHED}`,
  twoRelations: `SELECT ${object({ ...article('a'), author: AUTHOR, category: CATEGORY })} ${PAGE}`,
  everything: `SELECT ${object(EVERYTHING)} ${PAGE}`,
  deep:
    `SELECT json_object('id', a.id, 'documentId', a.document_id, 'title', a.title, 'author', ` +
    `(SELECT ${object({ ...author('au'), articles: DEEP_ARTICLES })} FROM authors au WHERE ` +
    `au.document_id = a.author_document_id AND au.locale = '' AND au.status = ` +
    `'published')) ${PAGE}`,
  filtered:
    `SELECT ${object(article('a'))} FROM articles a WHERE +a.status = 'published' AND +a.locale ` +
    `= 'en' AND a.author_document_id IN (SELECT au.document_id FROM authors au WHERE au.locale = ` +
    `'' AND au.status = 'published' AND au.name = ?) ORDER BY a.id LIMIT 25`,
} as const;
