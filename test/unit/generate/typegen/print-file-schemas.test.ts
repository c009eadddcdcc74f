import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addComponent, addType } from '../../../../src/project/scaffold/add-schema.js';
import { parseAttributeShorthand } from '../../../../src/project/scaffold/attribute-shorthand.js';
import { createSchemaProject } from '../../../../src/project/scaffold/schema-project.js';
import { deriveTypeNames } from '../../../../src/project/scaffold/type-names.js';
import { FILE_SCHEMAS, printFileSchemas } from '../../../../src/generate/typegen/print-file-schemas.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Checks bodies of requests by the schemas. */
let validator: FastifyInstance;
beforeAll(async () => {
  const customOptions = {
    removeAdditional: false,
    coerceTypes: false,
    strict: false,
    allErrors: true,
  } as const;
  validator = Fastify({ ajv: { customOptions } });
  for (const { path, text } of printFileSchemas())
    validator.post(`/${path}`, { schema: { body: JSON.parse(text) as object } }, async () => 'valid');
  await validator.ready();
});
afterAll(() => validator.close());

const errorsOf = async (schema: string, value: unknown): Promise<string> => {
  const { body, statusCode } = await validator.inject({
    method: 'POST',
    url: `/${schema}`,
    payload: value as object,
  });
  return statusCode === 200 ? '' : body;
};

/** The schema files below a folder that hold whole content-types and components. */
const schemaFiles = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /src\/(api\/.*\/schema|components\/[^/]+\/[^/]+)\.json$/.test(path))
    .map((path) => join(folder, path));

const schemaOf = (path: string): string =>
  path.includes('src/components/') ? FILE_SCHEMAS.component : FILE_SCHEMAS.contentType;

const TYPE = {
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { title: { type: 'string', required: true, maxLength: 20 } },
};
const withAttribute = (attribute: unknown): unknown => ({ ...TYPE, attributes: { it: attribute } });

describe('the JSON Schemas of schema files', () => {
  it.each(['templates', 'test/fixtures/projects'])('accept every file in %s', async (folder) => {
    const files = schemaFiles(folder);
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const value: unknown = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
      expect(await errorsOf(schemaOf(file), value), file).toBe('');
    }
  });

  it.each(schemaFiles('templates'))('are named by %s', (file) => {
    const { $schema } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { $schema: string };
    const project = join(ROOT, file.slice(0, file.indexOf('/src/')));
    expect(relative(project, resolve(dirname(join(ROOT, file)), $schema))).toBe(schemaOf(file));
  });

  it('accept what is scaffolded, which names them', async () => {
    const project = createSchemaProject('/nowhere', {
      types: [],
      components: [],
      problems: [],
      unreadable: [],
    });
    const shorthands = [
      'title:string:required,maxLength=20',
      'size:integer:min=1',
      'kind:enumeration:enum=a|b',
    ];
    const attributes = shorthands.map((shorthand) => parseAttributeShorthand(shorthand));
    await addType(project, {
      names: deriveTypeNames({ name: 'note' }),
      kind: 'collectionType',
      description: '',
      draftAndPublish: true,
      localized: true,
      attributes,
    });
    await addComponent(project, { uid: 'shared.box', attributes });
    const changes = project.workspace.changes();
    expect(changes).toHaveLength(2);
    for (const { path, after } of changes) {
      const value = JSON.parse(after ?? '') as { $schema: string };
      expect(join(dirname(path), value.$schema)).toBe(schemaOf(path));
      expect(await errorsOf(schemaOf(path), value)).toBe('');
    }
  });

  it('accept the caller as default of a relation', async () => {
    const owner = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' };
    const value = withAttribute({ ...owner, default: '$caller' });
    expect(await errorsOf(FILE_SCHEMAS.contentType, value)).toBe('');
  });

  it.each([
    ['an unknown key', { ...TYPE, atributes: {} }],
    ['no names', { ...TYPE, info: {} }],
    ['a name with capitals', { ...TYPE, info: { ...TYPE.info, singularName: 'Note' } }],
    ['an unknown kind', { ...TYPE, kind: 'collection' }],
    ['draftAndPublish as text', { ...TYPE, options: { draftAndPublish: 'yes' } }],
    ['an attribute with a space in its name', { ...TYPE, attributes: { 'a b': { type: 'string' } } }],
    ['an attribute without a type', withAttribute({ required: true })],
    ['an unknown attribute type', withAttribute({ type: 'sting' })],
    ['an unknown option', withAttribute({ type: 'string', requird: true })],
    ['an option of another type', withAttribute({ type: 'boolean', maxLength: 3 })],
    ['an option of the wrong form', withAttribute({ type: 'string', required: 'yes' })],
    ['a negative length', withAttribute({ type: 'string', minLength: -1 })],
    ['a bound that is no number', withAttribute({ type: 'integer', min: 'one' })],
    ['an enumeration without values', withAttribute({ type: 'enumeration' })],
    ['an unknown relation', withAttribute({ type: 'relation', relation: 'oneToSome', target: 'api::a.a' })],
    [
      'another default of a relation',
      withAttribute({ type: 'relation', relation: 'oneToOne', target: 'api::a.a', default: 'me' }),
    ],
    ['a relation without a target', withAttribute({ type: 'relation', relation: 'oneToOne' })],
    ['a zone without components', withAttribute({ type: 'dynamiczone' })],
    ['an unknown kind of media', withAttribute({ type: 'media', allowedTypes: ['pictures'] })],
  ])('refuse %s', async (_, value) => {
    expect(await errorsOf(FILE_SCHEMAS.contentType, value)).not.toBe('');
  });

  it('accept what a relation to any type, and a custom field, may hold', async () => {
    expect(await errorsOf(FILE_SCHEMAS.contentType, TYPE)).toBe('');
    const custom = { type: 'customField', customField: 'plugin::color-picker.color', regex: '^#' };
    for (const attribute of [{ type: 'relation', relation: 'morphToMany' }, custom])
      expect(await errorsOf(FILE_SCHEMAS.contentType, withAttribute(attribute))).toBe('');
  });
});
