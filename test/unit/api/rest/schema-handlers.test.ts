import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../src/model/content-types/load-definitions.js';
import { fixtureProject } from '../../../support/models.js';
import { createRestEndpoint, errorResponse } from './rest-endpoint.js';
import type { RestEndpoint } from './rest-endpoint.js';

const PATH = '/api/content-type-builder';

let endpoint: RestEndpoint;
beforeAll(async () => {
  endpoint = await createRestEndpoint(await loadDefinitions(fixtureProject('magazine')));
});
afterAll(() => endpoint.app.close());

/** A response's data, by uid. */
const list = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
  const { status, body } = await endpoint.sendRequest('GET', `${PATH}/${path}`);
  expect(status).toBe(200);
  const { data } = body as { readonly data: readonly { readonly uid: string }[] };
  return Object.fromEntries(data.map((schema) => [schema.uid, schema]));
};

describe('schemas over REST', () => {
  it('are those of content-types, in the form that site generators read', async () => {
    const types = await list('content-types');
    expect(Object.keys(types)).toEqual(
      expect.arrayContaining(['api::article.article', 'api::homepage.homepage', 'plugin::upload.file']),
    );
    expect(types['api::article.article']).toMatchObject({
      apiID: 'article',
      schema: {
        kind: 'collectionType',
        singularName: 'article',
        pluralName: 'articles',
        displayName: 'Article',
        collectionName: 'articles',
        draftAndPublish: true,
        pluginOptions: { i18n: { localized: true } },
        visible: true,
        restrictRelationsTo: null,
        attributes: {
          title: { type: 'string', required: true, maxLength: 120 },
          kind: { type: 'enumeration', enum: ['news', 'opinion', 'review'], default: 'news' },
          gallery: {
            type: 'media',
            multiple: true,
            required: false,
            private: false,
            allowedTypes: ['images', 'files'],
          },
          author: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::author.author',
            inversedBy: 'articles',
            targetAttribute: 'articles',
            private: false,
          },
          related: { type: 'relation', targetAttribute: null },
          links: { type: 'component', repeatable: true, component: 'shared.link', max: 4 },
          sections: {
            type: 'dynamiczone',
            components: ['sections.quote', 'sections.text', 'sections.related'],
          },
        },
      },
    });
    expect(types['plugin::upload.file']).toMatchObject({
      plugin: 'upload',
      schema: { visible: false, restrictRelationsTo: [], attributes: { url: { configurable: false } } },
    });
    expect(Object.keys(await list('content-types?kind=singleType'))).toEqual([
      'api::homepage.homepage',
      'api::setting.setting',
    ]);
    const one = await endpoint.sendRequest('GET', `${PATH}/content-types/api::article.article`);
    expect(one.body).toEqual({ data: types['api::article.article'] });
  });

  it('are those of components', async () => {
    const components = await list('components');
    expect(components['shared.seo']).toEqual({
      uid: 'shared.seo',
      category: 'shared',
      apiId: 'seo',
      schema: {
        displayName: 'seo',
        description: '',
        collectionName: 'components_shared_seos',
        attributes: expect.objectContaining({
          metaTitle: { type: 'string', required: true, maxLength: 60 },
          social: { type: 'component', repeatable: true, component: 'shared.social' },
        }) as unknown,
      },
    });
    const one = await endpoint.sendRequest('GET', `${PATH}/components/shared.seo`);
    expect(one.body).toEqual({ data: components['shared.seo'] });
  });

  it.each([
    ['content-types/api::nothing.nothing', 'full', 404, 'NotFoundError'],
    ['content-types/plugin::upload.file', 'full', 404, 'NotFoundError'],
    ['components/shared.nothing', 'full', 404, 'NotFoundError'],
    ['content-types', 'none', 403, 'ForbiddenError'],
    ['content-types/api::article.article', 'read', 403, 'ForbiddenError'],
    ['components', 'read', 403, 'ForbiddenError'],
    ['components/shared.seo', 'nonsense', 401, 'UnauthorizedError'],
  ])('%s for %s: %i', async (path, as, status, name) => {
    expect(await endpoint.sendRequest('GET', `${PATH}/${path}`, { as })).toMatchObject(
      errorResponse(status, name),
    );
  });

  it('are refused for a kind that does not exist', async () => {
    expect((await endpoint.sendRequest('GET', `${PATH}/content-types?kind=x`)).status).toBe(400);
  });
});
