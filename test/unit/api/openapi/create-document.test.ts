import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../../src/model/model.js';
import { createDocument } from '../../../../src/api/openapi/create-document.js';
import type { CustomRoute } from '../../../../src/api/openapi/create-document.js';
import { restRoutes } from '../../../../src/api/rest/routes/rest-routes.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const routesOf = (model: ContentModel) =>
  restRoutes({ model, prefix: '/api', accounts: { mode: 'refresh' } });

const documentOf = (
  model: ContentModel,
  projectRoutes: readonly CustomRoute[] = [],
  { images }: Partial<Parameters<typeof createDocument>[0]> = {},
): Document =>
  createDocument({
    model,
    routes: routesOf(model),
    projectRoutes,
    info: { title: 'site', version: '1.0.0' },
    url: '/',
    ...(images === undefined ? {} : { images }),
  }) as unknown as Document;

const operationsOf = ({ paths }: Document): readonly Operation[] =>
  Object.values(paths).flatMap(Object.values);

const RICH = modelFrom({
  types: {
    article: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, minLength: 3, maxLength: 80 },
        kind: { type: 'enumeration', enum: ['news', 'essay'], default: 'news' },
        secret: { type: 'string', private: true },
        password: { type: 'password' },
        views: { type: 'integer', min: 0, max: 10 },
        body: { type: 'blocks' },
        seo: { type: 'component', component: 'shared.seo', required: true },
        sections: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer' },
        cover: { type: 'media', multiple: false },
        about: { type: 'relation', relation: 'morphToOne' },
        owner: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'plugin::users-permissions.user',
          default: '$caller',
          required: true,
        },
      },
    },
    writer: {
      attributes: {
        name: { type: 'string', required: true },
        works: { type: 'relation', relation: 'morphMany', target: 'api::article.article', morphBy: 'about' },
      },
    },
    connection: { attributes: { name: { type: 'string' } } },
  },
  components: {
    'shared.seo': { attributes: { title: { type: 'string', required: true } } },
    'shared.quote': { attributes: { text: { type: 'text' } } },
  },
});

describe.each([
  ['a rich model', async () => RICH],
  ['magazine', () => loadFixtureModel('magazine')],
  ['launchpad', () => loadFixtureModel('launchpad')],
] as const)('the OpenAPI document of %s', (_name, load) => {
  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(documentOf(await load())) as unknown as Record<string, unknown>,
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('has one operation for each route, and refers to schemas that are there', async () => {
    const model = await load();
    const document = documentOf(model);
    const ids = operationsOf(document).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(routesOf(model).length);
    const text = JSON.stringify(document);
    const referredTo = new Set(
      [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    expect(referredTo).toEqual(new Set(Object.keys(document.components.schemas)));
  });
});

describe('schemas', () => {
  const { schemas } = documentOf(RICH).components;

  it('omit what responses never contain', () => {
    expect(Object.keys(schemas['Article']?.properties ?? {})).not.toContain('password');
    expect(JSON.stringify(schemas)).not.toContain('secret');
    expect(Object.keys(schemas['ArticleInput']?.properties ?? {})).toContain('password');
  });

  it('require what creating requires, and nothing of updates and drafts', () => {
    expect(schemas['ArticleInput']?.required).toEqual(['title', 'seo']);
    expect(schemas['ArticleInput']?.properties['title']).toEqual({
      type: 'string',
      minLength: 3,
      maxLength: 80,
    });
    expect(schemas['ArticlePartialInput']).not.toHaveProperty('required');
    expect(schemas['ArticlePartialInput']?.properties['title']).toEqual({
      type: ['string', 'null'],
      maxLength: 80,
    });
  });

  it('take null for required attributes of drafts only', () => {
    expect(schemas['Article']?.properties['title']).toEqual({ type: ['string', 'null'] });
    expect(schemas['Writer']?.properties['name']).toEqual({ type: 'string' });
  });

  it('distinguish components of a zone by their name, and linked documents by their type', () => {
    expect(schemas['Article']?.properties['sections']).toEqual({
      type: 'array',
      items: {
        oneOf: [
          { $ref: '#/components/schemas/ComponentSharedSeoZoneItem' },
          { $ref: '#/components/schemas/ComponentSharedQuoteZoneItem' },
        ],
        discriminator: {
          propertyName: '__component',
          mapping: {
            'shared.seo': '#/components/schemas/ComponentSharedSeoZoneItem',
            'shared.quote': '#/components/schemas/ComponentSharedQuoteZoneItem',
          },
        },
      },
    });
    expect(schemas['WriterTyped']?.properties['__type']).toEqual({ const: 'api::writer.writer' });
  });

  it('keep their names apart from those that every document has', () => {
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Connection', 'Connection2']));
  });
});

describe('operations', () => {
  const own: readonly CustomRoute[] = [
    { method: 'GET', path: '/api/articles', kind: 'excluded', actions: [] },
    { method: 'GET', path: '/api/writers', kind: 'core', actions: [] },
    { method: 'POST', path: '/api/hello/:name', kind: 'project', actions: ['api::hello.hello.greet'] },
  ];
  const { paths } = documentOf(RICH, own);

  it('say who may call them', () => {
    expect(paths['/api/articles']?.['post']?.security).toEqual([{ apiToken: [] }, { userToken: [] }]);
    expect(paths['/api/users/me']?.['get']?.security).toEqual([{ userToken: [] }]);
    expect(paths['/api/auth/local']?.['post']?.security).toContainEqual({});
    expect(paths['/uploads/{path}']?.['get']?.security).toEqual([]);
  });

  it('follow what the code of the project says about routes', () => {
    expect(paths['/api/articles']).not.toHaveProperty('get');
    expect(paths['/api/writers']?.['get']?.security).toEqual([]);
    expect(paths['/api/hello/{name}']?.['post']).toMatchObject({
      security: [{ apiToken: [] }, { userToken: [] }],
      parameters: [{ name: 'name', in: 'path', required: true }],
    });
  });

  it('have the parameters that their types have a use for', () => {
    const namesOf = (path: string) => paths[path]?.['get']?.parameters?.map(({ name }) => name);
    expect(namesOf('/api/articles/{documentId}')).toEqual([
      'documentId',
      'release',
      'status',
      'locale',
      'fields',
      'populate',
    ]);
    expect(namesOf('/api/connections')).toEqual(['filters', '_q', 'sort', 'pagination', 'fields']);
  });

  it('describe the parameters of images if any are allowed', () => {
    const images = { sizes: [320, 640], qualities: [80], formats: ['webp'] };
    const parametersOf = (choices: Partial<Parameters<typeof createDocument>[0]>) =>
      documentOf(RICH, [], choices).paths['/uploads/{path}']?.['get']?.parameters;
    expect(parametersOf({})?.map(({ name }) => name)).toEqual(['path']);
    expect(parametersOf({ images: { ...images, sizes: [] } })?.map(({ name }) => name)).toEqual(['path']);
    expect(parametersOf({ images })).toMatchObject([
      { name: 'path' },
      { name: 'width', schema: { enum: [320, 640] } },
      { name: 'height', schema: { enum: [320, 640] } },
      { name: 'fit' },
      { name: 'format', schema: { enum: ['webp', 'auto'] } },
      { name: 'quality', schema: { enum: [80] } },
    ]);
  });

  it('name the errors that they may be refused with', () => {
    expect(Object.keys(paths['/api/auth/local']?.['post']?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '429', '500', '503']),
    );
  });
});
