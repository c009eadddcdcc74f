import { isRecord } from '../../lib/records.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { targetsOf } from '../../model/lookup.js';
import type {
  Component,
  ComponentAttribute,
  DynamicZoneAttribute,
  LinkAttribute,
  ScalarAttribute,
} from '../../model/model.js';
import { MUST_BE_SET, attributeState, isShownInErrors, isStrict, mustBeSet } from './attribute-state.js';
import type { ParseState, SchemaValues } from './attribute-state.js';
import type { ComponentStep } from './input.js';
import type { Path } from './issues.js';
import { parseLinkOperation, parsePositiveId } from './parse-link-operation.js';
import { isUnique, parseScalar, toJson } from './parse-scalar.js';

/** A stored or sent component: an object. */
type StoredItem = Readonly<Record<string, JsonValue>>;

const isItem = (value: unknown): value is StoredItem => isRecord(value);

/** Returns the part of a value that errors show: scalars only, since objects may hold hidden values. */
const shownScalar = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : undefined;

const ownProperty = (item: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(item, name) ? item[name] : undefined;

/** Returns the id of a sent component; null if it has none, undefined if it is invalid. */
const parseId = (state: ParseState, sent: StoredItem, path: Path): number | null | undefined => {
  const sentId = ownProperty(sent, 'id');
  if (sentId === undefined || sentId === null) return null;
  const id = parsePositiveId(sentId);
  if (id !== null) return id;
  state.issues.add([...path, 'id'], 'must be a positive integer', shownScalar(sentId));
  return undefined;
};

/** The stored components that a value may update. Each can be taken once. */
interface ReusableItems {
  readonly take: (id: number) => StoredItem | 'taken' | undefined;
}

const createReusableItems = (stored: readonly StoredItem[]): ReusableItems => {
  const byId = new Map<unknown, StoredItem | 'taken'>(stored.map((item) => [ownProperty(item, 'id'), item]));
  return {
    take: (id) => {
      const item = byId.get(id);
      if (item !== undefined) byId.set(id, 'taken');
      return item;
    },
  };
};

/** Returns the stored component to update; null for a new component, undefined if the id is invalid. */
const findStoredItem = (
  state: ParseState,
  sent: StoredItem,
  location: { readonly reusableItems: ReusableItems; readonly path: Path; readonly uid: string },
): StoredItem | null | undefined => {
  const id = parseId(state, sent, location.path);
  if (id === undefined || id === null) return id;
  const storedItem = location.reusableItems.take(id);
  if (storedItem === 'taken') {
    state.issues.add([...location.path, 'id'], 'must not be sent twice', id);
    return undefined;
  }
  const componentUid =
    storedItem === undefined ? undefined : (ownProperty(storedItem, '__component') ?? location.uid);
  if (storedItem !== undefined && componentUid === location.uid) return storedItem;
  // A new document may be a copy of another one, and a new locale a copy of another locale. Their components
  // get new ids.
  if (state.context.isNew || state.context.isKnownComponent(id)) return null;
  state.issues.add([...location.path, 'id'], 'is not a component of this document', id);
  return undefined;
};

/** A component that is being parsed. */
type ComponentItem = Record<string, JsonValue>;

/** Returns the stored targets of an item's link. */
const storedTargets = (value: JsonValue | undefined): readonly string[] => {
  const targets: readonly unknown[] = Array.isArray(value) ? value : [value];
  return targets.filter((target): target is string => typeof target === 'string');
};

const parseItemLink = (
  state: ParseState,
  attribute: LinkAttribute,
  values: SchemaValues,
  item: ComponentItem,
): void => {
  const path = [...values.path, attribute.name];
  const sent = values.sent(attribute.name);
  const stored = values.stored(attribute.name) as JsonValue | undefined;
  const emptyValue = attribute.many ? [] : null;
  if (sent === undefined || sent === null) {
    item[attribute.name] = sent === null ? emptyValue : (stored ?? emptyValue);
    if (mustBeSet(state, attribute) && (item[attribute.name] === null || (sent === null && attribute.many)))
      state.issues.add(path, MUST_BE_SET, sent);
    return;
  }
  const operation = parseLinkOperation({ attribute, targets: targetsOf(attribute), path }, sent);
  item[attribute.name] = emptyValue;
  state.componentLinks.push({
    attribute,
    operation,
    isRequired: mustBeSet(state, attribute),
    current: storedTargets(stored),
    path,
  });
};

const parseItemScalar = (state: ParseState, attribute: ScalarAttribute, values: SchemaValues): JsonValue => {
  const parsed = parseScalar(state, attribute, values);
  const value = toJson(parsed === undefined ? (values.stored(attribute.name) ?? null) : parsed);
  if (value !== null && isUnique(attribute))
    state.componentUniques.push({
      attribute,
      value,
      steps: values.steps,
      path: [...values.path, attribute.name],
      isShown: isShownInErrors(attribute, values),
    });
  return value;
};

const parseItemValues = (
  state: ParseState,
  component: Component,
  values: SchemaValues,
  item: ComponentItem,
): void => {
  for (const attribute of Object.values(component.attributes)) {
    const attributeContext = attributeState(state, component, attribute, values);
    if (attribute.family === 'relation' || attribute.family === 'media')
      parseItemLink(attributeContext, attribute, values, item);
    else if (attribute.family === 'scalar')
      item[attribute.name] = parseItemScalar(attributeContext, attribute, values);
    else item[attribute.name] = parseItemComponents(attributeContext, attribute, values);
  }
};

const parseItemComponents = (
  state: ParseState,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  values: SchemaValues,
): JsonValue => {
  const parsed = parseComponents(state, attribute, values);
  return parsed === undefined ? ((values.stored(attribute.name) as JsonValue | undefined) ?? null) : parsed;
};

/** An attribute that contains components, with its location in the document. */
interface ComponentLocation {
  readonly attribute: ComponentAttribute | DynamicZoneAttribute;
  readonly path: Path;
  readonly isPrivate: boolean;
  /** The steps to the enclosing component. */
  readonly steps: readonly ComponentStep[];
}

interface ItemLocation {
  readonly component: Component;
  readonly inZone: boolean;
  readonly reusableItems: ReusableItems;
  readonly path: Path;
  readonly isPrivate: boolean;
  readonly steps: readonly ComponentStep[];
}

const appendStep = (
  { attribute, steps }: ComponentLocation,
  component: Component,
): readonly ComponentStep[] => [...steps, { attribute: attribute.name, component: component.uid }];

const parseItem = (
  state: ParseState,
  sent: StoredItem,
  { component, inZone, reusableItems, path, isPrivate, steps }: ItemLocation,
): ComponentItem => {
  const storedItem = findStoredItem(state, sent, { reusableItems, path, uid: component.uid });
  const id =
    storedItem === undefined || storedItem === null
      ? state.context.newComponentId()
      : (ownProperty(storedItem, 'id') as number);
  const item: ComponentItem = inZone ? { __component: component.uid, id } : { id };
  parseItemValues(
    state,
    component,
    {
      sent: (name) => ownProperty(sent, name),
      stored: (name) =>
        storedItem === undefined || storedItem === null
          ? undefined
          : (ownProperty(storedItem, name) as JsonValue | undefined),
      path,
      isPrivate,
      steps,
    },
    item,
  );
  return item;
};

/**
 * Adds issues for stored components that cannot be published. Items whose component is no longer in the model
 * are skipped.
 */
const checkStored = (state: ParseState, location: ComponentLocation, stored: JsonValue): void => {
  const { attribute, path } = location;
  if (stored === null) {
    if (mustBeSet(state, attribute)) state.issues.add(path, MUST_BE_SET, null);
    return;
  }
  const items = Array.isArray(stored) ? stored : [stored];
  if (Array.isArray(stored)) checkCount(state, attribute, items.length, path);
  items.forEach((item: JsonValue, index) => {
    const uid =
      attribute.family === 'component'
        ? attribute.component
        : isItem(item) && ownProperty(item, '__component');
    const component = typeof uid === 'string' ? state.model.componentsByUid[uid] : undefined;
    if (component === undefined || !isItem(item)) return;
    const itemPath = Array.isArray(stored) ? [...path, String(index)] : path;
    parseItemValues(
      state,
      component,
      {
        sent: () => undefined,
        stored: (name) => (ownProperty(item, name) as JsonValue | undefined) ?? null,
        path: itemPath,
        isPrivate: location.isPrivate,
        steps: appendStep(location, component),
      },
      {},
    );
  });
};

const checkCount = (
  state: ParseState,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  count: number,
  path: Path,
): void => {
  const { min, max } = attribute;
  if (!isStrict(state)) return;
  if (max !== null && count > max) state.issues.add(path, `must have at most ${max} items`);
  if (min !== null && count < min && (mustBeSet(state, attribute) || count > 0))
    state.issues.add(path, `must have at least ${min} items`);
};

const zoneComponent = (
  state: ParseState,
  attribute: DynamicZoneAttribute,
  item: StoredItem,
  path: Path,
): Component | undefined => {
  const uid = ownProperty(item, '__component');
  const component =
    typeof uid === 'string' && attribute.components.includes(uid)
      ? state.model.componentsByUid[uid]
      : undefined;
  if (component === undefined)
    state.issues.add(
      [...path, '__component'],
      `must be one of ${attribute.components.join(', ')}`,
      shownScalar(uid),
    );
  return component;
};

const parseList = (
  state: ParseState,
  location: ComponentLocation,
  sent: readonly unknown[],
  reusableItems: ReusableItems,
): JsonValue => {
  const { attribute } = location;
  checkCount(state, attribute, sent.length, location.path);
  return sent.flatMap((item, index) => {
    const path = [...location.path, String(index)];
    if (!isItem(item)) {
      state.issues.add(path, 'must be an object', shownScalar(item));
      return [];
    }
    const inZone = attribute.family === 'dynamiczone';
    const component = inZone
      ? zoneComponent(state, attribute, item, path)
      : state.model.componentsByUid[attribute.component];
    return component === undefined
      ? []
      : [
          parseItem(state, item, {
            component,
            inZone,
            reusableItems,
            path,
            isPrivate: location.isPrivate,
            steps: appendStep(location, component),
          }),
        ];
  });
};

const parseSent = (
  state: ParseState,
  location: ComponentLocation,
  sent: unknown,
  stored: JsonValue,
): JsonValue => {
  const { attribute, path } = location;
  const reusableItems = createReusableItems(
    (Array.isArray(stored) ? stored : [stored]).filter((item): item is StoredItem => isItem(item)),
  );
  const isList = attribute.family === 'dynamiczone' || attribute.repeatable;
  if (isList) {
    if (Array.isArray(sent)) return parseList(state, location, sent, reusableItems);
    state.issues.add(path, 'must be a list', shownScalar(sent));
    return [];
  }
  const component = state.model.componentsByUid[attribute.component];
  if (isItem(sent) && component !== undefined)
    return parseItem(state, sent, {
      component,
      inZone: false,
      reusableItems,
      path,
      isPrivate: location.isPrivate,
      steps: appendStep(location, component),
    });
  state.issues.add(path, 'must be an object', shownScalar(sent));
  return null;
};

/**
 * Returns the component, list of components or dynamic zone to store; undefined if the stored value stays.
 * Adds issues and links to the state.
 */
export function parseComponents(
  state: ParseState,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  values: SchemaValues,
): JsonValue | undefined {
  const location: ComponentLocation = {
    attribute,
    path: [...values.path, attribute.name],
    isPrivate: values.isPrivate || attribute.private,
    steps: values.steps,
  };
  const sent = values.sent(attribute.name);
  const stored = values.stored(attribute.name) as JsonValue | undefined;
  if (sent !== undefined && sent !== null) return parseSent(state, location, sent, stored ?? null);
  if (sent === undefined && stored !== undefined) {
    if (isStrict(state)) checkStored(state, location, stored);
    return undefined;
  }
  if (mustBeSet(state, attribute)) state.issues.add(location.path, MUST_BE_SET, sent);
  return attribute.family === 'dynamiczone' || attribute.repeatable ? [] : null;
}
