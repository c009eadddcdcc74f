import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/model/build-model.js';
import type { ContentModel } from '../../../src/model/model.js';
import { definitionsFrom, loadFixtureModel, modelFrom } from '../../support/models.js';

const text = { type: 'string' };
const localized = { pluginOptions: { i18n: { localized: true } } };

/** Paths of all unfrozen objects in a value. Class instances are left out: they guard their own state. */
const unfrozen = (value: unknown, path: string, seen: Set<unknown>): readonly string[] => {
  if (
    typeof value !== 'object' ||
    value === null ||
    seen.has(value) ||
    value instanceof RegExp ||
    value instanceof Date
  )
    return [];
  seen.add(value);
  return [
    ...(Object.isFrozen(value) ? [] : [path]),
    ...Reflect.ownKeys(value).flatMap((key) =>
      unfrozen(Reflect.get(value, key), `${path}.${String(key)}`, seen),
    ),
  ];
};

describe('the model', () => {
  it('is deeply frozen', async () => {
    const model = await loadFixtureModel('magazine');
    expect(unfrozen(model, 'model', new Set())).toEqual([]);
  });

  it('freezes its problems too', () => {
    const { problems } = buildModel(
      definitionsFrom({ types: { a: { attributes: { x: { type: 'nope' } } } } }),
    );
    expect(problems.length).toBe(1);
    expect(unfrozen(problems, 'problems', new Set())).toEqual([]);
  });

  it('has no entries under names that objects inherit', () => {
    const model: ContentModel = modelFrom({ types: { a: { attributes: { x: text } } } });
    for (const record of [
      model.typesByUid,
      model.componentsByUid,
      model.typesByUid['api::a.a']?.attributes ?? {},
    ]) {
      expect(record['constructor']).toBeUndefined();
      expect(record['__proto__']).toBeUndefined();
      expect('toString' in record).toBe(false);
    }
  });

  it("sorts types and components by uid and keeps attributes in the file's order", () => {
    const model = modelFrom({
      types: { b: { attributes: { z: text, a: text } }, a: { attributes: {} } },
      components: { 'b.a': { attributes: {} }, 'a.b': { attributes: {} } },
    });
    expect(model.types.filter(({ origin }) => origin === 'project').map(({ uid }) => uid)).toEqual([
      'api::a.a',
      'api::b.b',
    ]);
    expect(model.components.map(({ uid }) => uid)).toEqual(['a.b', 'b.a']);
    expect(Object.keys(model.typesByUid['api::b.b']?.attributes ?? {})).toEqual(['z', 'a']);
  });

  it('does not change the definitions it is built from', () => {
    const literal = { types: { a: { attributes: { x: text } } } };
    const definitions = definitionsFrom(literal);
    buildModel(definitions);
    expect(definitions).toEqual(definitionsFrom(literal));
  });
});

describe('attributes', () => {
  it('have the options of the file', () => {
    const model = modelFrom({
      types: {
        a: {
          options: { privateAttributes: ['hidden'] },
          attributes: {
            title: {
              ...text,
              required: true,
              unique: true,
              minLength: 2,
              maxLength: 9,
              regex: '^\\w+$',
              default: 'abc',
              configurable: false,
              pluginOptions: { other: { x: 1 } },
            },
            secret: { ...text, private: true },
            hidden: text,
            slug: { type: 'uid', targetField: 'title' },
            big: { type: 'biginteger', min: '-9007199254740993', max: '9007199254740993', default: '5' },
            when: { type: 'datetime', default: '2026-02-28T10:00:00+02:00' },
            at: { type: 'time', default: '10:00:00' },
            data: { type: 'json', default: '{"a":1}' },
            never: { ...text, default: null },
            letters: { ...text, regex: '^\\p{L}+$' },
          },
        },
      },
    });
    const attributes = model.typesByUid['api::a.a']?.attributes ?? {};
    expect(attributes['title']).toMatchObject({
      required: true,
      private: false,
      configurable: false,
      default: 'abc',
      pluginOptions: { other: { x: 1 } },
      constraints: { required: true, unique: true, minLength: 2, maxLength: 9, regex: /^\w+$/ },
    });
    expect([attributes['secret']?.private, attributes['hidden']?.private]).toEqual([true, true]);
    expect(attributes['slug']).toMatchObject({ constraints: { unique: true, targetField: 'title' } });
    expect(attributes['big']).toMatchObject({
      constraints: { min: -9007199254740993n, max: 9007199254740993n },
      default: 5n,
    });
    expect(attributes['when']).toMatchObject({ default: new Date('2026-02-28T08:00:00.000Z') });
    expect(attributes['at']).toMatchObject({ default: '10:00:00.000' });
    expect(attributes['data']).toMatchObject({ default: { a: 1 } });
    expect(attributes['never']).toMatchObject({ default: undefined });
    expect(attributes['letters']).toMatchObject({ constraints: { regex: /^\p{L}+$/u } });
  });

  it('are localised if their option says so; relations and uids always are', () => {
    const attributes = {
      shared: text,
      own: { ...text, ...localized },
      slug: { type: 'uid' },
      cover: { type: 'media' },
      ownCover: { type: 'media', ...localized },
      part: { type: 'component', component: 'shared.part' },
      ownPart: { type: 'component', component: 'shared.part', ...localized },
      zone: { type: 'dynamiczone', components: ['shared.part'], ...localized },
      friend: { type: 'relation', relation: 'oneToOne', target: 'api::a.a' },
    };
    const components = { 'shared.part': { attributes: { text: { ...text, ...localized } } } };
    const flags = (model: ContentModel): unknown =>
      Object.fromEntries(
        Object.values(model.typesByUid['api::a.a']?.attributes ?? {}).map((attribute) => [
          attribute.name,
          attribute.localized,
        ]),
      );
    const model = modelFrom({ types: { a: { localized: true, attributes } }, components });
    expect(flags(model)).toEqual({
      shared: false,
      own: true,
      slug: true,
      cover: false,
      ownCover: true,
      part: false,
      ownPart: true,
      zone: true,
      friend: true,
    });
    expect(model.componentsByUid['shared.part']?.attributes['text']?.localized).toBe(false);
    expect(
      Object.values(flags(modelFrom({ types: { a: { attributes } }, components })) as object).some(Boolean),
    ).toBe(false);
  });

  it('have min and max of components as in the file', () => {
    const part = { type: 'component', component: 'shared.part' };
    const model = modelFrom({
      types: {
        a: {
          attributes: {
            one: part,
            many: { ...part, repeatable: true, min: 1, max: 4 },
            zone: { type: 'dynamiczone', components: ['shared.part', 'shared.part'], max: 0 },
          },
        },
      },
      components: { 'shared.part': { attributes: {} } },
    });
    const attributes = model.typesByUid['api::a.a']?.attributes ?? {};
    expect(attributes['one']).toMatchObject({
      repeatable: false,
      min: null,
      max: null,
      column: { name: 'one', field: 'one', kind: 'json' },
    });
    expect(attributes['many']).toMatchObject({ repeatable: true, min: 1, max: 4 });
    expect(attributes['zone']).toMatchObject({ components: ['shared.part'], max: 0 });
  });
});

describe('the user type', () => {
  const USER = 'plugin::users-permissions.user';
  const BUILTIN = [
    'username',
    'email',
    'provider',
    'password',
    'resetPasswordToken',
    'confirmationToken',
    'confirmed',
    'blocked',
    'role',
  ];

  it("has the attributes of the project's file besides its built-in ones", () => {
    const model = modelFrom({
      types: {
        article: {
          attributes: {
            author: { type: 'relation', relation: 'manyToOne', target: USER, inversedBy: 'articles' },
          },
        },
      },
      user: {
        attributes: {
          username: { type: 'string', minLength: 5, unique: false },
          password: { type: 'password', minLength: 12, private: false },
          role: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
          fullName: { type: 'string' },
          articles: {
            type: 'relation',
            relation: 'oneToMany',
            target: 'api::article.article',
            mappedBy: 'author',
          },
        },
      },
    });
    const user = model.typesByUid[USER];
    expect(user).toMatchObject({
      origin: 'builtin',
      file: 'src/extensions/users-permissions/content-types/user/schema.json',
      collectionName: 'up_users',
      typeName: 'UsersPermissionsUser',
      draftAndPublish: false,
      localized: false,
    });
    expect(Object.keys(user?.attributes ?? {})).toEqual([...BUILTIN, 'fullName', 'articles']);
    expect(user?.attributes['username']).toMatchObject({
      required: true,
      constraints: { required: true, unique: true, minLength: 5 },
    });
    expect(user?.attributes['password']).toMatchObject({ private: true, constraints: { minLength: 12 } });
    expect(user?.attributes['role']).toMatchObject({
      relation: 'manyToOne',
      target: 'plugin::users-permissions.role',
      counterpart: 'users',
    });
    expect(user?.attributes['articles']).toMatchObject({ side: 'inverse', target: 'api::article.article' });
  });

  it('is the built-in type if the project has no file or a broken one', () => {
    expect(Object.keys(modelFrom({}).typesByUid[USER]?.attributes ?? {})).toEqual(BUILTIN);
    expect(modelFrom({}).typesByUid[USER]?.file).toBeNull();
  });

  it('keeps the types of attributes that the server uses', () => {
    const { model, problems } = buildModel(
      definitionsFrom({ user: { attributes: { email: { type: 'json' } } } }),
    );
    expect(model).toBeNull();
    expect(problems).toMatchObject([
      { code: 'fixed-attribute', attribute: 'email', line: 4, allowed: ['email'] },
    ]);
  });

  it('has private secrets', () => {
    const attributes = Object.values(modelFrom({}).typesByUid[USER]?.attributes ?? {});
    expect(attributes.filter((attribute) => attribute.private).map(({ name }) => name)).toEqual([
      'password',
      'resetPasswordToken',
      'confirmationToken',
    ]);
  });
});
