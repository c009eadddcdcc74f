import { describe, expect, it } from 'vitest';
import { NO_PLUGIN_CODE } from '../../../../src/model/content-types/definition.js';
import { loadDefinitions } from '../../../../src/model/content-types/load-definitions.js';
import { editType } from '../../../../src/project/scaffold/edit-schema.js';
import {
  removeComponent,
  removeAttributeFrom,
  removeType,
} from '../../../../src/project/scaffold/remove-schema.js';
import {
  renameAttributeIn,
  renameComponent,
  renameType,
} from '../../../../src/project/scaffold/rename-schema.js';
import { createSchemaProject, editedDefinitions } from '../../../../src/project/scaffold/schema-project.js';
import type { SchemaProject } from '../../../../src/project/scaffold/schema-project.js';
import { add, component, createProjectFolder, schemaPath, type } from './support/edit-schemas.js';

const typeOf = (name: string, plural: string, attributes: object): Readonly<Record<string, unknown>> => ({
  kind: 'collectionType',
  collectionName: plural,
  info: { singularName: name, pluralName: plural, displayName: name },
  attributes,
});

const LEAF = 'src/api/leaf/content-types/leaf/schema.js';
const MARK = 'src/components/parts/mark.js';

/** A tag in JSON, and in code a leaf that refers to it and a component. */
const openProject = async (): Promise<SchemaProject> => {
  const tag = typeOf('tag', 'tags', {
    name: { type: 'string' },
    leaves: { type: 'relation', relation: 'oneToMany', target: 'api::leaf.leaf', mappedBy: 'tag' },
  });
  const root = createProjectFolder({ [schemaPath('tag')]: JSON.stringify(tag) });
  const leaf = typeOf('leaf', 'leaves', {
    name: { type: 'string' },
    tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', inversedBy: 'leaves' },
  });
  const mark = {
    collectionName: 'marks',
    info: { displayName: 'Mark' },
    attributes: { x: { type: 'string' } },
  };
  const schemas = [
    { uid: 'api::leaf.leaf', schema: leaf, file: LEAF, text: null },
    { uid: 'parts.mark', schema: mark, file: MARK, text: null },
  ];
  return createSchemaProject(root, await loadDefinitions(root, { ...NO_PLUGIN_CODE, schemas }));
};

type Edit = (project: SchemaProject) => Promise<unknown>;

const EDITS: readonly (readonly [string, Edit])[] = [
  ['adding an attribute', (project) => add(project, type(project, 'leaf'), 'size:integer')],
  [
    'adding the other end of a relation',
    (project) => add(project, type(project, 'tag'), 'leaf:relation:oneToOne,target=leaf,inversedBy=owner'),
  ],
  ['renaming an attribute', (project) => renameAttributeIn(project, type(project, 'leaf'), 'name', 'title')],
  ['removing an attribute', (project) => removeAttributeFrom(project, type(project, 'leaf'), 'name')],
  ['editing it', (project) => editType(project, type(project, 'leaf'), { displayName: 'Page' })],
  ['renaming it', (project) => renameType(project, type(project, 'leaf'), { name: 'page' })],
  ['removing it', (project) => removeType(project, type(project, 'leaf'))],
  [
    'renaming an attribute that it refers to',
    (project) => renameAttributeIn(project, type(project, 'tag'), 'leaves', 'pages'),
  ],
  [
    'renaming a type that it refers to',
    (project) => renameType(project, type(project, 'tag'), { name: 'label' }),
  ],
  ['removing a type that it refers to', (project) => removeType(project, type(project, 'tag'))],
];

describe('a schema that code defines', () => {
  it.each(EDITS)('is not changed by %s', async (_name, edit) => {
    const project = await openProject();
    await expect(edit(project)).rejects.toMatchObject({
      code: 'scaffold/code-not-editable',
      message: `api::leaf.leaf is defined by code in ${LEAF}, which commands do not change.`,
    });
  });

  it('is not changed where it is a component', async () => {
    const project = await openProject();
    const mark = component(project, 'parts.mark');
    const refused = { code: 'scaffold/code-not-editable', message: expect.stringContaining(MARK) as string };
    await expect(removeComponent(project, mark)).rejects.toMatchObject(refused);
    await expect(renameComponent(project, mark, 'parts.spot')).rejects.toMatchObject(refused);
  });

  it('stays part of the project while others are edited', async () => {
    const project = await openProject();
    await renameAttributeIn(project, type(project, 'tag'), 'name', 'title');
    expect(project.workspace.changes().map(({ path }) => path)).toEqual([schemaPath('tag')]);
    const { types, components, problems } = await editedDefinitions(project);
    expect(problems).toEqual([]);
    expect(types.map(({ uid }) => uid)).toContain('api::leaf.leaf');
    expect(components.map(({ uid }) => uid)).toEqual(['parts.mark']);
  });
});
