import type { Attributes, ComponentLiteral, TypeLiteral } from '../../../support/models.js';

/** The schema files of a project, as the rows of the tables change them. */
export interface SiteSchema {
  readonly types: Record<string, TypeLiteral>;
  readonly components: Record<string, ComponentLiteral>;
}

const uidOf = (name: string): string => (name === 'file' ? 'plugin::upload.file' : `api::${name}.${name}`);

/** One attribute of every scalar type, and text that other types can and cannot take. */
const SCALARS: Attributes = {
  title: { type: 'string' },
  summary: { type: 'text' },
  body: { type: 'richtext' },
  content: { type: 'blocks' },
  contact: { type: 'email' },
  secret: { type: 'password' },
  handle: { type: 'uid' },
  colour: { type: 'enumeration', enum: ['red', 'green', 'blue'] },
  rank: { type: 'integer' },
  views: { type: 'biginteger' },
  score: { type: 'float' },
  price: { type: 'decimal' },
  featured: { type: 'boolean' },
  day: { type: 'date' },
  alarm: { type: 'time' },
  starts: { type: 'datetime' },
  seen: { type: 'timestamp' },
  extra: { type: 'json' },
  wholeText: { type: 'string' },
  fractionText: { type: 'string' },
  mixedText: { type: 'string' },
  flagText: { type: 'string' },
  dayText: { type: 'string' },
  clockText: { type: 'string' },
  momentText: { type: 'string' },
  mailText: { type: 'string' },
  slugText: { type: 'string' },
  choiceText: { type: 'string' },
  bit: { type: 'integer' },
  wholeScore: { type: 'float' },
  blocksJson: { type: 'json' },
};

const localized = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      { ...attribute, pluginOptions: { i18n: { localized: true } } },
    ]),
  );

const toOne = (target: string, options: object = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target: uidOf(target),
  ...options,
});
const toMany = (target: string, options: object = {}) => ({
  type: 'relation',
  relation: 'manyToMany',
  target: uidOf(target),
  ...options,
});

const ARTICLE: Attributes = {
  ...localized(SCALARS),
  weight: { type: 'integer' },
  shade: { type: 'enumeration', enum: ['light', 'dark'] },
  ...localized({
    hero: { type: 'component', component: 'parts.every', repeatable: false },
    facts: { type: 'component', component: 'parts.fact', repeatable: true },
    sections: {
      type: 'dynamiczone',
      components: ['parts.every', 'blocks.quote', 'blocks.gallery', 'blocks.group'],
    },
    cover: { type: 'media', multiple: false },
    gallery: { type: 'media', multiple: true },
  }),
  author: toOne('author'),
  editor: toOne('author', { inversedBy: 'edited' }),
  tags: toMany('tag', { inversedBy: 'articles' }),
  sources: toMany('tag'),
  event: toOne('event', { inversedBy: 'articles' }),
  events: toMany('event'),
  category: toOne('category'),
  twin: { type: 'relation', relation: 'oneToOne', target: uidOf('article'), inversedBy: 'twinOf' },
  twinOf: { type: 'relation', relation: 'oneToOne', target: uidOf('article'), mappedBy: 'twin' },
  owned: { type: 'relation', relation: 'oneToMany', target: uidOf('tag') },
  about: { type: 'relation', relation: 'morphToOne' },
  mentions: { type: 'relation', relation: 'morphToMany' },
};

const TYPES: Readonly<Record<string, TypeLiteral>> = {
  article: { draftAndPublish: true, localized: true, attributes: ARTICLE },
  author: {
    attributes: {
      name: { type: 'string' },
      edited: { type: 'relation', relation: 'oneToMany', target: uidOf('article'), mappedBy: 'editor' },
      photo: { type: 'media', multiple: false },
      favourite: { type: 'relation', relation: 'oneToOne', target: uidOf('article') },
      mentionedBy: { type: 'relation', relation: 'morphMany', target: uidOf('article'), morphBy: 'mentions' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: toMany('article', { mappedBy: 'tags' }),
      mentionedBy: {
        type: 'relation',
        relation: 'morphMany',
        target: uidOf('article'),
        morphBy: 'mentions',
      },
    },
  },
  event: {
    draftAndPublish: true,
    attributes: {
      name: { type: 'string' },
      place: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: uidOf('article'), mappedBy: 'event' },
      badge: { type: 'component', component: 'parts.badge', repeatable: false },
    },
  },
  category: {
    localized: true,
    attributes: {
      ...localized({ name: { type: 'string' } }),
      badges: { type: 'component', component: 'parts.badge', repeatable: true },
    },
  },
  note: {
    attributes: {
      text: { type: 'string' },
      level: { type: 'integer' },
      old: { type: 'string' },
      priority: { type: 'enumeration', enum: ['low', 'high'] },
      files: { type: 'media', multiple: true },
      tag: toOne('tag'),
      badge: { type: 'component', component: 'parts.badge', repeatable: false },
    },
  },
  /** Has drafts and locales, and nothing points at it. */
  page: {
    draftAndPublish: true,
    localized: true,
    attributes: {
      ...localized({
        title: { type: 'string' },
        badge: { type: 'component', component: 'parts.badge', repeatable: false },
        sections: { type: 'dynamiczone', components: ['blocks.quote'] },
        cover: { type: 'media', multiple: false },
      }),
      order: { type: 'integer' },
      tag: toOne('tag'),
      tags: toMany('tag'),
    },
  },
  home: {
    kind: 'singleType',
    draftAndPublish: true,
    attributes: { title: { type: 'string' }, hero: { type: 'component', component: 'parts.badge' } },
  },
};

const COMPONENTS: Readonly<Record<string, ComponentLiteral>> = {
  'parts.every': {
    attributes: {
      ...SCALARS,
      image: { type: 'media', multiple: false },
      images: { type: 'media', multiple: true },
      tag: toOne('tag'),
      tags: toMany('tag'),
      badge: { type: 'component', component: 'parts.badge', repeatable: false },
      badges: { type: 'component', component: 'parts.badge', repeatable: true },
    },
  },
  'parts.badge': {
    attributes: {
      label: { type: 'string' },
      level: { type: 'integer' },
      icon: { type: 'media', multiple: false },
      shape: { type: 'enumeration', enum: ['round', 'square'] },
    },
  },
  /** Has the attributes of a badge, and more. */
  'parts.medal': {
    attributes: {
      label: { type: 'string' },
      level: { type: 'integer' },
      metal: { type: 'string' },
    },
  },
  'parts.fact': {
    attributes: {
      label: { type: 'string' },
      amount: { type: 'integer' },
      every: { type: 'component', component: 'parts.every', repeatable: false },
    },
  },
  'blocks.quote': {
    attributes: {
      text: { type: 'text' },
      author: { type: 'string' },
      source: toOne('tag'),
    },
  },
  'blocks.gallery': {
    attributes: { caption: { type: 'string' }, images: { type: 'media', multiple: true } },
  },
  'blocks.group': {
    attributes: {
      title: { type: 'string' },
      items: { type: 'component', component: 'parts.fact', repeatable: true },
    },
  },
};

/** The schema that all content is written with, and that every row changes. */
export const SITE_SCHEMA: SiteSchema = { types: TYPES, components: COMPONENTS };
