import type { JsonValue } from '../../../src/lib/stored-value.js';
import type { EntityRecord, LinkRecord } from '../../../src/transfer/source.js';
import type { ExportContent } from '../../support/strapi-export.js';

type Data = Readonly<Record<string, JsonValue>>;

const CREATED = '2025-01-01T10:00:00.000Z';
const UPDATED = '2025-02-02T11:00:00.000Z';
export const PUBLISHED = '2025-03-03T12:00:00.000Z';

const USERS = 'plugin::users-permissions';

/** A document id of a person's choice in the form that Strapi gives them. */
export const idOf = (name: string): string => name.padEnd(24, '0');

const entity = (type: string, id: number, name: string, data: Data): EntityRecord => ({
  type,
  id,
  data: {
    documentId: idOf(name),
    createdAt: CREATED,
    updatedAt: UPDATED,
    publishedAt: PUBLISHED,
    locale: null,
    ...data,
  },
});

const article = (id: number, name: string, data: Data): EntityRecord =>
  entity('api::article.article', id, name, { locale: 'en', ...data });

const basic = (
  [leftType, field, left, leftPosition]: readonly [string, string, number, number?],
  [rightType, right, rightPosition]: readonly [string, number, number?],
): LinkRecord => ({
  kind: leftType === rightType ? 'relation.circular' : 'relation.basic',
  relation: 'manyToOne',
  left: { type: leftType, field, ref: left, ...(leftPosition === undefined ? {} : { pos: leftPosition }) },
  right: { type: rightType, ref: right, ...(rightPosition === undefined ? {} : { pos: rightPosition }) },
});

const ARTICLE = 'api::article.article';
const media = (file: number, type: string, field: string, ref: number, pos: number): LinkRecord => ({
  kind: 'relation.morph',
  relation: 'morphToMany',
  left: { type: 'plugin::upload.file', field: 'related', ref: file },
  right: { type, field, ref, pos },
});

const file = (id: number, name: string, data: Data = {}): EntityRecord =>
  entity('plugin::upload.file', id, name, {
    name: `${name}.png`,
    hash: `${name}_hash`,
    ext: '.png',
    mime: 'image/png',
    size: 1.5,
    url: `https://bucket.example.com/${name}_hash.png`,
    provider: 'aws-s3',
    provider_metadata: { etag: 'x' },
    folderPath: '/1',
    formats: null,
    ...data,
  });

export const PASSWORD_HASH = '$2a$04$abcdefghijklmnopqrstuuJ0eN3wkVZcZ7sEzBwT4yyZf1tCk0f2e';

const ENTITIES: readonly EntityRecord[] = [
  file(1, 'sea', {
    formats: {
      thumbnail: { name: 't', hash: 'thumbnail_sea_hash', ext: '.png', url: 'https://x.example.com/t' },
    },
  }),
  file(2, 'sky'),
  file(3, 'lost'),
  entity('plugin::upload.folder', 3, 'folder', { name: 'API Uploads', pathId: 4, path: '/4' }),
  entity('plugin::upload.folder', 8, 'inner', { name: 'Seas', pathId: 6, path: '/4/6' }),
  entity('plugin::i18n.locale', 7, 'english', { code: 'en', name: 'English here' }),
  entity('plugin::i18n.locale', 8, 'french', { code: 'fr', name: 'French (fr)' }),
  entity(`${USERS}.permission`, 1, 'permission-tags', { action: 'api::tag.tag.find' }),
  entity(`${USERS}.permission`, 2, 'permission-custom', { action: 'api::article.article.feature' }),
  entity(`${USERS}.role`, 1, 'role-signed-in', {
    name: 'Authenticated',
    type: 'authenticated',
    description: 'In',
  }),
  entity(`${USERS}.role`, 2, 'role-public', { name: 'Public', type: 'public', description: 'All' }),
  entity(`${USERS}.role`, 3, 'role-editor', { name: 'Editor', type: 'editor', description: 'Edits' }),
  entity(`${USERS}.user`, 4, 'ann', {
    username: 'ann',
    email: 'ann@example.com',
    provider: 'local',
    password: PASSWORD_HASH,
    confirmed: true,
    blocked: false,
  }),
  entity(`${USERS}.user`, 9, 'anna', {
    username: 'anna',
    email: 'ann@example.com',
    provider: 'google',
    confirmed: true,
    blocked: false,
  }),
  entity('api::tag.tag', 10, 'red', { name: 'red' }),
  entity('api::tag.tag', 11, 'blue', { name: 'blue' }),
  entity('api::tag.tag', 12, 'red-too', { name: 'red' }),
  entity('api::author.author', 5, 'ada', { name: 'Ada' }),
  article(100, 'first', {
    title: 'First, edited',
    slug: 'first',
    publishedAt: null,
    reads: '9007199254740993',
    rating: '4.5',
    eventTime: '10:20:30',
    secret: PASSWORD_HASH,
    gone: 'a value without an attribute',
    seo: {
      id: 31,
      metaTitle: 'draft',
      social: [
        { id: 41, handle: '@a' },
        { id: 40, handle: '@b' },
      ],
    },
    sections: [
      { __component: 'sections.related', id: 52, heading: 'See' },
      { __component: 'sections.quote', id: 51, text: 'Said' },
    ],
  }),
  article(101, 'first', { title: 'First', slug: 'first', seo: { id: 32, metaTitle: 'published' } }),
  article(102, 'first', { title: 'Premier', slug: 'premier', locale: 'fr', publishedAt: null }),
  article(103, 'second', { title: 'Second', slug: 'second' }),
  article(104, 'third', { title: 'Third', slug: 'second', links: [{ id: 61, label: 'one' }] }),
  article(105, 'third', { title: 'Third again', slug: 'third-again' }),
];

const LINKS: readonly LinkRecord[] = [
  media(1, ARTICLE, 'cover', 100, 1),
  media(2, ARTICLE, 'gallery', 100, 2),
  media(1, ARTICLE, 'gallery', 100, 1),
  media(9, ARTICLE, 'gallery', 100, 3),
  media(2, 'shared.seo', 'image', 31, 1),
  media(2, ARTICLE, 'poster', 100, 1),
  basic([ARTICLE, 'tags', 100, 2], ['api::tag.tag', 10, 1]),
  basic([ARTICLE, 'tags', 100, 1.5], ['api::tag.tag', 11, 1]),
  basic([ARTICLE, 'tags', 100, 3], ['api::tag.tag', 11, 2]),
  basic([ARTICLE, 'tags', 103, 1], ['api::tag.tag', 10, 0.5]),
  basic([ARTICLE, 'author', 100], ['api::author.author', 5, 2]),
  basic([ARTICLE, 'author', 103], ['api::author.author', 5, 1]),
  basic([ARTICLE, 'author', 104], ['api::author.author', 5, 1.25]),
  basic([ARTICLE, 'related', 101, 1], [ARTICLE, 103]),
  basic([ARTICLE, 'related', 101, 2], [ARTICLE, 100]),
  basic(['sections.related', 'tags', 52, 2], ['api::tag.tag', 11]),
  basic(['sections.related', 'tags', 52, 1], ['api::tag.tag', 12]),
  basic(['plugin::upload.folder', 'parent', 8], ['plugin::upload.folder', 3, 1]),
  basic(['plugin::upload.file', 'folder', 1], ['plugin::upload.folder', 8, 1]),
  basic(['plugin::upload.file', 'folder', 2], ['plugin::upload.folder', 77, 1]),
  basic([`${USERS}.permission`, 'role', 1], [`${USERS}.role`, 2, 1]),
  basic([`${USERS}.permission`, 'role', 2], [`${USERS}.role`, 3, 1]),
  basic([`${USERS}.user`, 'role', 4], [`${USERS}.role`, 3, 1]),
  {
    kind: 'relation.circular',
    relation: 'oneToMany',
    left: { type: ARTICLE, field: 'localizations', ref: 100 },
    right: { type: ARTICLE, ref: idOf('first') },
  },
];

/** An export for the magazine, with all that real ones hold. */
export const MAGAZINE_EXPORT: ExportContent = {
  schemas: [
    {
      uid: ARTICLE,
      modelType: 'contentType',
      kind: 'collectionType',
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: { title: { type: 'string' }, gone: { type: 'string' }, views: { type: 'json' } },
    },
  ],
  entities: ENTITIES,
  links: LINKS,
  configuration: [
    { type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'en' } },
    {
      type: 'core-store',
      value: {
        key: 'plugin_users-permissions_advanced',
        value: {
          allow_register: false,
          email_confirmation: false,
          default_role: 'editor',
          unique_email: false,
        },
      },
    },
    { type: 'core-store', value: { key: 'api_stats_last', value: { seen: 7 } } },
    { type: 'core-store', value: { key: 'plugin_content_manager_configuration_x', value: {} } },
    {
      type: 'webhook',
      value: {
        name: 'deploy',
        url: 'https://example.com',
        headers: { a: 'b' },
        events: ['entry.create'],
        enabled: true,
      },
    },
  ],
  assets: { 'sea_hash.png': 'sea', 'thumbnail_sea_hash.png': 'small sea', 'sky_hash.png': 'sky' },
};
