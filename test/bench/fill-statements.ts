import type { DialectName } from '../../src/database/dialect/dialect.js';

/** What the SQL of the two databases calls differently. */
interface FillWords {
  /** Rows `s(i)`, with i from 0. They come in this order: sorting would hold all that is selected. */
  readonly series: (count: number) => string;
  readonly padded: (number: string, digits: number) => string;
  /** A time in seconds as the content API stores it. */
  readonly time: (seconds: string) => string;
  readonly json: (text: string) => string;
}

const WORDS: Readonly<Record<DialectName, FillWords>> = {
  sqlite: {
    series: (count) =>
      '(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s ' +
      `WHERE i < ${count - 1}) SELECT i FROM s) s`,
    padded: (number, digits) => `printf('%0${digits}d', ${number})`,
    time: (seconds) => `strftime('%Y-%m-%dT%H:%M:%S.000+00:00', ${seconds}, 'unixepoch')`,
    json: (text) => text,
  },
  postgresql: {
    series: (count) => `generate_series(0::bigint, ${count - 1}) AS s(i)`,
    padded: (number, digits) => `lpad((${number})::text, ${digits}, '0')`,
    time: (seconds) => `to_timestamp(${seconds}) AT TIME ZONE 'UTC'`,
    json: (text) => `(${text})::json`,
  },
};

const LOREM = 'Lorem ipsum dolor sit amet. '.repeat(20);
const BEGINNING = 1_700_000_000;
const [CATEGORIES, TAGS, TAGS_PER_ARTICLE] = [10, 20, 3];

/** An author has that many articles, and so has each number of views, however many articles there are. */
const ARTICLES_PER_VALUE = 20;

const authorCount = (size: number): number => Math.floor(size / ARTICLES_PER_VALUE);

/** One article of that many was edited since it was published. */
const ARTICLES_PER_EDIT = 20;

/** Titles and ids follow another order than the rows, as they do where people write. */
const shuffled = (index: string, size: number): string => `((${index} * 7919) % ${size})`;

const ID_DIGITS = { author: 18, category: 16, tag: 21, article: 17 } as const;
type Kind = keyof typeof ID_DIGITS;

/** A documentId, which has 24 characters. */
export const documentIdOf = (kind: Kind, index: number): string =>
  kind + String(index).padStart(ID_DIGITS[kind], '0');

interface SmallType {
  readonly kind: Kind;
  readonly table: string;
  readonly count: number;
  /** Columns and their values. */
  readonly values: Readonly<Record<string, string>>;
}

/** Inserts all rows of a table. */
export interface FillStatement {
  readonly table: string;
  /** By column. */
  readonly values: Readonly<Record<string, string>>;
  readonly from: string;
}

export function fillSql({ table, values, from }: FillStatement): string {
  return (
    `INSERT INTO ${table} (${Object.keys(values).join(', ')}) ` +
    `SELECT ${Object.values(values).join(', ')} ${from}`
  );
}

const smallType = (words: FillWords, { kind, table, count, values }: SmallType): readonly FillStatement[] => {
  const id = `'${kind}' || ${words.padded('i', ID_DIGITS[kind])}`;
  const time = words.time(`${BEGINNING} + i`);
  const from = `FROM ${words.series(count)}`;
  const times = { created_at: time, updated_at: time, published_at: time };
  return [
    { table: `${table}_documents`, values: { document_id: id, revision: '1' }, from },
    { table, values: { document_id: id, locale: `''`, status: `'published'`, ...times, ...values }, from },
  ];
};

const articles = (words: FillWords, size: number): readonly FillStatement[] => {
  const idOf = (index: string): string =>
    `'article' || ${words.padded(shuffled(index, size), ID_DIGITS.article)}`;
  // Of each article first the draft, then the published version, as writing them one by one does.
  const [article, isDraft] = ['(i / 2)', 'i % 2 = 0'];
  const reference = (kind: Kind, count: number): string =>
    `'${kind}' || ${words.padded(`${article} % ${count}`, ID_DIGITS[kind])}`;
  const publishedAt = words.time(`${BEGINNING} + ${article} * 61`);
  const isEdited = `${isDraft} AND ${article} % ${ARTICLES_PER_EDIT} = 0`;
  const editedAt = words.time(`${BEGINNING} + 3600 + ${article} * 61`);
  const values = {
    document_id: idOf(article),
    locale: `'en'`,
    status: `CASE WHEN ${isDraft} THEN 'draft' ELSE 'published' END`,
    created_at: words.time(`${BEGINNING} + ${article} * 60`),
    updated_at: `CASE WHEN ${isEdited} THEN ${editedAt} ELSE ${publishedAt} END`,
    published_at: `CASE WHEN ${isDraft} THEN NULL ELSE ${publishedAt} END`,
    title: `'Article ' || ${words.padded(shuffled(article, size), 8)}`,
    slug: `'article-' || ${article}`,
    summary: `'What article ' || ${article} || ' is about'`,
    body: `'${LOREM}'`,
    kind: `CASE ${article} % 3 WHEN 0 THEN 'news' WHEN 1 THEN 'opinion' ELSE 'review' END`,
    views: `(${article} * 31) % ${Math.floor(size / ARTICLES_PER_VALUE)}`,
    author_document_id: reference('author', authorCount(size)),
    author_position: `${article} / ${authorCount(size)}`,
    category_document_id: reference('category', CATEGORIES),
    category_position: `${article} / ${CATEGORIES}`,
    seo: words.json(
      `'{"id":1,"metaTitle":"Article ' || ${article} || '","metaDescription":"A description",' || ` +
        `'"social":[{"id":1,"network":"mastodon","handle":"@galley"}]}'`,
    ),
    sections: words.json(
      `'[{"__component":"sections.quote","id":1,"text":"A quote"},' || ` +
        `'{"__component":"sections.text","id":2,"body":"Some text"}]'`,
    ),
  };
  return [
    {
      table: 'articles_documents',
      values: { document_id: idOf('i'), revision: '1' },
      from: `FROM ${words.series(size)}`,
    },
    { table: 'articles', values, from: `FROM ${words.series(2 * size)}` },
  ];
};

const tagLinks = (words: FillWords): FillStatement => ({
  table: 'articles_tags_links',
  values: {
    source_id: 'a.id',
    target_document_id: `'tag' || ${words.padded(`((a.id - 1) / 2 + s.i) % ${TAGS}`, ID_DIGITS.tag)}`,
    position: 's.i',
    inverse_position: 'a.id',
  },
  from: `FROM articles a CROSS JOIN ${words.series(TAGS_PER_ARTICLE)} ORDER BY a.id, s.i`,
});

/**
 * Returns the statements that fill the magazine with that many articles, each with an author, a category,
 * three tags, a component and a dynamic zone, as draft and published.
 */
export function fillStatements(dialect: DialectName, size: number): readonly FillStatement[] {
  const words = WORDS[dialect];
  return [
    ...smallType(words, {
      kind: 'author',
      table: 'authors',
      count: authorCount(size),
      values: { name: `'Author ' || i`, email: `'author' || i || '@example.com'` },
    }),
    ...smallType(words, {
      kind: 'category',
      table: 'categories',
      count: CATEGORIES,
      values: { name: `'Category ' || i`, code: `'category-' || i` },
    }),
    ...smallType(words, {
      kind: 'tag',
      table: 'tags',
      count: TAGS,
      values: { name: `'tag-' || i`, label: `'Tag ' || i` },
    }),
    ...articles(words, size),
    tagLinks(words),
  ];
}
