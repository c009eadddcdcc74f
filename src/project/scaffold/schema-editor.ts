import type { SchemaEditor, SchemaPlan } from '../../api/mcp/mcp-services.js';
import { digestOf } from '../../api/mcp/plans.js';
import { createError } from '../../errors/catalogue.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { lastSegment } from '../../lib/ids.js';
import { didYouMean } from '../../lib/nearest.js';
import { isRecord } from '../../lib/records.js';
import { NO_DECISIONS } from '../../migrations/content/content-decisions.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import { describeImpact, droppedIn, invalidIn } from '../../migrations/impact/data-impact.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import { importProjectSeed, planProject } from '../migrate/migrate-project.js';
import { openProject } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';
import { addAttributes } from './add-attributes.js';
import { addComponent, addType, parseAttributeMap, parseTypeSource } from './add-schema.js';
import { checkEdits, migrateEdits } from './commit-edits.js';
import type { SchemaEdits } from './commit-edits.js';
import { editAttribute, editType } from './edit-schema.js';
import { removeAttributeFrom, removeComponent, removeType } from './remove-schema.js';
import { renameAttributeIn, renameComponent, renameType } from './rename-schema.js';
import { resolveAttribute, resolveSchema, resolveType } from './resolve-name.js';
import { createSchemaProject, editedDefinitions } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';

type Change = Readonly<Record<string, unknown>>;

/** The edits after some changes, with the renames among them. */
interface EditState {
  readonly project: SchemaProject;
  readonly renames: readonly ContentRename[];
}

const SOURCE = 'The change';

const invalidChange = (reason: string): Error =>
  createError('scaffold/invalid-source', { source: SOURCE, reason });

const requiredText = (change: Change, key: string): string => {
  const value = change[key];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidChange(`${String(change['action'])} requires ${key}`);
};

const optionalText = (change: Change, key: string): string | undefined =>
  change[key] === undefined ? undefined : requiredText(change, key);

const optionalFlag = (change: Change, key: string): boolean | undefined => {
  const value = change[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalidChange(`${key} must be true or false`);
};

const attributesOf = (change: Change) =>
  parseAttributeMap(isRecord(change['attributes']) ? change['attributes'] : {}, SOURCE);

const addTypeTo = async (project: SchemaProject, change: Change): Promise<void> => {
  const { draftAndPublish = false, localized = false, kind = 'collection' } = change;
  if (kind !== 'collection' && kind !== 'single') throw invalidChange('kind must be collection or single');
  const source = {
    kind: kind === 'single' ? 'singleType' : 'collectionType',
    info: { description: change['description'] },
    options: { draftAndPublish },
    pluginOptions: localized === true ? { i18n: { localized } } : {},
    attributes: change['attributes'] ?? {},
  };
  const type = parseTypeSource(JSON.stringify(source), SOURCE, {
    name: requiredText(change, 'name'),
    plural: optionalText(change, 'plural'),
    displayName: optionalText(change, 'displayName'),
  });
  await addType(project, type);
};

/** Returns the options of an edit in the form of `cms field edit`. */
const attributeEditOf = (change: Change) => {
  const { set = {}, unset = [] } = change;
  if (!isRecord(set) || !Array.isArray(unset)) throw invalidChange('set must be an object, and unset a list');
  const { type, ...options } = set;
  return {
    type: typeof type === 'string' ? type : undefined,
    options: Object.entries(options).map(([key, value]) => ({
      key,
      value: Array.isArray(value) ? value.map(String).join('|') : String(value),
    })),
    unset: unset.map(String),
  };
};

const attributeRename = (uid: string, isType: boolean, from: string, to: string): ContentRename =>
  isType
    ? { kind: 'attribute', type: uid, from, to }
    : { kind: 'component-attribute', component: uid, from, to };

type Apply = (project: SchemaProject, change: Change) => Promise<readonly ContentRename[]>;

const NO_RENAMES: readonly ContentRename[] = [];

const ACTIONS: Readonly<Record<string, Apply>> = {
  addType: async (project, change) => {
    await addTypeTo(project, change);
    return NO_RENAMES;
  },
  addComponent: async (project, change) => {
    const uid = requiredText(change, 'name');
    const [displayName, description] = [
      optionalText(change, 'displayName'),
      optionalText(change, 'description'),
    ];
    await addComponent(project, { uid, displayName, description, attributes: attributesOf(change) });
    return NO_RENAMES;
  },
  addAttributes: async (project, change) => {
    const schema = resolveSchema(project.definitions, requiredText(change, 'type'));
    await addAttributes(project, schema, attributesOf(change));
    return NO_RENAMES;
  },
  editAttribute: async (project, change) => {
    const schema = resolveSchema(project.definitions, requiredText(change, 'type'));
    const name = resolveAttribute(schema, requiredText(change, 'attribute'));
    await editAttribute(project, schema, name, attributeEditOf(change));
    return NO_RENAMES;
  },
  renameAttribute: async (project, change) => {
    const schema = resolveSchema(project.definitions, requiredText(change, 'type'));
    const [from, to] = [
      resolveAttribute(schema, requiredText(change, 'attribute')),
      requiredText(change, 'to'),
    ];
    await renameAttributeIn(project, schema, from, to);
    return [attributeRename(schema.uid, 'kind' in schema, from, to)];
  },
  removeAttribute: async (project, change) => {
    const schema = resolveSchema(project.definitions, requiredText(change, 'type'));
    await removeAttributeFrom(project, schema, resolveAttribute(schema, requiredText(change, 'attribute')));
    return NO_RENAMES;
  },
  editType: async (project, change) => {
    await editType(project, resolveType(project.definitions.types, requiredText(change, 'type')), {
      displayName: optionalText(change, 'displayName'),
      description: optionalText(change, 'description'),
      pluralName: optionalText(change, 'plural'),
      draftAndPublish: optionalFlag(change, 'draftAndPublish'),
      localized: optionalFlag(change, 'localized'),
    });
    return NO_RENAMES;
  },
  renameType: async (project, change) => {
    const schema = resolveSchema(project.definitions, requiredText(change, 'type'));
    const to = requiredText(change, 'to');
    if (!('kind' in schema)) {
      await renameComponent(project, schema, to);
      return [{ kind: 'component', from: schema.uid, to }];
    }
    const uid = await renameType(project, schema, { name: to, plural: optionalText(change, 'plural') });
    return [{ kind: 'type', from: schema.uid, to: uid }];
  },
  removeType: async (project, change) => {
    const schema = resolveSchema(project.definitions, requiredText(change, 'type'));
    await ('kind' in schema ? removeType(project, schema) : removeComponent(project, schema));
    return NO_RENAMES;
  },
};

/** Applies one change. The next one sees its types and attributes. */
const applyChange = async ({ project, renames }: EditState, change: Change): Promise<EditState> => {
  const action = String(change['action']);
  const apply = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  const names = Object.keys(ACTIONS);
  if (apply === undefined)
    throw invalidChange(
      `there is no action ${action}. ${didYouMean(action, names, `Valid are ${names.join(', ')}.`)}`,
    );
  const added = await apply(project, change);
  const definitions = await editedDefinitions(project);
  return { project: { ...project, definitions }, renames: [...renames, ...added] };
};

interface PlannedEdits {
  readonly edits: SchemaEdits;
  readonly plan: Plan;
  readonly printed: SchemaPlan;
}

const printPlan = ({ changes }: SchemaEdits, plan: Plan): SchemaPlan => {
  const { sql, impact } = plan;
  return {
    files: changes.map((change) => ({ path: change.path, diff: printUnifiedDiff(change) })),
    sql,
    impact: impact.map((each) => describeImpact(each) + (each.remedy === null ? '' : `; ${each.remedy}`)),
    isDestructive: droppedIn(impact).length + invalidIn(impact).length > 0,
    state: digestOf([changes, sql, impact]),
  };
};

const planChanges = async (project: Project, changes: readonly Change[]): Promise<PlannedEdits> => {
  let state: EditState = { project: createSchemaProject(project.root, project.definitions), renames: [] };
  for (const change of changes) state = await applyChange(state, change);
  const edits = await checkEdits(project, state.project, () => undefined);
  const plan = await planProject(edits.after, { ...NO_DECISIONS, renames: state.renames });
  return { edits, plan, printed: printPlan(edits, plan) };
};

const labelOf = (changes: readonly Change[]): string => {
  const [first = {}] = changes;
  const name = [first['name'], first['type']].find((value) => typeof value === 'string') ?? 'content types';
  return changes.length === 1
    ? `${String(first['action'])} ${lastSegment(String(name))}`
    : 'change content types';
};

/**
 * Creates the editor of a project's content-types for clients. A plan and its application both start from the
 * files, so that an edit in between is noticed.
 */
export function createSchemaEditor(root: string): SchemaEditor {
  return {
    plan: async (changes) => (await planChanges(await openProject(root), changes)).printed,
    apply: async (changes, state) => {
      const { edits, plan, printed } = await planChanges(await openProject(root), changes);
      if (printed.state !== state) return null;
      const { name } = await migrateEdits(edits, plan, {
        label: labelOf(changes),
        acceptsDataLoss: true,
        acceptsInvalid: true,
      });
      await importProjectSeed(edits.after);
      return { files: edits.changes.map(({ path }) => path), migration: name };
    },
  };
}
