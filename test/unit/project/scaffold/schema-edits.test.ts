import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addComponent, addType, parseTypeSource } from '../../../../src/project/scaffold/add-schema.js';
import { parseAttributeShorthand } from '../../../../src/project/scaffold/attribute-shorthand.js';
import {
  removeAttributeFrom,
  removeComponent,
  removeType,
} from '../../../../src/project/scaffold/remove-schema.js';
import { renameAttributeIn } from '../../../../src/project/scaffold/rename-schema.js';
import { setAttributeOption } from '../../../../src/project/scaffold/schema-project.js';
import { resolveComponent } from '../../../../src/project/scaffold/resolve-name.js';
import { deriveTypeNames } from '../../../../src/project/scaffold/type-names.js';
import {
  MAGAZINE,
  openProject,
  type,
  component,
  attributesOf,
  schemaPath,
  errorsOf,
  newType,
} from './support/edit-schemas.js';

describe('adding a type', () => {
  it('writes it in the layout of the format, names derived', async () => {
    const project = await openProject(MAGAZINE);
    const uid = await addType(
      project,
      newType('Blog Post', {
        draftAndPublish: true,
        attributes: [parseAttributeShorthand('title:string:required')],
      }),
    );
    expect(uid).toBe('api::blog-post.blog-post');
    expect(await project.workspace.read(schemaPath('blog-post'))).toBe(
      `${JSON.stringify(
        {
          $schema: '../../../../../types/content-type.schema.json',
          kind: 'collectionType',
          collectionName: 'blog_posts',
          info: {
            singularName: 'blog-post',
            pluralName: 'blog-posts',
            displayName: 'Blog Post',
            description: '',
          },
          options: { draftAndPublish: true },
          pluginOptions: {},
          attributes: { title: { type: 'string', required: true } },
        },
        null,
        2,
      )}\n`,
    );
    expect(await errorsOf(project)).toEqual([]);
  });

  it('links to itself and to others in one go', async () => {
    const project = await openProject(MAGAZINE);
    await addType(
      project,
      newType('issue', {
        attributes: [
          'previous:relation:oneToOne,target=issue,inversedBy=next',
          'articles:relation:oneToMany,target=article,mappedBy=issue',
        ].map(parseAttributeShorthand),
      }),
    );
    expect(Object.keys(await attributesOf(project, schemaPath('issue')))).toEqual([
      'previous',
      'next',
      'articles',
    ]);
    expect((await attributesOf(project, schemaPath('article')))['issue']).toMatchObject({
      relation: 'manyToOne',
      inversedBy: 'articles',
    });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('refuses a name that is taken, as singular or plural', async () => {
    const project = await openProject(MAGAZINE);
    for (const name of ['article', 'articles'])
      await expect(addType(project, newType(name))).rejects.toMatchObject({ code: 'scaffold/name-taken' });
    expect(project.workspace.changes()).toEqual([]);
  });

  it.each([
    ['HTMLPage', 'html-page', 'html-pages', 'html_pages'],
    ['news', 'news', 'news-items', 'news_items'],
    ['category', 'category', 'categories', 'categories'],
    ['web3', 'web3', 'web3s', 'web3s'],
    ['FAQ 2', 'faq-2', 'faq-2s', 'faq_2s'],
  ])('derives names from %s', (name, singularName, pluralName, collectionName) => {
    expect(deriveTypeNames({ name })).toMatchObject({ singularName, pluralName, collectionName });
  });

  it.each([
    [{ name: '???' }],
    [{ name: 'tag', plural: 'Tags!' }],
    [{ name: 'tag', plural: 'tag' }],
    [{ name: '2nd' }],
  ])('refuses %j', (given) => {
    expect(() => deriveTypeNames(given)).toThrow(
      expect.objectContaining({ code: 'scaffold/invalid-name', kind: 'usage' }) as Error,
    );
  });

  it.each([
    [{ name: 'Künstler' }, 'kuenstler'],
    [{ name: 'Статья' }, 'statya'],
    [{ name: '2nd Tag' }, 'nd-tag'],
    [{ name: '日本' }, 'blog-post'],
    [{ name: 'tag', plural: 'Tägs' }, 'taegs'],
    [{ name: 'tag', plural: 'Tag' }, 'tags'],
  ])('proposes for %j a name that it accepts', (given, proposed) => {
    const hintOf = (): string => {
      try {
        deriveTypeNames(given);
      } catch (error) {
        return (error as { readonly hint: string }).hint;
      }
      return '';
    };
    expect(hintOf()).toContain(proposed);
    const [key, expected] = 'plural' in given ? ['plural', 'pluralName'] : ['name', 'singularName'];
    expect(deriveTypeNames({ ...given, [key]: proposed })).toMatchObject({ [expected]: proposed });
  });

  it('takes a whole schema file, or part of one with shorthands', async () => {
    const project = await openProject(MAGAZINE);
    const whole = parseTypeSource(readFileSync(join(MAGAZINE, schemaPath('tag')), 'utf8'), 'tag.json', {
      name: 'label',
    });
    expect(whole.names).toMatchObject({ singularName: 'label' });
    const part = parseTypeSource(
      JSON.stringify({
        info: { displayName: 'Big Thing' },
        options: { draftAndPublish: true, x: 1 },
        attributes: { title: 'string:required', n: { min: 1, type: 'integer' } },
      }),
      '-',
    );
    await addType(project, part);
    expect(JSON.parse((await project.workspace.read(schemaPath('big-thing'))) ?? '')).toMatchObject({
      options: { x: 1, draftAndPublish: true },
      attributes: { title: { type: 'string', required: true }, n: { type: 'integer', min: 1 } },
    });
  });

  it.each([
    ['{', 'JSON'],
    ['[]', 'not an object'],
    ['{}', 'singularName'],
    ['{"info":{"singularName":"x"},"kind":"many"}', 'many'],
    ['{"info":{"singularName":"x"},"attributes":{"a":{}}}', 'has no type'],
  ])('refuses the source %s', (text, reason) => {
    expect(() => parseTypeSource(text, 'x.json')).toThrow(
      expect.objectContaining({
        code: 'scaffold/invalid-source',
        message: expect.stringContaining(reason) as string,
      }) as Error,
    );
  });
});

describe('removing and renaming', () => {
  it('removes both sides of a relation', async () => {
    const project = await openProject(MAGAZINE);
    const others = await removeAttributeFrom(project, type(project, 'article'), 'author');
    expect(others.map(({ schema, attribute }) => `${schema.uid} ${attribute}`)).toEqual([
      'api::author.author articles',
    ]);
    expect(await attributesOf(project, schemaPath('article'))).not.toHaveProperty('author');
    expect(await attributesOf(project, schemaPath('author'))).not.toHaveProperty('articles');
    expect(await errorsOf(project)).toEqual([]);
  });

  it('removes a type with every relation to it, in components too', async () => {
    const project = await openProject(MAGAZINE);
    const relations = await removeType(project, type(project, 'tag'));
    expect(relations.map(({ schema, attribute }) => `${schema.uid} ${attribute}`).toSorted()).toEqual([
      'api::article.article tags',
      'api::profile.profile favouriteTags',
      'sections.related tags',
      'shared.link tag',
    ]);
    expect(await project.workspace.read(schemaPath('tag'))).toBeNull();
    expect(await errorsOf(project)).toEqual([]);
  });

  it('does not remove what is built in', async () => {
    const project = await openProject(MAGAZINE);
    await expect(removeType(project, type(project, 'user'))).rejects.toMatchObject({
      code: 'scaffold/builtin-not-editable',
    });
    await expect(removeAttributeFrom(project, type(project, 'user'), 'email')).rejects.toMatchObject({
      code: 'scaffold/builtin-not-editable',
    });
  });

  it('removes a component only where nobody uses it, and says who does', async () => {
    const project = await openProject(MAGAZINE);
    await expect(removeComponent(project, component(project, 'shared.seo'))).rejects.toMatchObject({
      code: 'scaffold/component-in-use',
      message: expect.stringContaining('api::article.article seo') as string,
      hint: 'Remove it there first: cms field remove article seo && cms field remove homepage seo',
    });
    await addComponent(project, { uid: 'shared.unused', attributes: [parseAttributeShorthand('a:string')] });
    expect(JSON.parse((await project.workspace.read('src/components/shared/unused.json')) ?? '')).toEqual({
      $schema: '../../../types/component.schema.json',
      collectionName: 'components_shared_unuseds',
      info: { displayName: 'Unused', description: '' },
      options: {},
      attributes: { a: { type: 'string' } },
    });
  });

  it('says how a component leaves a zone without the others', async () => {
    const project = await openProject(MAGAZINE);
    const used = component(project, 'sections.quote');
    await expect(removeComponent(project, used)).rejects.toMatchObject({
      hint:
        'Remove it there first: cms field edit article sections ' +
        "--components 'sections.text|sections.related'" +
        ' && cms field edit homepage sections --components sections.text',
    });
  });

  it('renames in place and follows in what names the attribute', async () => {
    const project = await openProject(MAGAZINE);
    await renameAttributeIn(project, type(project, 'article'), 'title', 'headline');
    await renameAttributeIn(project, type(project, 'article'), 'author', 'writer');
    const article = await attributesOf(project, schemaPath('article'));
    expect(Object.keys(article)[0]).toBe('headline');
    expect(article['slug']?.['targetField']).toBe('headline');
    expect((await attributesOf(project, schemaPath('author')))['articles']?.['mappedBy']).toBe('writer');
    expect(await errorsOf(project)).toEqual([]);
  });

  it('renames in conditions, too', async () => {
    const project = await openProject(MAGAZINE);
    const conditions = { visible: { '==': [{ var: 'title' }, 'title'] } };
    const text = (await project.workspace.read(schemaPath('article'))) ?? '';
    await project.workspace.write(
      schemaPath('article'),
      setAttributeOption(text, 'slug', 'conditions', conditions),
    );
    await renameAttributeIn(project, type(project, 'article'), 'title', 'headline');
    expect((await attributesOf(project, schemaPath('article')))['slug']?.['conditions']).toEqual({
      visible: { '==': [{ var: 'headline' }, 'title'] },
    });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('refuses to rename onto another attribute', async () => {
    const project = await openProject(MAGAZINE);
    await expect(renameAttributeIn(project, type(project, 'article'), 'title', 'slug')).rejects.toMatchObject(
      { code: 'scaffold/attribute-taken' },
    );
  });
});

describe('names on the command line', () => {
  it('finds types by uid, singular and plural, those of the project first', async () => {
    const project = await openProject(MAGAZINE);
    for (const name of ['article', 'articles', 'api::article.article'])
      expect(type(project, name).uid).toBe('api::article.article');
    expect(type(project, 'user').uid).toBe('plugin::users-permissions.user');
    expect(() => type(project, 'artcile')).toThrow(
      expect.objectContaining({ hint: 'Did you mean article?' }) as Error,
    );
    expect(() => type(project, 'api::artcile.article')).toThrow(
      expect.objectContaining({ hint: 'Did you mean api::article.article?' }) as Error,
    );
  });

  it('asks for the whole uid where a name is ambiguous', async () => {
    const components = [
      { uid: 'a.link', name: 'link' },
      { uid: 'b.link', name: 'link' },
    ];
    expect(() => resolveComponent(components, 'link')).toThrow(
      expect.objectContaining({
        code: 'scaffold/ambiguous-name',
        message: 'link is ambiguous: a.link or b.link.',
      }) as Error,
    );
    expect(resolveComponent(components, 'b.link').uid).toBe('b.link');
  });
});
