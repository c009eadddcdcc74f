import { assertNever } from '../lib/assert-never.js';
import type { AttributeHolder, ContentType, Uid } from '../model/model.js';
import { group } from './filter-nodes.js';
import type { AccessLimits, FilterNode } from './query.js';
import type { ReadContext } from './read-context.js';
import { typeOf } from './read-context.js';

const FIND = 'find';

/** How far the caller's right to look at a type goes; null: without limits. */
export function coverage({ access }: Pick<ReadContext, 'access'>, type: Uid, action: string = FIND): AccessLimits | null {
  return access.limitsOf?.(type, action) ?? null;
}

const narrowed = new WeakMap<ReadonlySet<string>, Map<Uid, ContentType>>();

const narrow = (type: ContentType, fields: ReadonlySet<string>): ContentType => {
  const known = narrowed.get(fields) ?? new Map<Uid, ContentType>();
  narrowed.set(fields, known);
  const before = known.get(type.uid);
  if (before !== undefined) return before;
  const attributes = Object.fromEntries(Object.entries(type.attributes).filter(([name]) => fields.has(name)));
  const made = Object.freeze({ ...type, attributes: Object.freeze(attributes) });
  known.set(type.uid, made);
  return made;
};

/** A type with those of its attributes that the caller may look at: for the parser the others are as good as unknown. */
export function coveredType(context: Pick<ReadContext, 'model' | 'access'>, uid: Uid, action: string = FIND): ContentType {
  const type = typeOf(context.model, uid);
  const fields = coverage(context, uid, action)?.fields ?? null;
  return fields === null ? type : narrow(type, fields);
}

const attributeTarget = ({ model }: Pick<ReadContext, 'model'>, holder: AttributeHolder, name: string): AttributeHolder | null => {
  const attribute = holder.attributes[name];
  if (attribute?.family === 'component') return model.componentsByUid[attribute.component] ?? null;
  if (attribute?.family === 'relation' || attribute?.family === 'media') return attribute.target === null ? null : typeOf(model, attribute.target);
  return null;
};

const restrictLink = (context: ReadContext, target: AttributeHolder | null, node: FilterNode & { readonly kind: 'link' | 'link-empty' }): FilterNode => {
  const condition = target === null ? null : coverage(context, target.uid)?.filter ?? null;
  if (node.kind === 'link') {
    const inner = target === null ? node.filter : restrict(context, target, node.filter);
    return { ...node, filter: condition === null ? inner : { kind: 'and', items: [condition, inner] } };
  }
  if (condition === null) return node;
  const seen: FilterNode = { kind: 'link', attribute: node.attribute, filter: condition };
  return node.empty ? { kind: 'not', item: seen } : seen;
};

/** Adds to every relation in a filter what the caller may see of its target, so that nothing is found by what is not shown. */
const restrict = (context: ReadContext, holder: AttributeHolder, node: FilterNode): FilterNode => {
  switch (node.kind) {
    case 'and': case 'or': return { kind: node.kind, items: node.items.map((item) => restrict(context, holder, item)) };
    case 'not': return { kind: 'not', item: restrict(context, holder, node.item) };
    case 'link': case 'link-empty': return restrictLink(context, attributeTarget(context, holder, node.attribute), node);
    case 'component': {
      const target = attributeTarget(context, holder, node.attribute);
      return target === null ? node : { ...node, filter: restrict(context, target, node.filter) };
    }
    case 'compare': case 'component-empty': return node;
    default: return assertNever(node, 'filter node');
  }
};

interface Covering {
  readonly filter: FilterNode | null;
  /** Default: `find`. */
  readonly action?: string;
}

/** A client's filter on documents of a type, narrowed to what the caller may look at: there, and of whatever relations it mentions. */
export function covered(context: ReadContext, type: Uid, { filter, action }: Covering): FilterNode | null {
  if (context.access.limitsOf === undefined) return filter;
  const own = coverage(context, type, action)?.filter ?? null;
  const given = filter === null ? null : restrict(context, typeOf(context.model, type), filter);
  return group('and', [own, given].filter((node) => node !== null));
}
