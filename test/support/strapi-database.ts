import { execute } from './execute-sql.js';

/** A small project of Strapi 5: its content-types as Strapi keeps them in the database. */
const TYPES = {
  'plugin::upload.file': {
    collectionName: 'files',
    kind: 'collectionType',
    info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string' },
      hash: { type: 'string' },
      ext: { type: 'string' },
      url: { type: 'text' },
      formats: { type: 'json' },
      related: { type: 'relation', relation: 'morphToMany' },
      createdAt: { type: 'datetime' },
    },
  },
  'api::book.book': {
    collectionName: 'books',
    kind: 'collectionType',
    info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string' },
      pages: { type: 'integer' },
      copies: { type: 'biginteger' },
      inPrint: { type: 'boolean' },
      extra: { type: 'json' },
      soldAt: { type: 'datetime' },
      cover: { type: 'media', multiple: false },
      part: { type: 'component', component: 'shared.part', repeatable: false },
      zone: { type: 'dynamiczone', components: ['shared.part', 'shared.page'] },
      genres: { type: 'relation', relation: 'manyToMany', target: 'api::genre.genre', inversedBy: 'books' },
      sequelOf: { type: 'relation', relation: 'manyToOne', target: 'api::book.book' },
      first: { type: 'relation', relation: 'oneToOne', target: 'api::genre.genre', useJoinTable: false },
      about: { type: 'relation', relation: 'morphToOne' },
      publishedAt: { type: 'datetime' },
      locale: { type: 'string' },
      createdBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user', useJoinTable: false },
    },
  },
  'api::genre.genre': {
    collectionName: 'genres',
    kind: 'collectionType',
    info: { singularName: 'genre', pluralName: 'genres', displayName: 'Genre' },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string' },
      books: { type: 'relation', relation: 'manyToMany', target: 'api::book.book', mappedBy: 'genres' },
    },
  },
  'admin::user': {
    collectionName: 'admin_users',
    kind: 'collectionType',
    info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
    attributes: { username: { type: 'string' } },
  },
};

const COMPONENTS: Readonly<Record<string, unknown>> = {
  'src/components/shared/part.json': {
    collectionName: 'components_shared_parts',
    info: { displayName: 'Part' },
    attributes: {
      name: { type: 'string' },
      pages: { type: 'component', component: 'shared.page', repeatable: true },
    },
  },
  'src/components/shared/page.json': {
    collectionName: 'components_shared_pages',
    info: { displayName: 'Page' },
    attributes: {
      text: { type: 'text' },
      genre: { type: 'relation', relation: 'oneToOne', target: 'api::genre.genre' },
      hints: { type: 'relation', relation: 'morphToMany' },
    },
  },
};

const TYPE_FILES = Object.entries(TYPES)
  .filter(([uid]) => uid.startsWith('api::'))
  .map(([uid, type]) => {
    const name = uid.replace(/^.*\./, '');
    return [`src/api/${name}/content-types/${name}/schema.json`, type] as const;
  });

/** The files of that project by their paths. The database does not describe components. */
export const STRAPI_FILES: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(TYPE_FILES),
  ...COMPONENTS,
  'package.json': { dependencies: { '@strapi/strapi': '^5.12.4' } },
};

/** Native types, and how times and truth values are written. */
interface Spelling {
  readonly time: string;
  readonly json: string;
  readonly at: (iso: string) => string;
  readonly yes: string;
}

const SQLITE: Spelling = {
  time: 'datetime',
  json: 'json',
  at: (iso) => String(Date.parse(iso)),
  yes: '1',
};
const POSTGRES: Spelling = {
  time: 'timestamp without time zone',
  json: 'jsonb',
  at: (iso) => `'${iso.replace('T', ' ').replace('Z', '')}'`,
  yes: 'true',
};

const MORNING = '2026-05-04T10:20:30.000Z';

const bookRows = ({ at, yes }: Spelling): string => {
  const values = `7, '9007199254740993', ${yes}, '{"a":[1]}', ${at(MORNING)}`;
  return `insert into books values
    (1, 'book1', 'A draft', ${values}, null, 'en', 1, 1, 'api::genre.genre', 1),
    (2, 'book1', 'Published', ${values}, ${at(MORNING)}, 'en', null, null, null, null)`;
};

const contentTables = ({ time, json }: Spelling): string => `
  create table books (id integer primary key, document_id varchar(255), title varchar(255),
    pages integer, copies bigint, in_print boolean, extra ${json}, sold_at ${time}, published_at ${time},
    locale varchar(255), first_id integer, target_id integer, target_type varchar(255),
    created_by_id integer);
  create table books_cmps (id integer primary key, entity_id integer, cmp_id integer,
    component_type varchar(255), field varchar(255), "order" double precision);
  create table components_shared_parts (id integer primary key, name varchar(255));
  create table components_shared_parts_cmps (id integer primary key, entity_id integer, cmp_id integer,
    component_type varchar(255), field varchar(255), "order" double precision);
  create table components_shared_pages (id integer primary key, text text);
  create table components_shared_pages_genre_lnk (id integer primary key, page_id integer, genre_id integer);
  create table components_shared_pages_hints_mph (id integer primary key, page_id integer, hints_id integer,
    hints_type varchar(255), field varchar(255), "order" double precision);
  create table genres (id integer primary key, document_id varchar(255), name varchar(255));
  create table books_genres_lnk (id integer primary key, book_id integer, genre_id integer,
    genre_ord double precision, book_ord double precision);
  create table books_sequel_of_lnk (id integer primary key, book_id integer, inv_book_id integer);
  create table files (id integer primary key, document_id varchar(255), name varchar(255), hash varchar(255),
    ext varchar(255), url text, formats ${json}, created_at ${time});
  create table files_related_mph (id integer primary key, file_id integer, related_id integer,
    related_type varchar(255), field varchar(255), "order" double precision)`;

const contentRows = (spelling: Spelling): string => `${bookRows(spelling)};
  insert into genres values (1, 'genre1', 'crime'), (2, 'genre2', 'love');
  insert into components_shared_parts values (5, 'alone'), (6, 'in a zone');
  insert into components_shared_pages values (8, 'second'), (9, 'first'), (10, 'of the zone');
  insert into books_cmps values (1, 1, 5, 'shared.part', 'part', null), (2, 1, 10, 'shared.page', 'zone', 2),
    (3, 1, 6, 'shared.part', 'zone', 1);
  insert into components_shared_parts_cmps values (1, 5, 8, 'shared.page', 'pages', 2),
    (2, 5, 9, 'shared.page', 'pages', 1);
  insert into components_shared_pages_genre_lnk values (1, 9, 2);
  insert into components_shared_pages_hints_mph values (1, 9, 2, 'api::genre.genre', null, 1);
  insert into books_genres_lnk values (1, 1, 2, 2, 1), (2, 1, 1, 1, 1), (3, 2, 1, 1, 2);
  insert into books_sequel_of_lnk values (1, 1, 2);
  insert into files values (1, 'file1', 'a.png', 'a_1', '.png', '/uploads/a_1.png',
    '{"thumbnail":{"hash":"thumbnail_a_1","ext":".png"}}', ${spelling.at(MORNING)}),
    (2, 'file2', 'gone.png', '../gone', '.png', '/uploads/gone.png', null, null);
  insert into files_related_mph values (1, 1, 1, 'api::book.book', 'cover', 1),
    (2, 1, 1, 'admin::user', 'avatar', 1)`;

const systemTables = ({ time, json, at }: Spelling, migration: string): string => `
  create table strapi_migrations_internal (id integer primary key, name varchar(255));
  insert into strapi_migrations_internal values (1, '${migration}');
  create table strapi_core_store_settings (id integer primary key, key varchar(255), value text);
  insert into strapi_core_store_settings values
    (1, 'strapi_content_types_schema', '${JSON.stringify(TYPES)}'), (2, 'plugin_i18n_default_locale', '"fr"');
  create table strapi_webhooks (id integer primary key, name varchar(255), url text, headers ${json},
    events ${json}, enabled boolean);
  create table admin_users (id integer primary key, username varchar(255));
  insert into admin_users values (1, 'admin');
  create table strapi_api_tokens (id integer primary key, name varchar(255), description varchar(255),
    kind varchar(255), type varchar(255), access_key varchar(255), lifespan bigint, expires_at ${time},
    last_used_at ${time}, created_at ${time}, updated_at ${time});
  insert into strapi_api_tokens values
    (1, 'shop', 'of the shop', 'content-api', 'custom', 'abc', 604800000, ${at(MORNING)}, null,
      ${at(MORNING)}, ${at(MORNING)}),
    (2, 'panel', '', 'admin', 'custom', 'def', null, null, null, null, null);
  create table strapi_api_token_permissions (id integer primary key, action varchar(255));
  create table strapi_api_token_permissions_token_lnk (id integer primary key,
    api_token_permission_id integer, api_token_id integer);
  insert into strapi_api_token_permissions values (1, 'api::book.book.find'), (2, 'api::genre.genre.find');
  insert into strapi_api_token_permissions_token_lnk values (1, 1, 1), (2, 2, 1)`;

/** Makes an empty database one of Strapi. */
export async function fillStrapiDatabase(
  url: string,
  migration = 'core::5.0.0-discard-drafts',
): Promise<void> {
  const spelling = url.startsWith('file:') ? SQLITE : POSTGRES;
  await execute(
    url,
    [contentTables(spelling), contentRows(spelling), systemTables(spelling, migration)].join(';\n'),
  );
}
