import { fail } from '../../errors/catalogue.js';
import type { AttributeHolder, ContentModel, Uid } from '../../model/model.js';
import { isContentType, LOCALIZATIONS } from '../../query/holder-fields.js';
import type { Action } from '../resolvers/granted.js';
import { LOCALE_TYPE } from '../schema/locale-type.js';
import type { SchemaSwitches } from '../schema/switches.js';

/** Switches of one field of a content-type or component; every function that switches answers the same switches again. */
export interface FieldSwitches {
  /** Takes the field out of the schema altogether. */
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

/** Switches of one content-type or component; every function that switches answers the same switches again. */
export interface TypeSwitches {
  /** Takes the type out of the schema, with everything that refers to it. */
  readonly disable: () => TypeSwitches;
  readonly disableQueries: () => TypeSwitches;
  readonly disableMutations: () => TypeSwitches;
  /** `find`, `findOne`, `create`, `update` or `delete`. */
  readonly disableAction: (action: string) => TypeSwitches;
  readonly disableActions: (actions: readonly string[]) => TypeSwitches;
  /** An attribute, or a field that every document has. */
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

const QUERIES: readonly Action[] = ['find', 'findOne'];
const MUTATIONS: readonly Action[] = ['create', 'update', 'delete'];
const ACTIONS: readonly string[] = [...QUERIES, ...MUTATIONS];

type Aspect = 'field' | 'output' | 'input' | 'filters';

interface TypeState {
  readonly holder: AttributeHolder;
  /** `type`, `queries`, `mutations`, and actions that are off. */
  readonly off: Set<string>;
  /** By field. */
  readonly fields: Map<string, Set<Aspect>>;
}

const namesOf = (holder: AttributeHolder): readonly string[] => {
  const own = Object.keys(holder.attributes);
  if (!isContentType(holder)) return own;
  const system = ['documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale', ...(holder.localized ? [LOCALIZATIONS] : [])];
  return [...new Set([...own, ...system])];
};

const fieldSwitches = (off: Set<Aspect>): FieldSwitches => {
  const turnOff = (...aspects: readonly Aspect[]): FieldSwitches => {
    for (const aspect of aspects) off.add(aspect);
    return switches;
  };
  const switches: FieldSwitches = Object.freeze({
    disable: () => turnOff('field', 'output', 'input', 'filters'),
    disableOutput: () => turnOff('output'),
    disableInput: () => turnOff('input'),
    disableFilters: () => turnOff('filters'),
    isEnabled: () => !off.has('field'),
    isDisabled: () => off.has('field'),
    hasInputEnabled: () => !off.has('input'),
    hasOutputEnabled: () => !off.has('output'),
    hasFiltersEnabled: () => !off.has('filters'),
  });
  return switches;
};

const assertAction = ({ holder: { uid } }: TypeState, action: string): void => {
  if (!ACTIONS.includes(action)) throw fail('graphql/unknown-action', { uid, action, allowed: ACTIONS.join(', ') });
};

const fieldOf = ({ holder, fields }: TypeState, name: string): FieldSwitches => {
  const names = namesOf(holder);
  if (!names.includes(name)) throw fail('graphql/unknown-field', { uid: holder.uid, field: name, allowed: names.join(', ') });
  const off = fields.get(name) ?? new Set<Aspect>();
  fields.set(name, off);
  return fieldSwitches(off);
};

const typeSwitches = (state: TypeState): TypeSwitches => {
  const { off } = state;
  const turnOff = (name: string): TypeSwitches => {
    off.add(name);
    return switches;
  };
  const isActionOff = (action: string): boolean => {
    assertAction(state, action);
    return off.has(action);
  };
  const switches: TypeSwitches = Object.freeze<TypeSwitches>({
    disable: () => turnOff('type'),
    disableQueries: () => turnOff('queries'),
    disableMutations: () => turnOff('mutations'),
    disableAction: (action) => {
      assertAction(state, action);
      return turnOff(action);
    },
    disableActions: (actions) => {
      for (const action of actions) switches.disableAction(action);
      return switches;
    },
    field: (name) => fieldOf(state, name),
    isEnabled: () => !off.has('type'),
    isDisabled: () => off.has('type'),
    areQueriesEnabled: () => !off.has('queries'),
    areQueriesDisabled: () => off.has('queries'),
    areMutationsEnabled: () => !off.has('mutations'),
    areMutationsDisabled: () => off.has('mutations'),
    isActionEnabled: (action) => !isActionOff(action),
    isActionDisabled: isActionOff,
  });
  return switches;
};

/** The switches of every type and component, all on at first. */
export interface ShadowCrud {
  /** Throws `graphql/unknown-type`, and its switches `graphql/unknown-field` and `graphql/unknown-action`; each names what is allowed. */
  readonly of: (uid: Uid) => TypeSwitches;
  /** How they stand, for who builds the schema. */
  readonly switches: SchemaSwitches;
}

export function createShadowCrud(model: ContentModel): ShadowCrud {
  const states = new Map<Uid, TypeState>();
  const holders = [...model.types, LOCALE_TYPE, ...model.components];
  const isOn = (holder: AttributeHolder, name: string, aspect: Aspect): boolean => states.get(holder.uid)?.fields.get(name)?.has(aspect) !== true;
  const stateOf = (uid: Uid): TypeState => {
    const known = states.get(uid);
    if (known !== undefined) return known;
    const holder = holders.find((candidate) => candidate.uid === uid);
    if (holder === undefined) throw fail('graphql/unknown-type', { uid, allowed: holders.map((candidate) => candidate.uid).join(', ') });
    const state: TypeState = { holder, off: new Set(), fields: new Map() };
    states.set(uid, state);
    return state;
  };
  return {
    of: (uid) => typeSwitches(stateOf(uid)),
    switches: {
      hasHolder: ({ uid }) => states.get(uid)?.off.has('type') !== true,
      hasAction: ({ uid }, action) => {
        const off = states.get(uid)?.off;
        return off === undefined || !(off.has(action) || off.has(QUERIES.includes(action) ? 'queries' : 'mutations'));
      },
      hasOutput: (holder, name) => isOn(holder, name, 'output'),
      hasInput: (holder, name) => isOn(holder, name, 'input'),
      hasFilters: (holder, name) => isOn(holder, name, 'filters'),
    },
  };
}
