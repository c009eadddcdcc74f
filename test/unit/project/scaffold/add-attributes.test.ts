import { describe, expect, it } from 'vitest';
import {
  MAGAZINE,
  createProjectFolder,
  openProject,
  type,
  component,
  add,
  attributesOf,
  schemaPath,
  errorsOf,
} from './support/edit-schemas.js';

describe('adding attributes', () => {
  it('touches nothing else in the file: order, unknown keys and indentation stay', async () => {
    const text = [
      '{',
      '    "kind": "collectionType",',
      '    "x-mine": [1, 2],',
      '    "info": {"singularName": "tag", "pluralName": "tags", "displayName": "Tag"},',
      '    "attributes": {',
      '        "name": {"type": "string", "x-note": "keep"}',
      '    }',
      '}',
    ].join('\n');
    const project = await openProject(createProjectFolder({ [schemaPath('tag')]: text }));
    await add(project, type(project, 'tag'), 'weight:integer:min=0');
    expect(await project.workspace.read(schemaPath('tag'))).toBe(
      text.replace(
        '"keep"}\n',
        '"keep"},\n        "weight": {\n            "type": "integer",\n            "min": 0\n        }\n',
      ),
    );
  });

  it.each([
    [
      'manyToOne,target=author,inversedBy=pieces',
      { relation: 'manyToOne', inversedBy: 'pieces' },
      { relation: 'oneToMany', mappedBy: 'link' },
    ],
    [
      'manyToOne,target=authors,mappedBy=pieces',
      { relation: 'manyToOne', inversedBy: 'pieces' },
      { relation: 'oneToMany', mappedBy: 'link' },
    ],
    [
      'oneToMany,target=author,inversedBy=pieces',
      { relation: 'oneToMany', mappedBy: 'pieces' },
      { relation: 'manyToOne', inversedBy: 'link' },
    ],
    [
      'oneToOne,target=api::author.author,inversedBy=pieces',
      { relation: 'oneToOne', inversedBy: 'pieces' },
      { relation: 'oneToOne', mappedBy: 'link' },
    ],
    [
      'oneToOne,target=author,mappedBy=pieces',
      { relation: 'oneToOne', mappedBy: 'pieces' },
      { relation: 'oneToOne', inversedBy: 'link' },
    ],
    [
      'manyToMany,target=author,inversedBy=pieces',
      { relation: 'manyToMany', inversedBy: 'pieces' },
      { relation: 'manyToMany', mappedBy: 'link' },
    ],
    [
      'manyToMany,target=author,mappedBy=pieces',
      { relation: 'manyToMany', mappedBy: 'pieces' },
      { relation: 'manyToMany', inversedBy: 'link' },
    ],
  ])('writes both sides of %s', async (options, own, other) => {
    const project = await openProject(MAGAZINE);
    await add(project, type(project, 'tag'), `link:relation:${options}`);
    expect((await attributesOf(project, schemaPath('tag')))['link']).toEqual({
      type: 'relation',
      target: 'api::author.author',
      ...own,
    });
    expect((await attributesOf(project, schemaPath('author')))['pieces']).toEqual({
      type: 'relation',
      target: 'api::tag.tag',
      ...other,
    });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('writes one file for a relation that goes one way', async () => {
    const project = await openProject(MAGAZINE);
    await add(
      project,
      type(project, 'tag'),
      'first:relation:oneToOne,target=article',
      'all:relation:oneToMany,target=article',
    );
    expect(project.workspace.changes().map(({ path }) => path)).toEqual([schemaPath('tag')]);
    expect(await errorsOf(project)).toEqual([]);
  });

  it('writes both sides of a relation of a type to itself', async () => {
    const project = await openProject(MAGAZINE);
    await add(project, type(project, 'tag'), 'broader:relation:manyToOne,target=tag,inversedBy=narrower');
    expect((await attributesOf(project, schemaPath('tag')))['narrower']).toEqual({
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::tag.tag',
      mappedBy: 'broader',
    });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('writes the other side of a polymorphic relation', async () => {
    const project = await openProject(MAGAZINE);
    await add(project, type(project, 'tag'), 'notes:relation:morphMany,target=profile,morphBy=about');
    expect((await attributesOf(project, schemaPath('profile')))['about']).toEqual({
      type: 'relation',
      relation: 'morphToMany',
    });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('extends a built-in type where the other side belongs to it', async () => {
    const project = await openProject(MAGAZINE);
    await add(project, type(project, 'article'), 'owner:relation:manyToOne,target=user,inversedBy=articles');
    const path = 'src/extensions/users-permissions/content-types/user/schema.json';
    expect(await attributesOf(project, path)).toEqual({
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'owner',
      },
    });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('keeps an inverse that exists already, and refuses an attribute that is not the inverse', async () => {
    const project = await openProject(MAGAZINE);
    await expect(
      add(project, type(project, 'tag'), 'link:relation:manyToOne,target=author,inversedBy=name'),
    ).rejects.toMatchObject({
      code: 'scaffold/attribute-taken',
      message: expect.stringContaining('author') as string,
    });
    await add(project, type(project, 'tag'), 'one:relation:manyToOne,target=author,inversedBy=pieces');
    await expect(
      add(project, type(project, 'tag'), 'two:relation:manyToOne,target=author,inversedBy=pieces'),
    ).rejects.toMatchObject({ code: 'scaffold/attribute-taken' });
  });

  it('refuses an attribute that exists, naming its line', async () => {
    const project = await openProject(MAGAZINE);
    await expect(add(project, type(project, 'tag'), 'name:text')).rejects.toMatchObject({
      message: expect.stringMatching(
        /api::tag\.tag already has an attribute name \(src\/api\/tag\/.*:\d+\)/,
      ) as string,
    });
    expect(project.workspace.changes()).toEqual([]);
  });

  it.each([
    ['x:relation:manyToOne,target=autor', 'Did you mean author?'],
    ['x:component:component=shared.sae', 'Did you mean shared.seo?'],
    ['x:dynamiczone:components=shared.seo|nope.nope', 'Valid are'],
  ])('refuses %s', async (shorthand, remedy) => {
    const project = await openProject(MAGAZINE);
    await expect(add(project, type(project, 'tag'), shorthand)).rejects.toMatchObject({
      code: 'cli/unknown-name',
      hint: expect.stringContaining(remedy) as string,
    });
    expect(project.workspace.changes()).toEqual([]);
  });

  it('marks attributes of a localised type as localised, except relations', async () => {
    const project = await openProject(MAGAZINE);
    await add(
      project,
      type(project, 'article'),
      'lead:string',
      'code:string:localized=false',
      'editor:relation:oneToOne,target=author',
    );
    const attributes = await attributesOf(project, schemaPath('article'));
    expect(attributes['lead']).toEqual({ type: 'string', pluginOptions: { i18n: { localized: true } } });
    expect(attributes['code']).toEqual({ type: 'string', pluginOptions: { i18n: { localized: false } } });
    expect(attributes['editor']).not.toHaveProperty('pluginOptions');
  });

  it('adds to components by name, but no two-sided relation', async () => {
    const project = await openProject(MAGAZINE);
    await add(
      project,
      component(project, 'seo'),
      'keywords:text',
      'article:relation:oneToOne,target=article',
    );
    expect(await errorsOf(project)).toEqual([]);
    await expect(
      add(project, component(project, 'seo'), 'x:relation:manyToOne,target=author,inversedBy=seos'),
    ).rejects.toMatchObject({ code: 'scaffold/inverse-in-component' });
  });
});
