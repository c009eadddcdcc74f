import { validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { enumValueNameOf } from '../../../../src/api/graphql/field-names.js';
import { buildSchema, printSdl } from '../../../../src/api/graphql/schema/build-schema.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';

const OPTIONS = { shadowCRUD: true, isLocale: () => true };

const model = modelFrom({
  types: {
    error: {
      attributes: {
        'dash-name': { type: 'string' },
        __hidden: { type: 'string' },
        ok: { type: 'enumeration', enum: ['in progress', 'in-progress', 'Über', '2nd', 'true'] },
      },
    },
    date: { kind: 'singleType', attributes: { title: { type: 'string' } } },
    'article-input': { attributes: { title: { type: 'string' } } },
    article: {
      attributes: {
        links: { type: 'relation', relation: 'morphToMany' },
        password: { type: 'password', required: true },
      },
    },
    me: { kind: 'singleType', attributes: { title: { type: 'string' } } },
  },
});

describe('the schema of models with names that GraphQL does not allow', () => {
  it('is valid', async () => {
    expect(validateSchema(buildSchema(model, OPTIONS))).toEqual([]);
    expect(validateSchema(buildSchema(await loadFixtureModel('launchpad'), OPTIONS))).toEqual([]);
  });

  it('uses similar names', () => {
    const schema = buildSchema(model, OPTIONS);
    const sdl = printSdl(schema);
    expect(sdl).toMatch(/enum ENUM_ERRORTYPE_OK \{\s+Ueber\s+_2nd\s+_true\s+in_progress\s+in_progress_\s+\}/);
    expect(sdl).toContain('dash_name: String');
    expect(sdl).not.toContain('__hidden');
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(
      expect.arrayContaining(['error', 'errors', 'date', 'me', 'me_', 'article', 'articleInput']),
    );
    expect(sdl).toContain('type ArticleInput {');
    expect(sdl).toContain('input ArticleInput_ {');
  });

  it('renames types that clash with the types of the toolkit', () => {
    const schema = buildSchema(
      modelFrom({
        types: {
          'string-filter-input': { attributes: { title: { type: 'string' } } },
          'users-permissions-me': { attributes: { title: { type: 'string' } } },
        },
      }),
      OPTIONS,
    );
    expect(validateSchema(schema)).toEqual([]);
    expect(Object.keys(schema.getTypeMap())).toEqual(
      expect.arrayContaining([
        'StringFilterInput',
        'StringFilterInput_',
        'UsersPermissionsMe',
        'UsersPermissionsMe_',
      ]),
    );
  });

  it('keeps types apart whose names, or names that derive from them, are equal', () => {
    const attributes = {
      kind: { type: 'enumeration', enum: ['a'] },
      parts: { type: 'dynamiczone', components: ['a-b.c', 'a.b-c'] },
      number: { type: 'integer' },
    };
    const names = [
      'question',
      'question-group',
      'question-key',
      'question-sum',
      'question-field',
      'question-by',
    ];
    const colliding = modelFrom({
      types: Object.fromEntries(
        [...names, 'question-group-group', 'front-end', 'frontend', 'a-1', 'a1', 'component-a-b-c'].map(
          (name) => [name, { attributes }],
        ),
      ),
      components: { 'a-b.c': { attributes: { text: { type: 'string' } } }, 'a.b-c': { attributes: {} } },
    });
    const schema = buildSchema(colliding, { ...OPTIONS, additions: true, subscriptions: true });
    expect(validateSchema(schema)).toEqual([]);
    expect(Object.keys(schema.getTypeMap())).toEqual(
      expect.arrayContaining([
        'Aggregate_QuestionGroup',
        'Aggregate_QuestionGroup_',
        'ENUM_FRONTEND_KIND',
        'ENUM_FRONTEND_KIND_',
        'A1',
        'A1_',
        'ComponentABC',
        'ComponentABC_',
        'ComponentABC__',
      ]),
    );
  });

  it.each([
    ['long read', 'long_read'],
    ['R&D', 'R_and_D'],
    ['_a__b_', 'a_b'],
    ['Größe', 'Groesse'],
    ['élan vital', 'elan_vital'],
    ['Ærø', 'AEro'],
    ['да', 'da'],
    ['Щука', 'Schuka'],
    ['Αθήνα', 'Athina'],
    ['4th rock', '_4th_rock'],
    ['null', '_null'],
    ['日本', 'u65e5_u672c'],
    ['👍', 'u1f44d'],
    [' ', 'u20'],
  ])('names the enumeration value %s %s', (value, name) => {
    expect(enumValueNameOf(value)).toBe(name);
  });

  it('names values without letters by their code points and keeps equal names apart', () => {
    const schema = buildSchema(
      modelFrom({
        types: {
          article: {
            attributes: { mood: { type: 'enumeration', enum: ['🙂', '👍', '日本', '1.0', '1-0'] } },
          },
        },
      }),
      OPTIONS,
    );
    expect(validateSchema(schema)).toEqual([]);
    expect(printSdl(schema)).toMatch(
      /enum ENUM_ARTICLE_MOOD \{\s+_1_0\s+_1_0_\s+u1f44d\s+u1f642\s+u65e5_u672c\s+\}/,
    );
  });
});
