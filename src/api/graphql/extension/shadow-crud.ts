import { createError } from '../../../errors/catalogue.js';
import type { ContentSchema, ContentModel, Uid } from '../../../model/model.js';
import { isContentType, LOCALIZATIONS } from '../../../query/schema-fields.js';
import { LOCALE_TYPE } from '../schema/locale-type.js';
import type { SchemaAction, SchemaSwitches } from '../schema/type-registry.js';

/** Switches of one field of a content-type or component. `disable…` functions return the same switches. */
export interface FieldSwitches {
  /** Removes the field from the schema. */
  readonly disable: () => FieldSwitches;
  readonly disableOutput: () => FieldSwitches;
  readonly disableInput: () => FieldSwitches;
  readonly disableFilters: () => FieldSwitches;
  readonly isEnabled: () => boolean;
  readonly isDisabled: () => boolean;
  readonly hasInputEnabled: () => boolean;
  readonly hasOutputEnabled: () => boolean;
  readonly hasFiltersEnabled: () => boolean;
}

/** Switches of one content-type or component. `disable…` functions return the same switches. */
export interface TypeSwitches {
  /** Removes the type from the schema, and every field that refers to it. */
  readonly disable: () => TypeSwitches;
  readonly disableQueries: () => TypeSwitches;
  readonly disableMutations: () => TypeSwitches;
  /** `find`, `findOne`, `aggregate`, `create`, `update` or `delete`. */
  readonly disableAction: (action: string) => TypeSwitches;
  readonly disableActions: (actions: readonly string[]) => TypeSwitches;
  /** An attribute or a system field. */
  readonly field: (name: string) => FieldSwitches;
  readonly isEnabled: () => boolean;
  readonly isDisabled: () => boolean;
  readonly areQueriesEnabled: () => boolean;
  readonly areQueriesDisabled: () => boolean;
  readonly areMutationsEnabled: () => boolean;
  readonly areMutationsDisabled: () => boolean;
  readonly isActionEnabled: (action: string) => boolean;
  readonly isActionDisabled: (action: string) => boolean;
}

const QUERIES: readonly SchemaAction[] = ['find', 'findOne', 'aggregate'];
const MUTATIONS: readonly SchemaAction[] = ['create', 'update', 'delete'];
const ACTIONS: readonly string[] = [...QUERIES, ...MUTATIONS];

type Aspect = 'field' | 'output' | 'input' | 'filters';

interface TypeState {
  readonly contentSchema: ContentSchema;
  /** Disabled parts: `type`, `queries`, `mutations` and single actions. */
  readonly disabled: Set<string>;
  /** Disabled aspects, by field. */
  readonly fields: Map<string, Set<Aspect>>;
}

const fieldNamesOf = (contentSchema: ContentSchema): readonly string[] => {
  const attributeNames = Object.keys(contentSchema.attributes);
  if (!isContentType(contentSchema)) return attributeNames;
  const systemFieldNames = [
    'documentId',
    'createdAt',
    'updatedAt',
    'publishedAt',
    'locale',
    ...(contentSchema.localized ? [LOCALIZATIONS] : []),
  ];
  return [...new Set([...attributeNames, ...systemFieldNames])];
};

const createFieldSwitches = (disabled: Set<Aspect>): FieldSwitches => {
  const disable = (...aspects: readonly Aspect[]): FieldSwitches => {
    for (const aspect of aspects) disabled.add(aspect);
    return switches;
  };
  const switches: FieldSwitches = Object.freeze({
    disable: () => disable('field', 'output', 'input', 'filters'),
    disableOutput: () => disable('output'),
    disableInput: () => disable('input'),
    disableFilters: () => disable('filters'),
    isEnabled: () => !disabled.has('field'),
    isDisabled: () => disabled.has('field'),
    hasInputEnabled: () => !disabled.has('input'),
    hasOutputEnabled: () => !disabled.has('output'),
    hasFiltersEnabled: () => !disabled.has('filters'),
  });
  return switches;
};

const assertAction = ({ contentSchema: { uid } }: TypeState, action: string): void => {
  if (!ACTIONS.includes(action))
    throw createError('graphql/unknown-action', { uid, action, allowed: ACTIONS.join(', ') });
};

const fieldSwitchesOf = ({ contentSchema, fields }: TypeState, name: string): FieldSwitches => {
  const names = fieldNamesOf(contentSchema);
  if (!names.includes(name))
    throw createError('graphql/unknown-field', {
      uid: contentSchema.uid,
      field: name,
      allowed: names.join(', '),
    });
  const disabled = fields.get(name) ?? new Set<Aspect>();
  fields.set(name, disabled);
  return createFieldSwitches(disabled);
};

const createTypeSwitches = (state: TypeState): TypeSwitches => {
  const { disabled } = state;
  const disable = (name: string): TypeSwitches => {
    disabled.add(name);
    return switches;
  };
  const isDisabledAction = (action: string): boolean => {
    assertAction(state, action);
    return disabled.has(action);
  };
  const switches: TypeSwitches = Object.freeze<TypeSwitches>({
    disable: () => disable('type'),
    disableQueries: () => disable('queries'),
    disableMutations: () => disable('mutations'),
    disableAction: (action) => {
      assertAction(state, action);
      return disable(action);
    },
    disableActions: (actions) => {
      for (const action of actions) switches.disableAction(action);
      return switches;
    },
    field: (name) => fieldSwitchesOf(state, name),
    isEnabled: () => !disabled.has('type'),
    isDisabled: () => disabled.has('type'),
    areQueriesEnabled: () => !disabled.has('queries'),
    areQueriesDisabled: () => disabled.has('queries'),
    areMutationsEnabled: () => !disabled.has('mutations'),
    areMutationsDisabled: () => disabled.has('mutations'),
    isActionEnabled: (action) => !isDisabledAction(action),
    isActionDisabled: isDisabledAction,
  });
  return switches;
};

/** The switches of all types and components. Initially, everything is enabled. */
export interface ShadowCrud {
  /**
   * Returns the switches of a content-type or component.
   *
   * @throws `graphql/unknown-type`. The switches throw `graphql/unknown-field` and `graphql/unknown-action`.
   */
  readonly forType: (uid: Uid) => TypeSwitches;
  /** The state of the switches, for building the schema. */
  readonly switches: SchemaSwitches;
}

export function createShadowCrud(model: ContentModel): ShadowCrud {
  const states = new Map<Uid, TypeState>();
  const contentSchemas = [...model.types, LOCALE_TYPE, ...model.components];
  const isFieldEnabled = (contentSchema: ContentSchema, name: string, aspect: Aspect): boolean =>
    states.get(contentSchema.uid)?.fields.get(name)?.has(aspect) !== true;
  const getOrCreateState = (uid: Uid): TypeState => {
    const existing = states.get(uid);
    if (existing !== undefined) return existing;
    // Plugins disable Strapi's internal types, such as the folders of files.
    const ofPlugin = /^(?:plugin|admin)::/.test(uid) ? { ...LOCALE_TYPE, uid } : undefined;
    const contentSchema = contentSchemas.find((candidate) => candidate.uid === uid) ?? ofPlugin;
    if (contentSchema === undefined)
      throw createError('graphql/unknown-type', {
        uid,
        allowed: contentSchemas.map((candidate) => candidate.uid).join(', '),
      });
    const state: TypeState = { contentSchema, disabled: new Set(), fields: new Map() };
    states.set(uid, state);
    return state;
  };
  return {
    forType: (uid) => createTypeSwitches(getOrCreateState(uid)),
    switches: {
      hasType: ({ uid }) => states.get(uid)?.disabled.has('type') !== true,
      hasAction: ({ uid }, action) => {
        const disabled = states.get(uid)?.disabled;
        return (
          disabled === undefined ||
          !(disabled.has(action) || disabled.has(QUERIES.includes(action) ? 'queries' : 'mutations'))
        );
      },
      hasOutput: (contentSchema, name) => isFieldEnabled(contentSchema, name, 'output'),
      hasInput: (contentSchema, name) => isFieldEnabled(contentSchema, name, 'input'),
      hasFilters: (contentSchema, name) => isFieldEnabled(contentSchema, name, 'filters'),
    },
  };
}
