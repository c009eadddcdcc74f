import { isDeepStrictEqual } from 'node:util';
import { toJson } from '../../../documents/validation/parse-scalar.js';
import { createError } from '../../../errors/catalogue.js';
import { memoize } from '../../../lib/collections.js';
import type { JsonValue } from '../../../lib/stored-value.js';
import { componentOf, targetsOf } from '../../../model/lookup.js';
import type { Attribute, LinkAttribute, ScalarAttribute, Uid } from '../../../model/model.js';
import type { ContentPlanRequest } from '../content-transition.js';
import { convertScalar } from '../scalars/convert-scalar.js';
import { fillOf } from '../scalars/scalar-change.js';
import {
  SAME,
  componentsOf,
  isItemSame,
  isItemsAttribute,
  isNewlyRequired,
  isRewritten,
  shapeOf,
} from './value-change.js';
import type {
  ItemChange,
  ItemsAttribute,
  ItemsChange,
  LinksChange,
  MemberChange,
  ValueChange,
} from './value-change.js';

type ScalarRequest = Pick<ContentPlanRequest, 'decisions' | 'dialect'>;

const isUnchanged = (before: ScalarAttribute, after: ScalarAttribute): boolean =>
  before.type === after.type &&
  before.required === after.required &&
  isDeepStrictEqual(before.condition, after.condition) &&
  isDeepStrictEqual(before.constraints, after.constraints);

/** Compares a scalar in components. `key` names it after the migration, as decisions do. */
function compareScalars(
  key: string,
  before: ScalarAttribute,
  after: ScalarAttribute,
  { dialect, decisions }: ScalarRequest,
): ValueChange {
  const conversion = convertScalar(before, after, dialect, decisions, key);
  switch (conversion.kind) {
    case 'impossible':
      return { kind: 'dropped', before, reason: conversion.reason };
    case 'same':
      return isUnchanged(before, after)
        ? SAME
        : { kind: 'scalar', before, after, rewrite: null, reason: 'the value is no longer there' };
    case 'converted': {
      const { json, reason } = conversion;
      const convert = (value: string): string => dialect.migrations.json.ofText(json(value));
      // A value that does not convert may stay where both types have the same storage. It is then invalid.
      const keepsRest = before.column.kind === after.column.kind && decisions.convert[key] === undefined;
      const rewrite = keepsRest
        ? (value: string): string => dialect.migrations.json.orElse(convert(value), value)
        : convert;
      return { kind: 'scalar', before, after, rewrite, reason };
    }
  }
}

/**
 * Returns the value for items that have none; undefined if they stay without.
 *
 * @throws `migration/invalid-value`
 */
function fillOfMember(
  key: string,
  after: Attribute,
  { decisions, dialect }: ScalarRequest,
): JsonValue | undefined {
  if (after.family === 'scalar') {
    const fill = fillOf(key, after, decisions, dialect);
    return fill === null ? undefined : toJson(fill.value);
  }
  if (!Object.hasOwn(decisions.set, key)) return undefined;
  throw createError('migration/invalid-value', {
    attribute: key,
    value: JSON.stringify(decisions.set[key]),
    reason: 'only attributes without components, relations and media can be filled',
  });
}

/** Compares attributes whose values are JSON, with everything below them. */
export interface ValueComparison {
  /** Returns the change of an attribute's values. `owner` is the uid of its schema after the migration. */
  readonly compare: (owner: Uid, before: Attribute, after: Attribute) => ValueChange;
}

const isLink = (attribute: Attribute): attribute is LinkAttribute =>
  attribute.family === 'relation' || attribute.family === 'media';

const haveSameLimits = (before: ItemsAttribute, after: ItemsAttribute): boolean =>
  !isNewlyRequired(before, after) &&
  before.min === after.min &&
  before.max === after.max &&
  isDeepStrictEqual(before.condition?.rule, after.condition?.rule);

/** Returns the component whose items replace those of another component; null if they are dropped. */
const replacementOf = (
  uid: Uid,
  before: ItemsAttribute,
  after: ItemsAttribute,
  componentAfter: (uid: Uid) => Uid | null,
): Uid | null => {
  const renamed = componentAfter(uid);
  if (renamed !== null && componentsOf(after).includes(renamed)) return renamed;
  // A component attribute that points at another component keeps what the two have in common.
  return before.family === 'component' && after.family === 'component' ? after.component : null;
};

const PASSWORD_REASON = 'JSON would show the hash of the password';
const PASSWORD_AS_JSON = 'password';

class Comparison implements ValueComparison {
  readonly #itemsOf = memoize((pair: string): ItemChange => {
    const [before = '', after = ''] = pair.split(' ');
    return this.#compareComponents(before, after);
  });

  constructor(private readonly request: ContentPlanRequest) {}

  compare(owner: Uid, before: Attribute, after: Attribute): ValueChange {
    if (before.family === 'scalar' && after.family === 'scalar')
      return compareScalars(`${owner}.${after.name}`, before, after, this.request);
    if (isLink(before) && isLink(after)) return this.#compareLinks(before, after);
    if (isItemsAttribute(before) && isItemsAttribute(after)) return this.#compareItems(before, after);
    if (isItemsAttribute(before) && after.family === 'scalar' && after.type === 'json')
      return this.#toJson(before, after);
    if (before.family === 'scalar' && before.type === 'json' && isItemsAttribute(after))
      return { kind: 'from-json', before, after };
    return {
      kind: 'dropped',
      before,
      reason: `a value of type ${before.type} cannot become one of type ${after.type}`,
    };
  }

  #compareLinks(before: LinkAttribute, after: LinkAttribute): ValueChange {
    const renamed = this.request.match.types.find((type) => type.before.uid === before.target)?.after?.uid;
    const target = before.target === null ? null : renamed;
    if (target !== after.target)
      return { kind: 'dropped', before, reason: `it points at documents of another type` };
    const change: LinksChange = { kind: 'links', before, after, renamed: this.#renamedTargets(before) };
    return isRewritten(change) || isNewlyRequired(before, after) ? change : SAME;
  }

  #renamedTargets(before: LinkAttribute): LinksChange['renamed'] {
    if (before.target !== null) return [];
    const targets = targetsOf(before);
    return this.request.match.types.flatMap((type) =>
      type.after === null || type.after.uid === type.before.uid || !targets.includes(type.before.uid)
        ? []
        : [[type.before.uid, type.after.uid] as const],
    );
  }

  #compareItems(before: ItemsAttribute, after: ItemsAttribute): ValueChange {
    const items = componentsOf(before).flatMap((uid) => {
      const replacement = replacementOf(uid, before, after, this.request.match.componentAfter);
      return replacement === null ? [] : [this.#itemsOf(`${uid} ${replacement}`)];
    });
    const change: ItemsChange = {
      kind: 'items',
      before,
      after,
      shapeBefore: shapeOf(before),
      shapeAfter: shapeOf(after),
      items,
    };
    return !isRewritten(change) && items.every(isItemSame) && haveSameLimits(before, after) ? SAME : change;
  }

  #compareComponents(before: Uid, after: Uid): ItemChange {
    const members = this.request.match.componentAttributes(before, after).map((pair): MemberChange => {
      const change = this.#compareMember(after, pair.before, pair.after);
      const fill =
        pair.after === null
          ? undefined
          : fillOfMember(`${after}.${pair.after.name}`, pair.after, this.request);
      return { ...pair, change, fill };
    });
    return { before, after, members };
  }

  #compareMember(owner: Uid, before: Attribute | null, after: Attribute | null): ValueChange {
    if (before === null) return SAME;
    return after === null
      ? { kind: 'dropped', before, reason: 'the attribute is removed' }
      : this.compare(owner, before, after);
  }

  /** Components that become JSON stay as they are, except for passwords, which JSON would show. */
  #toJson(before: ItemsAttribute, after: ItemsChange['after']): ItemsChange {
    const shape = shapeOf(before);
    const items = componentsOf(before).map((uid): ItemChange => {
      const { attributes } = componentOf(this.request.before, uid);
      const members = Object.values(attributes).map((attribute): MemberChange => ({
        before: attribute,
        after: attribute,
        change: this.#memberToJson(attribute),
        fill: undefined,
      }));
      return { before: uid, after: uid, members };
    });
    return { kind: 'items', before, after, shapeBefore: shape, shapeAfter: shape, items };
  }

  #memberToJson(attribute: Attribute): ValueChange {
    if (attribute.type === PASSWORD_AS_JSON)
      return { kind: 'dropped', before: attribute, reason: PASSWORD_REASON };
    if (!isItemsAttribute(attribute)) return SAME;
    const change = this.#toJson(attribute, attribute);
    return isRewritten(change) ? change : SAME;
  }
}

/** Creates a comparison of the two models of a migration. */
export function createValueComparison(request: ContentPlanRequest): ValueComparison {
  return new Comparison(request);
}
