import type { RawReadParams } from '../../../../src/query/read-context.js';

/** Reads whose SQL is stored beside the tests, so that a diff shows every change of a statement. */
export const QUERIES: Readonly<Record<string, { readonly type: string; readonly params: RawReadParams }>> = {
  'plain-list': { type: 'api::tag.tag', params: {} },
  'localised-list': {
    type: 'api::article.article',
    params: { fields: ['title', 'rating', 'reads', 'featured', 'startsAt', 'extra'] },
  },
  'every-locale': {
    type: 'api::article.article',
    params: { fields: ['title'], locale: '*', status: 'draft' },
  },
  'sorted-page': {
    type: 'api::tag.tag',
    params: { fields: ['name'], sort: 'weight:desc,name', pagination: { start: 5, limit: 10 } },
  },
  'sorted-by-relation': {
    type: 'api::article.article',
    params: { fields: ['title'], sort: 'author.profile.nickname:desc' },
  },
  'never-published': {
    type: 'api::article.article',
    params: { fields: ['title'], status: 'draft', hasPublishedVersion: 'false' },
  },
  'filter-text': {
    type: 'api::tag.tag',
    params: {
      fields: [],
      filters: {
        $or: [
          { name: { $containsi: 'É' } },
          { name: { $startsWith: 'a', $endsWith: 'z' } },
          { name: { $in: ['a', 'b'] } },
          { label: null },
        ],
      },
    },
  },
  'filter-numbers': {
    type: 'api::article.article',
    params: {
      fields: [],
      filters: {
        views: { $between: [1, 5] },
        rating: { $gt: 2.5 },
        reads: { $notIn: ['1', '2'] },
        startsAt: { $lt: '2026-01-01' },
        $not: { featured: true },
      },
    },
  },
  'filter-relations': {
    type: 'api::article.article',
    params: {
      fields: [],
      filters: {
        author: { profile: { nickname: 'ada' } },
        tags: { name: { $ne: 'x' } },
        category: { $null: true },
      },
    },
  },
  'filter-relation-search': {
    type: 'api::article.article',
    params: { fields: [], filters: { author: { name: { $contains: 'a' } } } },
  },
  'filter-relation-flag': {
    type: 'api::tag.tag',
    params: { fields: [], filters: { articles: { featured: true } } },
  },
  'filter-components': {
    type: 'api::article.article',
    params: {
      fields: [],
      filters: { seo: { social: { network: 'bluesky' } }, links: { tag: { name: 'red' } } },
    },
  },
  'populate-to-one': {
    type: 'api::article.article',
    params: { fields: ['title'], populate: { author: { fields: ['name'] }, cover: { fields: ['url'] } } },
  },
  'populate-to-many': {
    type: 'api::article.article',
    params: {
      fields: ['title'],
      populate: {
        tags: { fields: ['name'] },
        related: {
          fields: ['title'],
          filters: { views: { $gt: 1 } },
          sort: 'title',
          pagination: { limit: 3 },
        },
        gallery: { count: true },
      },
    },
  },
  'populate-inverse': {
    type: 'api::category.category',
    params: {
      fields: ['name'],
      populate: { articles: { fields: ['title'] }, children: { fields: ['name'] } },
    },
  },
  'populate-inverse-to-one': {
    type: 'api::profile.profile',
    params: { fields: ['nickname'], populate: { author: { fields: ['name'] } } },
  },
  'populate-components': {
    type: 'api::article.article',
    params: {
      fields: [],
      populate: {
        seo: { fields: ['metaTitle'], populate: { social: true, image: { fields: ['url'] } } },
        links: { fields: ['label'], populate: { tag: { fields: ['name'] } } },
      },
    },
  },
  'populate-zone': {
    type: 'api::article.article',
    params: {
      fields: [],
      populate: {
        sections: {
          on: {
            'sections.quote': { fields: ['text'] },
            'sections.related': { fields: [], populate: { tags: { fields: ['name'] } } },
          },
        },
      },
    },
  },
  'populate-localizations': {
    type: 'api::article.article',
    params: { fields: ['title'], populate: { localizations: { fields: ['title', 'locale'] } } },
  },
  'populate-deep': {
    type: 'api::tag.tag',
    params: {
      fields: ['name'],
      status: 'draft',
      populate: {
        articles: {
          fields: ['title'],
          populate: { author: { fields: ['name'], populate: { profile: { fields: ['nickname'] } } } },
        },
      },
    },
  },
};
