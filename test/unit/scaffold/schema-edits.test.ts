import { describe, expect, it, onTestFinished } from 'vitest';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadDefinitions } from '../../../src/content-types/load.js';
import { buildModel } from '../../../src/model/build-model.js';
import { addAttributes } from '../../../src/scaffold/add-attributes.js';
import { addComponent } from '../../../src/scaffold/add-component.js';
import { addType } from '../../../src/scaffold/add-type.js';
import type { NewType } from '../../../src/scaffold/add-type.js';
import { parseAttributeShorthand } from '../../../src/scaffold/attribute-shorthand.js';
import { parseTypeSource } from '../../../src/scaffold/parse-type-source.js';
import { removeAttributeFrom, removeComponent, removeType } from '../../../src/scaffold/remove.js';
import { renameAttributeIn } from '../../../src/scaffold/rename-attribute.js';
import { resolveComponent, resolveType } from '../../../src/scaffold/resolve-name.js';
import { createSchemaProject, editedDefinitions } from '../../../src/scaffold/schema-project.js';
import type { Holder, SchemaProject } from '../../../src/scaffold/schema-project.js';
import { deriveTypeNames } from '../../../src/scaffold/type-names.js';

const MAGAZINE = join(import.meta.dirname, '../../fixtures/projects/magazine');

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'schema-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

const open = async (root: string): Promise<SchemaProject> => createSchemaProject(root, await loadDefinitions(root));
const type = (project: SchemaProject, name: string) => resolveType(project.definitions.types, name);
const component = (project: SchemaProject, name: string) => resolveComponent(project.definitions.components, name);
const add = (project: SchemaProject, holder: Holder, ...shorthands: string[]) => addAttributes(project, holder, shorthands.map(parseAttributeShorthand));
const after = async (project: SchemaProject, path: string): Promise<Record<string, { [key: string]: unknown }>> =>
  (JSON.parse((await project.workspace.read(path)) ?? '{"attributes":{}}') as { attributes: Record<string, { [key: string]: unknown }> }).attributes;
const schema = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;
const errorsOf = async (project: SchemaProject): Promise<readonly string[]> =>
  buildModel(await editedDefinitions(project)).problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);

const newType = (name: string, rest: Partial<NewType> = {}): NewType => ({
  names: deriveTypeNames({ name }), kind: 'collectionType', description: '', draftAndPublish: false, localized: false, attributes: [], ...rest,
});

describe('adding attributes', () => {
  it('touches nothing else in the file: order, unknown keys and indentation stay', async () => {
    const text = '{\n    "kind": "collectionType",\n    "x-mine": [1, 2],\n    "info": {"singularName": "tag", "pluralName": "tags", "displayName": "Tag"},\n    "attributes": {\n        "name": {"type": "string", "x-note": "keep"}\n    }\n}';
    const project = await open(folderWith({ [schema('tag')]: text }));
    await add(project, type(project, 'tag'), 'weight:integer:min=0');
    expect(await project.workspace.read(schema('tag'))).toBe(text.replace('"keep"}\n', '"keep"},\n        "weight": {\n            "type": "integer",\n            "min": 0\n        }\n'));
  });

  it.each([
    ['manyToOne,target=author,inversedBy=pieces', { relation: 'manyToOne', inversedBy: 'pieces' }, { relation: 'oneToMany', mappedBy: 'link' }],
    ['manyToOne,target=authors,mappedBy=pieces', { relation: 'manyToOne', inversedBy: 'pieces' }, { relation: 'oneToMany', mappedBy: 'link' }],
    ['oneToMany,target=author,inversedBy=pieces', { relation: 'oneToMany', mappedBy: 'pieces' }, { relation: 'manyToOne', inversedBy: 'link' }],
    ['oneToOne,target=api::author.author,inversedBy=pieces', { relation: 'oneToOne', inversedBy: 'pieces' }, { relation: 'oneToOne', mappedBy: 'link' }],
    ['oneToOne,target=author,mappedBy=pieces', { relation: 'oneToOne', mappedBy: 'pieces' }, { relation: 'oneToOne', inversedBy: 'link' }],
    ['manyToMany,target=author,inversedBy=pieces', { relation: 'manyToMany', inversedBy: 'pieces' }, { relation: 'manyToMany', mappedBy: 'link' }],
    ['manyToMany,target=author,mappedBy=pieces', { relation: 'manyToMany', mappedBy: 'pieces' }, { relation: 'manyToMany', inversedBy: 'link' }],
  ])('writes both sides of %s', async (options, own, other) => {
    const project = await open(MAGAZINE);
    await add(project, type(project, 'tag'), `link:relation:${options}`);
    expect((await after(project, schema('tag')))['link']).toEqual({ type: 'relation', target: 'api::author.author', ...own });
    expect((await after(project, schema('author')))['pieces']).toEqual({ type: 'relation', target: 'api::tag.tag', ...other });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('writes one file for a relation that goes one way', async () => {
    const project = await open(MAGAZINE);
    await add(project, type(project, 'tag'), 'first:relation:oneToOne,target=article', 'all:relation:oneToMany,target=article');
    expect(project.workspace.changes().map(({ path }) => path)).toEqual([schema('tag')]);
    expect(await errorsOf(project)).toEqual([]);
  });

  it('writes both sides of a relation of a type to itself', async () => {
    const project = await open(MAGAZINE);
    await add(project, type(project, 'tag'), 'broader:relation:manyToOne,target=tag,inversedBy=narrower');
    expect((await after(project, schema('tag')))['narrower']).toEqual({ type: 'relation', relation: 'oneToMany', target: 'api::tag.tag', mappedBy: 'broader' });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('writes the other side of a polymorphic relation', async () => {
    const project = await open(MAGAZINE);
    await add(project, type(project, 'tag'), 'notes:relation:morphMany,target=profile,morphBy=about');
    expect((await after(project, schema('profile')))['about']).toEqual({ type: 'relation', relation: 'morphToMany' });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('extends a built-in type where the other side belongs to it', async () => {
    const project = await open(MAGAZINE);
    await add(project, type(project, 'article'), 'owner:relation:manyToOne,target=user,inversedBy=articles');
    const path = 'src/extensions/users-permissions/content-types/user/schema.json';
    expect(await after(project, path)).toEqual({ articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'owner' } });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('takes an other side that is there already as it is, and refuses one that is something else', async () => {
    const project = await open(MAGAZINE);
    await expect(add(project, type(project, 'tag'), 'link:relation:manyToOne,target=author,inversedBy=name')).rejects.toMatchObject({ code: 'scaffold/attribute-taken', message: expect.stringContaining('author') as string });
    await add(project, type(project, 'tag'), 'one:relation:manyToOne,target=author,inversedBy=pieces');
    await expect(add(project, type(project, 'tag'), 'two:relation:manyToOne,target=author,inversedBy=pieces')).rejects.toMatchObject({ code: 'scaffold/attribute-taken' });
  });

  it('refuses an attribute that exists, naming its line', async () => {
    const project = await open(MAGAZINE);
    await expect(add(project, type(project, 'tag'), 'name:text')).rejects.toMatchObject({ message: expect.stringMatching(/api::tag\.tag already has an attribute name \(src\/api\/tag\/.*:\d+\)/) as string });
    expect(project.workspace.changes()).toEqual([]);
  });

  it.each([
    ['x:relation:manyToOne,target=autor', 'Did you mean author?'],
    ['x:component:component=shared.sae', 'Did you mean shared.seo?'],
    ['x:dynamiczone:components=shared.seo|nope.nope', 'Known are'],
  ])('refuses %s', async (shorthand, remedy) => {
    const project = await open(MAGAZINE);
    await expect(add(project, type(project, 'tag'), shorthand)).rejects.toMatchObject({ code: 'cli/unknown-name', hint: expect.stringContaining(remedy) as string });
    expect(project.workspace.changes()).toEqual([]);
  });

  it('marks attributes of a localised type as localised, unless told otherwise, and never relations', async () => {
    const project = await open(MAGAZINE);
    await add(project, type(project, 'article'), 'lead:string', 'code:string:localized=false', 'editor:relation:oneToOne,target=author');
    const attributes = await after(project, schema('article'));
    expect(attributes['lead']).toEqual({ type: 'string', pluginOptions: { i18n: { localized: true } } });
    expect(attributes['code']).toEqual({ type: 'string', pluginOptions: { i18n: { localized: false } } });
    expect(attributes['editor']).not.toHaveProperty('pluginOptions');
  });

  it('adds to components by name, but no two-sided relation', async () => {
    const project = await open(MAGAZINE);
    await add(project, component(project, 'seo'), 'keywords:text', 'article:relation:oneToOne,target=article');
    expect(await errorsOf(project)).toEqual([]);
    await expect(add(project, component(project, 'seo'), 'x:relation:manyToOne,target=author,inversedBy=seos')).rejects.toMatchObject({ code: 'scaffold/inverse-in-component' });
  });
});

describe('adding a type', () => {
  it('writes it in the layout of the format, names derived', async () => {
    const project = await open(MAGAZINE);
    const uid = await addType(project, newType('Blog Post', { draftAndPublish: true, attributes: [parseAttributeShorthand('title:string:required')] }));
    expect(uid).toBe('api::blog-post.blog-post');
    expect(await project.workspace.read(schema('blog-post'))).toBe(`${JSON.stringify({
      kind: 'collectionType',
      collectionName: 'blog_posts',
      info: { singularName: 'blog-post', pluralName: 'blog-posts', displayName: 'Blog Post', description: '' },
      options: { draftAndPublish: true },
      pluginOptions: {},
      attributes: { title: { type: 'string', required: true } },
    }, null, 2)}\n`);
    expect(await errorsOf(project)).toEqual([]);
  });

  it('links to itself and to others in one go', async () => {
    const project = await open(MAGAZINE);
    await addType(project, newType('issue', { attributes: ['previous:relation:oneToOne,target=issue,inversedBy=next', 'articles:relation:oneToMany,target=article,mappedBy=issue'].map(parseAttributeShorthand) }));
    expect(Object.keys(await after(project, schema('issue')))).toEqual(['previous', 'next', 'articles']);
    expect((await after(project, schema('article')))['issue']).toMatchObject({ relation: 'manyToOne', inversedBy: 'articles' });
    expect(await errorsOf(project)).toEqual([]);
  });

  it('refuses a name that is taken, as singular or plural', async () => {
    const project = await open(MAGAZINE);
    for (const name of ['article', 'articles']) await expect(addType(project, newType(name))).rejects.toMatchObject({ code: 'scaffold/name-taken' });
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

  it.each([[{ name: '???' }], [{ name: 'tag', plural: 'Tags!' }], [{ name: 'tag', plural: 'tag' }], [{ name: '2nd' }]])('refuses %j', (given) => {
    expect(() => deriveTypeNames(given)).toThrow(expect.objectContaining({ code: 'scaffold/invalid-name', kind: 'usage' }) as Error);
  });

  it('takes a whole schema file, or part of one with shorthands', async () => {
    const project = await open(MAGAZINE);
    const whole = parseTypeSource(readFileSync(join(MAGAZINE, schema('tag')), 'utf8'), 'tag.json', { name: 'label' });
    expect(whole.names).toMatchObject({ singularName: 'label' });
    const part = parseTypeSource('{"info":{"displayName":"Big Thing"},"options":{"draftAndPublish":true,"x":1},"attributes":{"title":"string:required","n":{"min":1,"type":"integer"}}}', '-');
    await addType(project, part);
    expect(JSON.parse((await project.workspace.read(schema('big-thing'))) ?? '')).toMatchObject({ options: { x: 1, draftAndPublish: true }, attributes: { title: { type: 'string', required: true }, n: { type: 'integer', min: 1 } } });
  });

  it.each([['{', 'JSON'], ['[]', 'not an object'], ['{}', 'singularName'], ['{"info":{"singularName":"x"},"kind":"many"}', 'many'], ['{"info":{"singularName":"x"},"attributes":{"a":{}}}', 'has no type']])('refuses the source %s', (text, reason) => {
    expect(() => parseTypeSource(text, 'x.json')).toThrow(expect.objectContaining({ code: 'scaffold/invalid-source', message: expect.stringContaining(reason) as string }) as Error);
  });
});

describe('removing and renaming', () => {
  it('removes both sides of a relation', async () => {
    const project = await open(MAGAZINE);
    const others = await removeAttributeFrom(project, type(project, 'article'), 'author');
    expect(others.map(({ holder, attribute }) => `${holder.uid} ${attribute}`)).toEqual(['api::author.author articles']);
    expect(await after(project, schema('article'))).not.toHaveProperty('author');
    expect(await after(project, schema('author'))).not.toHaveProperty('articles');
    expect(await errorsOf(project)).toEqual([]);
  });

  it('removes a type with every relation to it, in components too', async () => {
    const project = await open(MAGAZINE);
    const relations = await removeType(project, type(project, 'tag'));
    expect(relations.map(({ holder, attribute }) => `${holder.uid} ${attribute}`).toSorted()).toEqual([
      'api::article.article tags', 'api::profile.profile favouriteTags', 'sections.related tags', 'shared.link tag',
    ]);
    expect(await project.workspace.read(schema('tag'))).toBeNull();
    expect(await errorsOf(project)).toEqual([]);
  });

  it('does not remove what is built in', async () => {
    const project = await open(MAGAZINE);
    await expect(removeType(project, type(project, 'user'))).rejects.toMatchObject({ code: 'scaffold/builtin' });
    await expect(removeAttributeFrom(project, type(project, 'user'), 'email')).rejects.toMatchObject({ code: 'scaffold/builtin' });
  });

  it('removes a component only where nobody uses it, and says who does', async () => {
    const project = await open(MAGAZINE);
    await expect(removeComponent(project, component(project, 'shared.seo'))).rejects.toMatchObject({ code: 'scaffold/in-use', message: expect.stringContaining('api::article.article seo') as string });
    await addComponent(project, { uid: 'shared.unused', attributes: [parseAttributeShorthand('a:string')] });
    expect(JSON.parse((await project.workspace.read('src/components/shared/unused.json')) ?? '')).toEqual({
      collectionName: 'components_shared_unuseds', info: { displayName: 'Unused', description: '' }, options: {}, attributes: { a: { type: 'string' } },
    });
  });

  it('renames in place and follows in what names the attribute', async () => {
    const project = await open(MAGAZINE);
    await renameAttributeIn(project, type(project, 'article'), 'title', 'headline');
    await renameAttributeIn(project, type(project, 'article'), 'author', 'writer');
    const article = await after(project, schema('article'));
    expect(Object.keys(article)[0]).toBe('headline');
    expect(article['slug']?.['targetField']).toBe('headline');
    expect((await after(project, schema('author')))['articles']?.['mappedBy']).toBe('writer');
    expect(await errorsOf(project)).toEqual([]);
  });

  it('refuses to rename onto another attribute', async () => {
    const project = await open(MAGAZINE);
    await expect(renameAttributeIn(project, type(project, 'article'), 'title', 'slug')).rejects.toMatchObject({ code: 'scaffold/attribute-taken' });
  });
});

describe('names on the command line', () => {
  it('finds types by uid, singular and plural, the project\'s own first', async () => {
    const project = await open(MAGAZINE);
    for (const name of ['article', 'articles', 'api::article.article']) expect(type(project, name).uid).toBe('api::article.article');
    expect(type(project, 'user').uid).toBe('plugin::users-permissions.user');
    expect(() => type(project, 'artcile')).toThrow(expect.objectContaining({ hint: 'Did you mean article?' }) as Error);
    expect(() => type(project, 'api::artcile.article')).toThrow(expect.objectContaining({ hint: 'Did you mean api::article.article?' }) as Error);
  });

  it('asks for the whole uid where a name is ambiguous', async () => {
    const components = [{ uid: 'a.link', name: 'link' }, { uid: 'b.link', name: 'link' }];
    expect(() => resolveComponent(components, 'link')).toThrow(expect.objectContaining({ code: 'scaffold/ambiguous-name', message: 'link may be a.link or b.link.' }) as Error);
    expect(resolveComponent(components, 'b.link').uid).toBe('b.link');
  });
});
