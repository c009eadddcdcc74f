import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { firstArticle } from './run-query.js';
import { seedMagazine } from './magazine.js';

describe.each(databases)('populate of media and components on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it.each([
    [
      'media',
      { cover: { fields: ['name'] }, gallery: { fields: ['name'] } },
      {
        cover: { id: 1, documentId: 'f1', name: 'one.png' },
        gallery: [
          { id: 2, documentId: 'f2', name: 'two.png' },
          { id: 1, documentId: 'f1', name: 'one.png' },
        ],
      },
    ],
    [
      'a component',
      { seo: { fields: ['metaTitle', 'metaDescription'] } },
      { seo: { id: 1, metaTitle: 'One', metaDescription: null } },
    ],
    [
      'a component in a component',
      { seo: { fields: ['canonical'], populate: { social: true } } },
      {
        seo: {
          id: 1,
          canonical: 'https://x/1',
          social: [
            { id: 2, network: 'bluesky', handle: '@a' },
            { id: 3, network: 'mastodon', handle: null },
          ],
        },
      },
    ],
    [
      'media in a component',
      { seo: { fields: ['metaTitle'], populate: { image: { fields: ['name'] } } } },
      { seo: { id: 1, metaTitle: 'One', image: { id: 1, documentId: 'f1', name: 'one.png' } } },
    ],
    [
      'a repeatable component',
      { links: true },
      {
        links: [
          { id: 4, label: 'L1', href: 'https://a', external: false },
          { id: 5, label: 'L2', href: null, external: null },
        ],
      },
    ],
    [
      'a sorted list of components',
      { links: { fields: ['label'], sort: 'label:desc' } },
      {
        links: [
          { id: 5, label: 'L2' },
          { id: 4, label: 'L1' },
        ],
      },
    ],
    [
      'components that a filter matches',
      {
        links: { fields: ['label'], filters: { label: { $contains: '2' } } },
        seo: { filters: { metaTitle: 'nope' } },
      },
      { links: [{ id: 5, label: 'L2' }], seo: null },
    ],
    [
      'a relation in a repeatable component',
      { links: { fields: ['label'], populate: { tag: { fields: ['name'] } } } },
      {
        links: [
          { id: 4, label: 'L1', tag: { id: 2, documentId: 't1', name: 'Beta' } },
          { id: 5, label: 'L2', tag: null },
        ],
      },
    ],
    [
      'a zone',
      { sections: true },
      {
        sections: [
          { __component: 'sections.quote', id: 6, text: 'Q', source: 'S' },
          { __component: 'sections.related', id: 7, heading: 'R' },
          { __component: 'sections.text', id: 8, body: 'T' },
        ],
      },
    ],
    [
      'part of a zone',
      {
        sections: {
          on: {
            'sections.text': true,
            'sections.related': { fields: [], populate: { tags: { fields: ['name'] } } },
          },
        },
      },
      {
        sections: [
          {
            __component: 'sections.related',
            id: 7,
            tags: [
              { id: 5, documentId: 't4', name: 'epsilon' },
              { id: 2, documentId: 't1', name: 'Beta' },
            ],
          },
          { __component: 'sections.text', id: 8, body: 'T' },
        ],
      },
    ],
    ['nothing of a zone', { sections: { on: {} } }, { sections: [] }],
  ])('returns %s', async (_what, populate, expected) => {
    expect(await firstArticle(testEnvironment, populate)).toEqual({
      id: 2,
      documentId: 'a1',
      title: 'First',
      ...expected,
    });
  });
});
