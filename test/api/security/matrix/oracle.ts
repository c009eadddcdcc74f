import type { CallerFacts, Kind, Rule } from './configured.js';

/**
 * What should happen, computed from what is configured by the plainest of rules, and from none of the product's code.
 */
export type Outcome = 'ok' | 'unauthorised' | 'forbidden' | 'invalid' | 'missing';

interface Shape {
  readonly scalars: readonly string[];
  readonly secrets: readonly string[];
  readonly to: Readonly<Record<string, { readonly kind: string; readonly many?: boolean }>>;
}

/** Attributes by what they are; `card` is a component, whose attributes nobody limits. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  story: { scalars: ['title', 'body', 'rating'], secrets: ['secret', 'pin'], to: { owner: { kind: 'user' }, shelf: { kind: 'shelf' }, vault: { kind: 'vault' }, card: { kind: 'card' } } },
  shelf: { scalars: ['name'], secrets: [], to: { stories: { kind: 'story', many: true } } },
  vault: { scalars: ['code'], secrets: [], to: {} },
  card: { scalars: ['label'], secrets: ['hush'], to: { vault: { kind: 'vault' } } },
  user: { scalars: ['username', 'email', 'title', 'provider', 'confirmed', 'blocked'], secrets: ['password', 'resetPasswordToken', 'note'], to: { role: { kind: 'role' } } },
};

/** A document as it was seeded: values by attribute, what it links as documents. */
export interface Doc {
  readonly [attribute: string]: string | number | boolean | null | Doc | readonly Doc[];
}


/** The rule under which an action was granted; null: it was not. */
export function ruleOf({ grants }: CallerFacts, kind: string, action: string): Rule | null {
  if (grants === 'everything') return {};
  if (grants === 'reading') return action === 'find' || action === 'findOne' ? {} : null;
  return grants === 'refused' ? null : (grants[`${kind}.${action}`] ?? null);
}

/** What happens before anything else is looked at. */
export function entrance(caller: CallerFacts, kind: Kind, action: string): Outcome {
  if (caller.grants === 'refused') return 'unauthorised';
  return ruleOf(caller, kind, action) === null ? 'forbidden' : 'ok';
}

const isDoc = (value: unknown): value is Doc => typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value) ?? '');

/** Whether a rule covers a document. */
export function covers(caller: CallerFacts, rule: Rule | null, doc: Doc): boolean {
  if (rule === null) return false;
  if (rule.rows === 'ann') return textOf(doc['title']).startsWith('ann');
  if (rule.rows !== 'own') return true;
  return isDoc(doc['owner']) && doc['owner']['username'] === caller.person;
}

export function has(rule: Rule | null, attribute: string): boolean {
  return rule !== null && (rule.fields === undefined || rule.fields.includes(attribute));
}

const mayFind = (caller: CallerFacts, kind: string): boolean => kind === 'card' || ruleOf(caller, kind, 'find') !== null;
const findRule = (caller: CallerFacts, kind: string): Rule | null => (kind === 'card' ? {} : ruleOf(caller, kind, 'find'));

/** Whether the caller may name the attribute at the end of a path that starts at a story. `ordered`: to sort by. */
export function mayName(caller: CallerFacts, path: readonly string[], ordered: boolean): boolean {
  let kind = 'story';
  for (const [index, name] of path.entries()) {
    const shape = SHAPES[kind];
    if (shape === undefined || !has(findRule(caller, kind), name)) return false;
    if (index === path.length - 1) return shape.scalars.includes(name);
    const link = shape.to[name];
    if (link === undefined || !mayFind(caller, link.kind)) return false;
    if (ordered && findRule(caller, link.kind)?.rows !== undefined) return false;
    ({ kind } = link);
  }
  return false;
}

/** The documents behind an attribute that the caller may find. */
const reached = (caller: CallerFacts, kind: string, value: unknown): readonly Doc[] =>
  (Array.isArray(value) ? value : [value]).filter(isDoc).filter((doc) => covers(caller, findRule(caller, kind), doc));

/** What is asked of a text. */
export interface Condition {
  readonly needle: string;
  readonly isNegated: boolean;
}

/** Whether something the caller may see at the end of the path holds the needle, or lacks it. */
export function fulfils(caller: CallerFacts, doc: Doc, path: readonly string[], { needle, isNegated }: Condition, kind = 'story'): boolean {
  const [name = '', ...rest] = path;
  const value = doc[name];
  if (rest.length === 0) return value !== null && value !== undefined && textOf(value).includes(needle) !== isNegated;
  const link = SHAPES[kind]?.to[name];
  return link !== undefined && reached(caller, link.kind, value).some((each) => fulfils(caller, each, rest, { needle, isNegated }, link.kind));
}

/** What a record shows: scalars, and of `depth` levels what it links; links to what may not be found are left out. */
export function shown(caller: CallerFacts, kind: string, doc: Doc, { rule, depth }: { readonly rule: Rule | null; readonly depth: number }): Readonly<Record<string, unknown>> {
  const shape = SHAPES[kind] ?? { scalars: [], to: {} };
  const scalars = shape.scalars.filter((name) => has(rule, name)).map((name) => [name, doc[name] ?? null] as const);
  const links = depth === 0 ? [] : Object.entries(shape.to).filter(([name, link]) => has(rule, name) && mayFind(caller, link.kind)).map(([name, link]) => {
    const records = reached(caller, link.kind, doc[name]).map((each) => shown(caller, link.kind, each, { rule: findRule(caller, link.kind), depth: depth - 1 }));
    return [name, link.many === true ? records : records[0] ?? null] as const;
  });
  return Object.fromEntries([...scalars, ...links]);
}

export interface Write {
  readonly action: 'create' | 'update' | 'delete';
  /** What is sent. */
  readonly names: readonly string[];
  readonly before: Doc;
  readonly after: Doc;
}

/** What a write of a story comes to. Names are looked at before the document is, and the document before what becomes of it. */
export function written(caller: CallerFacts, { action, names, before, after }: Write): Outcome {
  const door = entrance(caller, 'story', action);
  if (door !== 'ok') return door;
  const rule = ruleOf(caller, 'story', action);
  const isRefused = (name: string): boolean => {
    const link = SHAPES['story']?.to[name];
    return !has(rule, name) || (link !== undefined && !mayFind(caller, link.kind));
  };
  if (names.some(isRefused)) return 'invalid';
  if (action !== 'create' && !covers(caller, rule, before)) return 'forbidden';
  return action === 'delete' || covers(caller, rule, after) ? 'ok' : 'forbidden';
}
