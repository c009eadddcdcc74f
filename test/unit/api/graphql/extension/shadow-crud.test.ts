import { isObjectType, isUnionType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlExtensionService } from '../../../../../src/api/graphql/extension/configuration.js';
import { createExtensionService } from '../../../../../src/api/graphql/extension/evaluate-extensions.js';
import type { FieldSwitches, TypeSwitches } from '../../../../../src/api/graphql/extension/shadow-crud.js';
import type { ContentModel } from '../../../../../src/model/model.js';
import { loadFixtureModel, modelFrom } from '../../../../support/models.js';
import { buildExtendedSchema } from './extension-support.js';

const ARTICLE = 'api::article.article';
const AUTHOR = 'api::author.author';
const FILE = 'plugin::upload.file';
const USER = 'plugin::users-permissions.user';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const fieldsOf = (schema: GraphQLSchema, type: string): readonly string[] => {
  const found = schema.getType(type);
  return found !== undefined && 'getFields' in found ? Object.keys(found.getFields()) : [];
};
const queries = (schema: GraphQLSchema): readonly string[] => fieldsOf(schema, 'Query');
const mutations = (schema: GraphQLSchema): readonly string[] => fieldsOf(schema, 'Mutation');

const buildSwitchedSchema = async (
  change: (graphql: GraphqlExtensionService) => void,
): Promise<GraphQLSchema> => (await buildExtendedSchema(model, change)).schema;
const service = (): GraphqlExtensionService => createExtensionService(model, () => '').service;

describe('what a switch of a content-type removes from the schema', () => {
  const VERSIONS = ['article_deleted', 'article_trash', 'article_version', 'article_versions'];
  const DELETED = ['purgeDeletedArticle', 'restoreDeletedArticle'];
  const UPDATES = ['article_schedule', 'restoreArticleVersion', 'scheduleArticle'];
  const ARTICLE_QUERIES = [
    'article',
    'article_schedule',
    ...VERSIONS,
    'articles',
    'articles_aggregate',
    'articles_connection',
  ];
  const ARTICLE_LISTS = ['articles', 'articles_aggregate', 'articles_connection'];
  const ARTICLE_MUTATIONS = [
    'bulkArticles',
    'createArticle',
    'deleteArticle',
    ...DELETED,
    'restoreArticleVersion',
    'scheduleArticle',
    'updateArticle',
  ];
  const rows: readonly (readonly [string, (type: TypeSwitches) => TypeSwitches, readonly string[]])[] = [
    ['disableQueries', (type) => type.disableQueries(), ARTICLE_QUERIES],
    ['disableMutations', (type) => type.disableMutations(), ['article_schedule', ...ARTICLE_MUTATIONS]],
    ['disableAction find', (type) => type.disableAction('find'), ARTICLE_LISTS],
    ['disableAction aggregate', (type) => type.disableAction('aggregate'), ['articles_aggregate']],
    [
      'disableAction findOne',
      (type) => type.disableAction('findOne'),
      ['article', 'article_schedule', ...VERSIONS],
    ],
    ['disableAction create', (type) => type.disableAction('create'), ['bulkArticles', 'createArticle']],
    [
      'disableAction update',
      (type) => type.disableAction('update'),
      ['bulkArticles', 'updateArticle', ...UPDATES],
    ],
    [
      'disableAction delete',
      (type) => type.disableAction('delete'),
      ['bulkArticles', 'deleteArticle', ...DELETED],
    ],
    [
      'disableActions',
      (type) => type.disableActions(['create', 'findOne']),
      ['article', 'article_schedule', 'bulkArticles', 'createArticle', ...VERSIONS],
    ],
    ['disable', (type) => type.disable(), [...ARTICLE_QUERIES, ...ARTICLE_MUTATIONS]],
    [
      'several calls, chained',
      (type) => type.disableAction('find').disableQueries().disableMutations(),
      [...ARTICLE_QUERIES, ...ARTICLE_MUTATIONS],
    ],
  ];
  it.each(rows)('%s', async (_name, change, removed) => {
    const before = await buildSwitchedSchema(() => undefined);
    const after = await buildSwitchedSchema(({ shadowCRUD }) => void change(shadowCRUD(ARTICLE)));
    const all = (schema: GraphQLSchema): readonly string[] => [...queries(schema), ...mutations(schema)];
    expect(
      all(before)
        .filter((name) => !all(after).includes(name))
        .toSorted(),
    ).toEqual([...removed].toSorted());
    expect(all(after).filter((name) => !all(before).includes(name))).toEqual([]);
  });

  it('removes relations, filters, inputs, union members and connections of a disabled type', async () => {
    const { schema, sdl } = await buildExtendedSchema(
      model,
      ({ shadowCRUD }) => void shadowCRUD(AUTHOR).disable(),
    );
    // Schedules and versions of all types name their author.
    const others = sdl.replaceAll('author: String', '');
    expect(others).not.toMatch(
      /\bAuthor\b|AuthorInput|AuthorFilters|AuthorEntity|AuthorRelation|\bauthors?\b/,
    );
    for (const type of ['Article', 'ArticleInput', 'ArticleFiltersInput', 'Profile'])
      expect(fieldsOf(schema, type), type).not.toContain('author');
    const morph = schema.getType('GenericMorph');
    expect(isUnionType(morph) && morph.getTypes().map(({ name }) => name)).not.toContain('Author');
    expect(fieldsOf(schema, 'Article')).toContain('category');
  });

  it('applies to built-in types: their mutations and all media fields are removed', async () => {
    const schema = await buildSwitchedSchema(({ shadowCRUD }) => {
      shadowCRUD(FILE).disable();
      shadowCRUD(USER).disableMutations();
      shadowCRUD('plugin::i18n.locale').disableQueries();
    });
    expect(mutations(schema)).not.toEqual(expect.arrayContaining(['updateUploadFile']));
    expect(mutations(schema).filter((name) => /UploadFile|PermissionsUser/.test(name))).toEqual([]);
    expect(mutations(schema)).toContain('createUsersPermissionsRole');
    expect(schema.getType('UploadFile')).toBeUndefined();
    expect(fieldsOf(schema, 'Article')).not.toContain('cover');
    expect(fieldsOf(schema, 'ArticleInput')).not.toContain('gallery');
    expect(queries(schema).filter((name) => name.startsWith('i18N'))).toEqual([]);
    expect(queries(schema)).toContain('usersPermissionsUsers');
  });

  it('removes a component from dynamic zones and from the types that contain it', async () => {
    const { schema, sdl } = await buildExtendedSchema(model, ({ shadowCRUD }) => {
      shadowCRUD('sections.quote').disable();
      shadowCRUD('shared.seo').disable();
    });
    const zone = schema.getType('ArticleSectionsDynamicZone');
    expect(isUnionType(zone) && zone.getTypes().map(({ name }) => name)).toEqual([
      'ComponentSectionsText',
      'ComponentSectionsRelated',
      'Error',
    ]);
    expect(fieldsOf(schema, 'Article')).not.toContain('seo');
    expect(sdl).not.toMatch(/ComponentSharedSeo/);
  });

  it('leaves the other actions of a single type', async () => {
    const schema = await buildSwitchedSchema(
      ({ shadowCRUD }) =>
        void shadowCRUD('api::setting.setting').disableAction('delete').disableAction('find'),
    );
    expect([
      queries(schema).includes('setting'),
      mutations(schema).filter((name) => name.endsWith('Setting')),
    ]).toEqual([false, ['updateSetting']]);
  });
});

describe('what a switch of a field removes from the schema', () => {
  const rows: readonly (readonly [string, (field: FieldSwitches) => FieldSwitches, readonly string[]])[] = [
    ['disable', (field) => field.disable(), ['Article', 'ArticleFiltersInput', 'ArticleInput']],
    ['disableOutput', (field) => field.disableOutput(), ['Article']],
    ['disableInput', (field) => field.disableInput(), ['ArticleInput']],
    ['disableFilters', (field) => field.disableFilters(), ['ArticleFiltersInput']],
    [
      'two calls, chained',
      (field) => field.disableInput().disableFilters(),
      ['ArticleFiltersInput', 'ArticleInput'],
    ],
  ];
  it.each(rows)('%s', async (_name, change, removed) => {
    for (const name of ['summary', 'tags', 'seo', 'publishedAt']) {
      const before = await buildSwitchedSchema(() => undefined);
      const after = await buildSwitchedSchema(
        ({ shadowCRUD }) => void change(shadowCRUD(ARTICLE).field(name)),
      );
      const typesWithField = (schema: GraphQLSchema): readonly string[] =>
        ['Article', 'ArticleFiltersInput', 'ArticleInput'].filter((type) =>
          fieldsOf(schema, type).includes(name),
        );
      expect(typesWithField(before), name).toEqual(['Article', 'ArticleFiltersInput', 'ArticleInput']);
      expect(typesWithField(after), name).toEqual(
        typesWithField(before).filter((type) => !removed.includes(type)),
      );
      expect(fieldsOf(after, 'Article').includes(`${name}_connection`), name).toBe(
        name === 'tags' && !removed.includes('Article'),
      );
    }
  });

  it('removes a field from a component', async () => {
    const schema = await buildSwitchedSchema(
      ({ shadowCRUD }) => void shadowCRUD('shared.seo').field('metaTitle').disable(),
    );
    expect(fieldsOf(schema, 'ComponentSharedSeo')).not.toContain('metaTitle');
    expect(fieldsOf(schema, 'ComponentSharedSeoInput')).not.toContain('metaTitle');
  });

  it('reports a type without fields', async () => {
    const one = modelFrom({ types: { note: { attributes: { text: { type: 'string' } } } } });
    await expect(
      buildExtendedSchema(one, ({ shadowCRUD }) => {
        for (const name of ['text', 'publishedAt', 'locale'])
          shadowCRUD('api::note.note').field(name).disableInput();
      }),
    ).rejects.toMatchObject({
      code: 'graphql/invalid-extension',
      message: expect.stringContaining('NoteInput') as string,
    });
  });
});

describe('the getters of a content-type', () => {
  const rows: readonly (readonly [
    keyof TypeSwitches,
    (type: TypeSwitches) => unknown,
    (type: TypeSwitches) => boolean,
    boolean,
  ])[] = [
    ['isEnabled', (type) => type.disable(), (type) => type.isEnabled(), true],
    ['isDisabled', (type) => type.disable(), (type) => type.isDisabled(), false],
    ['areQueriesEnabled', (type) => type.disableQueries(), (type) => type.areQueriesEnabled(), true],
    ['areQueriesDisabled', (type) => type.disableQueries(), (type) => type.areQueriesDisabled(), false],
    ['areMutationsEnabled', (type) => type.disableMutations(), (type) => type.areMutationsEnabled(), true],
    ['areMutationsDisabled', (type) => type.disableMutations(), (type) => type.areMutationsDisabled(), false],
    [
      'isActionEnabled',
      (type) => type.disableAction('create'),
      (type) => type.isActionEnabled('create'),
      true,
    ],
    [
      'isActionDisabled',
      (type) => type.disableAction('create'),
      (type) => type.isActionDisabled('create'),
      false,
    ],
  ];
  it.each(rows)('%s', (_name, change, read, initialValue) => {
    const { shadowCRUD } = service();
    expect(read(shadowCRUD(ARTICLE))).toBe(initialValue);
    change(shadowCRUD(ARTICLE));
    expect(read(shadowCRUD(ARTICLE))).toBe(!initialValue);
    expect(read(shadowCRUD(AUTHOR))).toBe(initialValue);
  });
});

describe('the getters of a field', () => {
  const rows: readonly (readonly [
    string,
    (field: FieldSwitches) => unknown,
    (field: FieldSwitches) => boolean,
    boolean,
  ])[] = [
    ['isEnabled', (field) => field.disable(), (field) => field.isEnabled(), true],
    ['isDisabled', (field) => field.disable(), (field) => field.isDisabled(), false],
    ['hasInputEnabled', (field) => field.disableInput(), (field) => field.hasInputEnabled(), true],
    ['hasOutputEnabled', (field) => field.disableOutput(), (field) => field.hasOutputEnabled(), true],
    ['hasFiltersEnabled', (field) => field.disableFilters(), (field) => field.hasFiltersEnabled(), true],
    ['hasInputEnabled after disable', (field) => field.disable(), (field) => field.hasInputEnabled(), true],
    ['hasOutputEnabled after disable', (field) => field.disable(), (field) => field.hasOutputEnabled(), true],
    [
      'hasFiltersEnabled after disable',
      (field) => field.disable(),
      (field) => field.hasFiltersEnabled(),
      true,
    ],
  ];
  it.each(rows)('%s', (_name, change, read, initialValue) => {
    const { shadowCRUD } = service();
    const field = (): FieldSwitches => shadowCRUD(ARTICLE).field('title');
    expect(read(field())).toBe(initialValue);
    change(field());
    expect(read(field())).toBe(!initialValue);
    expect(read(shadowCRUD(ARTICLE).field('summary'))).toBe(initialValue);
  });
});

describe('names that do not exist', () => {
  it.each([
    [
      'a type',
      ({ shadowCRUD }: GraphqlExtensionService) => shadowCRUD('api::artikel.artikel'),
      'graphql/unknown-type',
      'api::article.article',
    ],
    [
      'a field',
      ({ shadowCRUD }: GraphqlExtensionService) => shadowCRUD(ARTICLE).field('titel'),
      'graphql/unknown-field',
      'title',
    ],
    [
      'an action',
      ({ shadowCRUD }: GraphqlExtensionService) => shadowCRUD(ARTICLE).disableAction('publish'),
      'graphql/unknown-action',
      'find, findOne, aggregate, create, update, delete',
    ],
    [
      'one of several actions',
      ({ shadowCRUD }: GraphqlExtensionService) => shadowCRUD(ARTICLE).disableActions(['find', 'list']),
      'graphql/unknown-action',
      'findOne',
    ],
    [
      'an action passed to a getter',
      ({ shadowCRUD }: GraphqlExtensionService) => shadowCRUD(ARTICLE).isActionEnabled('list'),
      'graphql/unknown-action',
      'findOne',
    ],
  ])('%s: the error names what is allowed', (_name, call, code, allowed) => {
    expect(() => call(service())).toThrow(
      expect.objectContaining({ code, hint: expect.stringContaining(allowed) as string }) as Error,
    );
  });
});

it('changes nothing if nothing is switched off', async () => {
  const { schema } = await buildExtendedSchema(model, () => undefined);
  expect(Object.values(schema.getTypeMap()).filter(isObjectType).length).toBeGreaterThan(20);
  const { sdl } = await buildExtendedSchema(model, ({ use }) => void use({}));
  expect(sdl).toBe((await buildExtendedSchema(model, () => undefined)).sdl);
});
