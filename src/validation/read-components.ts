import { isRecord } from '../lib/is-record.js';
import type { JsonValue } from '../lib/stored-value.js';
import type { Component, ComponentAttribute, DynamicZoneAttribute, LinkAttribute, ScalarAttribute } from '../model/model.js';
import type { Path } from './faults.js';
import type { ComponentItem, ComponentStep } from './input.js';
import { readLinkOperation } from './link-input.js';
import { linkTargets } from './link-targets.js';
import { isFull, MISSING } from './parse-run.js';
import type { HolderValues, ParseRun } from './parse-run.js';
import { isUnique, readScalar, toJson } from './read-scalar.js';

type StoredItem = Readonly<Record<string, JsonValue>>;

const DIGITS = /^[1-9]\d{0,15}$/;

const isItem = (value: unknown): value is StoredItem => isRecord(value);

const own = (item: Readonly<Record<string, unknown>>, name: string): unknown => (Object.hasOwn(item, name) ? item[name] : undefined);

/** The document ids an item's link holds, in their order. */
const storedTargets = (value: JsonValue | undefined): readonly string[] => {
  const targets: readonly unknown[] = Array.isArray(value) ? value : [value];
  return targets.filter((target): target is string => typeof target === 'string');
};

const readItemLink = (run: ParseRun, attribute: LinkAttribute, values: HolderValues, item: ComponentItem): void => {
  const path = [...values.path, attribute.name];
  const sent = values.sent(attribute.name);
  const stored = values.stored(attribute.name) as JsonValue | undefined;
  const empty = attribute.many ? [] : null;
  if (sent === undefined || sent === null) {
    item[attribute.name] = sent === null ? empty : (stored ?? empty);
    if (attribute.required && isFull(run) && (item[attribute.name] === null || (sent === null && attribute.many))) run.faults.add(path, MISSING);
    return;
  }
  const operation = readLinkOperation({ attribute, targets: linkTargets(attribute), path }, sent);
  item[attribute.name] = empty;
  run.componentLinks.push({ attribute, operation, current: storedTargets(stored), item, path });
};

const readItemScalar = (run: ParseRun, attribute: ScalarAttribute, values: HolderValues): JsonValue => {
  const read = readScalar(run, attribute, values);
  const value = toJson(read === undefined ? (values.stored(attribute.name) ?? null) : read);
  if (value !== null && isUnique(attribute)) run.componentUniques.push({ attribute, value, steps: values.steps, path: [...values.path, attribute.name] });
  return value;
};

const readItemValues = (run: ParseRun, component: Component, values: HolderValues, item: ComponentItem): void => {
  for (const attribute of Object.values(component.attributes)) {
    if (attribute.family === 'relation' || attribute.family === 'media') readItemLink(run, attribute, values, item);
    else if (attribute.family === 'scalar') item[attribute.name] = readItemScalar(run, attribute, values);
    else item[attribute.name] = readItemComponents(run, attribute, values);
  }
};

const readItemComponents = (run: ParseRun, attribute: ComponentAttribute | DynamicZoneAttribute, values: HolderValues): JsonValue => {
  const read = readComponents(run, attribute, values);
  return read === undefined ? ((values.stored(attribute.name) as JsonValue | undefined) ?? null) : read;
};

/** The id a client gives to say which component it means; null where it gives none. Undefined after a fault. */
const readId = (run: ParseRun, sent: StoredItem, path: Path): number | null | undefined => {
  const given = own(sent, 'id');
  if (given === undefined || given === null) return null;
  const id = typeof given === 'string' && DIGITS.test(given) ? Number(given) : given;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  run.faults.add([...path, 'id'], 'must be a positive whole number');
  return undefined;
};

/** The stored components an attribute's value may continue, each at most once. */
interface Reusable {
  readonly take: (id: number) => StoredItem | 'taken' | undefined;
}

const reusable = (stored: readonly StoredItem[]): Reusable => {
  const byId = new Map<unknown, StoredItem | 'taken'>(stored.map((item) => [own(item, 'id'), item]));
  return {
    take: (id) => {
      const item = byId.get(id);
      if (item !== undefined) byId.set(id, 'taken');
      return item;
    },
  };
};

/** The stored component that is updated: null for a new one. Undefined after a fault. */
const findBase = (run: ParseRun, sent: StoredItem, rest: { readonly from: Reusable; readonly path: Path; readonly uid: string }): StoredItem | null | undefined => {
  const id = readId(run, sent, rest.path);
  if (id === undefined || id === null) return id;
  const base = rest.from.take(id);
  if (base === 'taken') {
    run.faults.add([...rest.path, 'id'], 'must not be given twice');
    return undefined;
  }
  const kind = base === undefined ? undefined : (own(base, '__component') ?? rest.uid);
  if (base !== undefined && kind === rest.uid) return base;
  // A new document may be made from a copy of another one, and a translation from another locale's: their components get ids of their own.
  if (run.context.isNew || run.context.isKnownComponent(id)) return null;
  run.faults.add([...rest.path, 'id'], 'is no component of this document');
  return undefined;
};

/** An attribute that holds components, on its way from the document. */
interface ComponentPlace {
  readonly attribute: ComponentAttribute | DynamicZoneAttribute;
  readonly path: Path;
  /** The way to the component around it. */
  readonly steps: readonly ComponentStep[];
}

interface ItemPlace {
  readonly component: Component;
  readonly inZone: boolean;
  readonly from: Reusable;
  readonly path: Path;
  readonly steps: readonly ComponentStep[];
}

const stepInto = ({ attribute, steps }: ComponentPlace, component: Component): readonly ComponentStep[] => [...steps, { attribute: attribute.name, component: component.uid }];

const readItem = (run: ParseRun, sent: StoredItem, { component, inZone, from, path, steps }: ItemPlace): ComponentItem => {
  const base = findBase(run, sent, { from, path, uid: component.uid });
  const id = base === undefined || base === null ? run.context.newComponentId() : (own(base, 'id') as number);
  const item: ComponentItem = inZone ? { __component: component.uid, id } : { id };
  readItemValues(run, component, {
    sent: (name) => own(sent, name),
    stored: (name) => (base === undefined || base === null ? undefined : (own(base, name) as JsonValue | undefined)),
    path,
    steps,
  }, item);
  return item;
};

/** Finds everything that keeps stored components from being published; entries of components the model no longer has are passed over. */
const checkKept = (run: ParseRun, place: ComponentPlace, stored: JsonValue): void => {
  const { attribute, path } = place;
  if (stored === null) {
    if (attribute.required) run.faults.add(path, MISSING);
    return;
  }
  const items = Array.isArray(stored) ? stored : [stored];
  if (Array.isArray(stored)) checkCount(run, attribute, items.length, path);
  items.forEach((item: JsonValue, index) => {
    const uid = attribute.family === 'component' ? attribute.component : isItem(item) && own(item, '__component');
    const component = typeof uid === 'string' ? run.model.componentsByUid[uid] : undefined;
    if (component === undefined || !isItem(item)) return;
    const itemPath = Array.isArray(stored) ? [...path, String(index)] : path;
    readItemValues(run, component, { sent: () => undefined, stored: (name) => (own(item, name) as JsonValue | undefined) ?? null, path: itemPath, steps: stepInto(place, component) }, {});
  });
};

const checkCount = (run: ParseRun, attribute: ComponentAttribute | DynamicZoneAttribute, count: number, path: Path): void => {
  const { min, max, required } = attribute;
  if (max !== null && count > max) run.faults.add(path, `must hold at most ${max}`);
  if (min !== null && count < min && isFull(run) && (required || count > 0)) run.faults.add(path, `must hold at least ${min}`);
};

const zoneComponent = (run: ParseRun, attribute: DynamicZoneAttribute, item: StoredItem, path: Path): Component | undefined => {
  const uid = own(item, '__component');
  const component = typeof uid === 'string' && attribute.components.includes(uid) ? run.model.componentsByUid[uid] : undefined;
  if (component === undefined) run.faults.add([...path, '__component'], `must be one of ${attribute.components.join(', ')}`);
  return component;
};

const readList = (run: ParseRun, place: ComponentPlace, sent: readonly unknown[], from: Reusable): JsonValue => {
  const { attribute } = place;
  checkCount(run, attribute, sent.length, place.path);
  return sent.flatMap((item, index) => {
    const path = [...place.path, String(index)];
    if (!isItem(item)) {
      run.faults.add(path, 'must be an object');
      return [];
    }
    const inZone = attribute.family === 'dynamiczone';
    const component = inZone ? zoneComponent(run, attribute, item, path) : run.model.componentsByUid[attribute.component];
    return component === undefined ? [] : [readItem(run, item, { component, inZone, from, path, steps: stepInto(place, component) })];
  });
};

const readSent = (run: ParseRun, place: ComponentPlace, sent: unknown, stored: JsonValue): JsonValue => {
  const { attribute, path } = place;
  const from = reusable((Array.isArray(stored) ? stored : [stored]).filter((item): item is StoredItem => isItem(item)));
  const isList = attribute.family === 'dynamiczone' || attribute.repeatable;
  if (isList) {
    if (Array.isArray(sent)) return readList(run, place, sent, from);
    run.faults.add(path, 'must be a list');
    return [];
  }
  const component = run.model.componentsByUid[attribute.component];
  if (isItem(sent) && component !== undefined) return readItem(run, sent, { component, inZone: false, from, path, steps: stepInto(place, component) });
  run.faults.add(path, 'must be an object');
  return null;
};

/** The component, list of components or zone to store, or undefined: the stored one stays. Faults and links go to the run. */
export function readComponents(run: ParseRun, attribute: ComponentAttribute | DynamicZoneAttribute, values: HolderValues): JsonValue | undefined {
  const place: ComponentPlace = { attribute, path: [...values.path, attribute.name], steps: values.steps };
  const sent = values.sent(attribute.name);
  const stored = values.stored(attribute.name) as JsonValue | undefined;
  if (sent !== undefined && sent !== null) return readSent(run, place, sent, stored ?? null);
  if (sent === undefined && stored !== undefined) {
    if (isFull(run)) checkKept(run, place, stored);
    return undefined;
  }
  if (attribute.required && isFull(run)) run.faults.add(place.path, MISSING);
  return attribute.family === 'dynamiczone' || attribute.repeatable ? [] : null;
}
