import type { ActionGroup } from '../../access/permissions/actions.js';
import { findProjectRoot } from '../../config/project-root.js';
import { ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import type { AttributeDefinition, Definitions } from '../../model/content-types/definition.js';
import type { ContentModel, Uid } from '../../model/model.js';

/** The names of a project. Lists are loaded when requested. A list that cannot be loaded is empty. */
export interface ProjectNames {
  /** The short names of the project's types, and the uids of all types. */
  readonly types: () => Promise<readonly string[]>;
  readonly components: () => Promise<readonly string[]>;
  /** The attributes of a type, by its uid or short name. */
  readonly fields: (type: string) => Promise<readonly string[]>;
  readonly roles: () => Promise<readonly string[]>;
  readonly locales: () => Promise<readonly string[]>;
  /** The project's remote servers. */
  readonly remotes: () => Promise<readonly string[]>;
  readonly tokens: () => Promise<readonly string[]>;
  /** User names that start with the prefix. E-mail addresses where the prefix contains an @. */
  readonly users: (prefix: string) => Promise<readonly string[]>;
  /**
   * Types and plugins' controllers that have permissions: the short names of the project's types, and all
   * uids.
   */
  readonly grantables: () => Promise<readonly string[]>;
  /** The grantable actions of one of them. */
  readonly actions: (type: string) => Promise<readonly string[]>;
  /** `article.find`, `article.*`, `api::article.article.find` */
  readonly permissions: () => Promise<readonly string[]>;
}

const noNames = async (): Promise<readonly string[]> => [];

const NO_NAMES: ProjectNames = Object.freeze({
  types: noNames,
  components: noNames,
  fields: noNames,
  roles: noNames,
  locales: noNames,
  remotes: noNames,
  tokens: noNames,
  users: noNames,
  grantables: noNames,
  actions: noNames,
  permissions: noNames,
});

const attributeNames = (attributes: readonly AttributeDefinition[] = []): readonly string[] =>
  attributes.map(({ name }) => name);

const attributeNamesOf = ({ types, components }: Definitions, schemaName: string): readonly string[] => {
  const type = types.find(({ uid, singularName }) => uid === schemaName || singularName === schemaName);
  return attributeNames(type?.attributes ?? components.find(({ uid }) => uid === schemaName)?.attributes);
};

/** Loads the project's content-types, without parts of configuration and plugins that fail to load. */
export async function loadDefinitions(root: string): Promise<Definitions> {
  const [{ loadProjectConfig }, { loadDefinitionsTolerantly }] = await Promise.all([
    import('../../config/load-config.js'),
    import('../../project/open/load-project-definitions.js'),
  ]);
  const values = await loadProjectConfig(root).then(
    ({ strapi }) => strapi.values,
    () => ({}),
  );
  return loadDefinitionsTolerantly(root, { values }, () => undefined);
}

/** Builds the project's model, ignoring mistakes in schema files if possible. Otherwise returns null. */
const loadModel = async (root: string): Promise<ContentModel | null> => {
  const { buildModel } = await import('../../model/build-model.js');
  return buildModel(await loadDefinitions(root)).model;
};

interface NamedActionGroup {
  /** The short name, if there is one, and the uid. */
  readonly names: readonly string[];
  readonly actions: readonly string[];
}

/** Returns the actions that a role or a token can be granted. */
const nameActionGroups = async (
  model: ContentModel | null,
  holder: 'role' | 'token',
): Promise<readonly NamedActionGroup[]> => {
  if (model === null) return [];
  const { allActionsOf, listActionGroups, listTokenActionGroups } =
    await import('../../access/permissions/actions.js');
  const shortName = ({ uid }: ActionGroup): readonly string[] =>
    model.types
      .filter((type) => type.uid === uid && type.origin === 'project')
      .map(({ singularName }) => singularName);
  const groups = holder === 'role' ? listActionGroups(model) : listTokenActionGroups(model);
  return groups.map((group) => ({
    names: [...shortName(group), group.uid],
    actions: allActionsOf(group),
  }));
};

/** The lists that are read from the database. */
const openDatabaseNames = (root: string): Pick<ProjectNames, 'roles' | 'locales' | 'tokens' | 'users'> => {
  const read = async (table: string, column: string, prefix?: string): Promise<readonly string[]> => {
    const [{ loadConfig }, { readNames }] = await Promise.all([
      import('../../config/load-config.js'),
      import('./database-names.js'),
    ]);
    return loadConfig(root).then(
      (config) => readNames(config, { table, column, prefix }),
      () => [],
    );
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

/**
 * Returns the names of the project that `folder` belongs to. Outside a project all lists are empty. Loads
 * nothing before the first request.
 */
export function openProjectNames(folder: string): ProjectNames {
  const root = findProjectRoot(folder);
  if (root === undefined) return NO_NAMES;
  // Loaded on request: most completions are of commands and flags, and the user waits for each one.
  const definitions = (): Promise<Definitions> => loadDefinitions(root);
  const groups = async (holder: 'role' | 'token' = 'role'): Promise<readonly NamedActionGroup[]> =>
    nameActionGroups(await loadModel(root), holder);
  return {
    types: async () =>
      (await definitions()).types.flatMap(({ uid, singularName, origin }) =>
        origin === 'project' ? [singularName, uid] : [uid],
      ),
    components: async () => (await definitions()).components.map(({ uid }) => uid),
    fields: async (type) => attributeNamesOf(await definitions(), type),
    ...openDatabaseNames(root),
    remotes: async () => {
      const { loadRemotes } = await import('../../transfer/remote/remotes.js');
      return loadRemotes(root).then(
        (remotes) => remotes.map(({ name }) => name),
        () => [],
      );
    },
    grantables: async () => (await groups()).flatMap(({ names }) => names),
    actions: async (type) => (await groups()).find(({ names }) => names.includes(type))?.actions ?? [],
    permissions: async () =>
      (await groups('token')).flatMap(({ names, actions }) =>
        names.flatMap((name) => [...actions, '*'].map((action) => `${name}.${action}`)),
      ),
  };
}
