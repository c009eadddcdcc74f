import type { ActionGroup } from '../../../access/actions.js';
import { findProjectRoot } from '../../../config/find-project-root.js';
import { ROLE_UID, USER_UID } from '../../../content-types/builtin/registry.js';
import type { AttributeDefinition, Definitions } from '../../../content-types/definition.js';
import type { ContentModel, Uid } from '../../../model/model.js';

/** Names that exist in the project at hand. Each list is asked for only when it is offered; a list that cannot be had is empty. */
export interface ProjectNames {
  /** Short names of the project's own types, and the uids of all. */
  readonly types: () => Promise<readonly string[]>;
  readonly components: () => Promise<readonly string[]>;
  /** Attributes of a type, given by uid or short name. */
  readonly fields: (type: string) => Promise<readonly string[]>;
  readonly roles: () => Promise<readonly string[]>;
  readonly locales: () => Promise<readonly string[]>;
  readonly tokens: () => Promise<readonly string[]>;
  /** Users whose name begins like that; their addresses, once there is an @ in it. */
  readonly users: (prefix: string) => Promise<readonly string[]>;
  /** Types and plugins' controllers that something may be granted on: short names of the project's own types, and the uids of all. */
  readonly grantables: () => Promise<readonly string[]>;
  /** Actions that may be granted on one of them. */
  readonly actions: (type: string) => Promise<readonly string[]>;
  /** `article.find`, `article.*`, `api::article.article.find` */
  readonly permissions: () => Promise<readonly string[]>;
}

const none = async (): Promise<readonly string[]> => [];

const NO_NAMES: ProjectNames = Object.freeze({
  types: none, components: none, fields: none, roles: none, locales: none, tokens: none, users: none, grantables: none, actions: none, permissions: none,
});

const namesOf = (attributes: readonly AttributeDefinition[] = []): readonly string[] => attributes.map(({ name }) => name);

const attributesOf = ({ types, components }: Definitions, holder: string): readonly string[] => {
  const type = types.find(({ uid, singularName }) => uid === holder || singularName === holder);
  return namesOf(type?.attributes ?? components.find(({ uid }) => uid === holder)?.attributes);
};

/** The model of a project, however wrong its schema files are; null where they are too wrong for one. */
const loadModel = async (root: string): Promise<ContentModel | null> => {
  const [{ loadDefinitions }, { buildModel }] = await Promise.all([import('../../../content-types/load.js'), import('../../../model/build-model.js')]);
  return buildModel(await loadDefinitions(root)).model;
};

interface NamedGroup {
  /** Its short name, where it has one, and its uid. */
  readonly names: readonly string[];
  readonly actions: readonly string[];
}

const nameGroups = async (model: ContentModel | null): Promise<readonly NamedGroup[]> => {
  if (model === null) return [];
  const { listActionGroups } = await import('../../../access/actions.js');
  const shortName = ({ uid }: ActionGroup): readonly string[] => model.types.filter((type) => type.uid === uid && type.origin === 'project').map(({ singularName }) => singularName);
  return listActionGroups(model).map((group) => ({ names: [...shortName(group), group.uid], actions: group.actions }));
};

/** Names that stand in the database. */
const openDatabaseNames = (root: string): Pick<ProjectNames, 'roles' | 'locales' | 'tokens' | 'users'> => {
  const read = async (table: string, column: string, prefix?: string): Promise<readonly string[]> => {
    const [{ loadConfig }, { readNames }] = await Promise.all([import('../../../config/load-config.js'), import('./database-names.js')]);
    return loadConfig(root).then((config) => readNames(config, { table, column, prefix }), () => []);
  };
  const readType = async (uid: Uid, column: string, prefix?: string): Promise<readonly string[]> => {
    const table = (await loadModel(root))?.typesByUid[uid]?.storage.version.table;
    return table === undefined ? [] : read(table, column, prefix);
  };
  return {
    roles: () => readType(ROLE_UID, 'type'),
    locales: () => read('cms_locales', 'code'),
    tokens: () => read('cms_api_tokens', 'name'),
    users: (prefix) => readType(USER_UID, prefix.includes('@') ? 'email' : 'username', prefix),
  };
};

/** The names of the project that `folder` belongs to; outside one, nothing exists. Opens nothing before a list is asked for. */
export function openProjectNames(folder: string): ProjectNames {
  const root = findProjectRoot(folder);
  if (root === undefined) return NO_NAMES;
  // Loaded only now: most completions are of commands and flags, and every key press waits for them.
  const definitions = async (): Promise<Definitions> => (await import('../../../content-types/load.js')).loadDefinitions(root);
  const groups = async (): Promise<readonly NamedGroup[]> => nameGroups(await loadModel(root));
  return {
    types: async () => (await definitions()).types.flatMap(({ uid, singularName, origin }) => (origin === 'project' ? [singularName, uid] : [uid])),
    components: async () => (await definitions()).components.map(({ uid }) => uid),
    fields: async (type) => attributesOf(await definitions(), type),
    ...openDatabaseNames(root),
    grantables: async () => (await groups()).flatMap(({ names }) => names),
    actions: async (type) => (await groups()).find(({ names }) => names.includes(type))?.actions ?? [],
    permissions: async () => (await groups()).flatMap(({ names, actions }) => names.flatMap((name) => [...actions, '*'].map((action) => `${name}.${action}`))),
  };
}
