import { validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { buildSchema, printSdl } from '../../../src/graphql/schema/build-schema.js';
import { loadFixtureModel, modelFrom } from '../../support/models.js';

const OPTIONS = { shadowCRUD: true, isLocale: () => true };

const model = modelFrom({
  types: {
    error: { attributes: { 'dash-name': { type: 'string' }, __hidden: { type: 'string' }, ok: { type: 'enumeration', enum: ['in progress', 'in-progress', 'Über', '2nd', 'true'] } } },
    date: { kind: 'singleType', attributes: { title: { type: 'string' } } },
    'article-input': { attributes: { title: { type: 'string' } } },
    article: { attributes: { links: { type: 'relation', relation: 'morphToMany' }, password: { type: 'password', required: true } } },
    me: { kind: 'singleType', attributes: { title: { type: 'string' } } },
  },
});

describe('the schema of models with names that GraphQL does not take', () => {
  it('is a valid schema all the same', async () => {
    expect(validateSchema(buildSchema(model, OPTIONS))).toEqual([]);
    expect(validateSchema(buildSchema(await loadFixtureModel('launchpad'), OPTIONS))).toEqual([]);
  });

  it('finds names near by', () => {
    const schema = buildSchema(model, OPTIONS);
    const sdl = printSdl(schema);
    expect(sdl).toMatch(/enum ENUM_ERRORTYPE_OK \{\s+Uber\s+_2nd\s+_true\s+in_progress\s+in_progress_\s+\}/);
    expect(sdl).toContain('dash_name: String');
    expect(sdl).not.toContain('__hidden');
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(expect.arrayContaining(['error', 'errors', 'date', 'me', 'me_', 'article', 'articleInput']));
    expect(sdl).toContain('type ArticleInput {');
    expect(sdl).toContain('input ArticleInput_ {');
  });
});
