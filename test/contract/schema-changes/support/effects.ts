import { isRecord } from '../../../../src/lib/records.js';
import { componentOf } from '../../../../src/model/lookup.js';
import type { ContentModel, ContentSchema } from '../../../../src/model/model.js';
import type { DataImpact } from '../../../../src/migrations/impact/data-impact.js';
import { mapEach } from './read-content.js';
import type { Content, Item } from './read-content.js';

/** What becomes of one value. `none`: it is as before and not told. */
interface Outcome {
  readonly told: DataImpact['kind'] | null;
  /** The value after the migration; undefined: there is none. */
  readonly value: unknown;
  /** How many values this is, where it is a list. */
  readonly count: number;
}

/** What a row states about the values of one attribute, wherever its type or component is used. */
export interface Effect {
  /** `article`, `parts.badge` */
  readonly owner: string;
  readonly attribute: string;
  /** The component of the zone's items that are concerned. */
  readonly member?: string;
  /** The attribute that holds the component's items, where only those are concerned. */
  readonly within?: string;
  /** Its name after the migration, where that is another. */
  readonly to?: string;
  readonly present?: (value: unknown, isDraft: boolean) => Outcome;
  /** What becomes of an item that holds no value. */
  readonly absent?: (isDraft: boolean) => Outcome;
}

/** What a preview must tell, over all versions. */
export type ExpectedChange = Pick<DataImpact, 'kind' | 'type' | 'path' | 'values'>;

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1);

/** The values are deleted. */
export const dropped = (
  owner: string,
  attribute: string,
  when: (value: unknown) => boolean = () => true,
): Effect => ({
  owner,
  attribute,
  present: (value) =>
    when(value)
      ? { told: 'dropped', value: undefined, count: countOf(value) }
      : { told: null, value, count: 0 },
});

/** Some links of a list are deleted. */
export const droppedTargets = (
  owner: string,
  attribute: string,
  when: (target: string) => boolean,
): Effect => ({
  owner,
  attribute,
  present: (value) => {
    const targets = Array.isArray(value) ? value : [value];
    const kept = targets.filter((target) => !when(String(target)));
    return {
      told: 'dropped',
      value: kept.length === 0 ? undefined : kept,
      count: targets.length - kept.length,
    };
  },
});

/** The values are no longer read, but nothing is told: the other side of a relation. */
export const gone = (owner: string, attribute: string): Effect => ({
  owner,
  attribute,
  present: () => ({ told: null, value: undefined, count: 0 }),
});

/** The values have another type. Those that become undefined are dropped. */
export const converted = (owner: string, attribute: string, convert: (value: never) => unknown): Effect => ({
  owner,
  attribute,
  present: (value) => {
    const result = convert(value as never);
    return { told: result === undefined ? 'dropped' : 'converted', value: result, count: 1 };
  },
});

/** The values stay, and those that do not fit are told. */
export const invalid = (owner: string, attribute: string, fits: (value: never) => boolean): Effect => ({
  owner,
  attribute,
  present: (value) => ({ told: fits(value as never) ? null : 'invalid', value, count: 1 }),
});

/** The same for limits that a draft need not keep. */
export const unfinished = (owner: string, attribute: string, fits: (value: never) => boolean): Effect => ({
  owner,
  attribute,
  present: (value, isDraft) => ({
    told: isDraft || fits(value as never) ? null : 'invalid',
    value,
    count: 1,
  }),
});

/** Items without a value no longer fit, except in drafts. */
export const missing = (owner: string, attribute: string): Effect => ({
  owner,
  attribute,
  absent: (isDraft) => ({ told: isDraft ? null : 'invalid', value: undefined, count: 1 }),
});

/** Items without a value get this one. */
export const filled = (owner: string, attribute: string, value: unknown): Effect => ({
  owner,
  attribute,
  absent: () => ({ told: 'converted', value, count: 1 }),
});

/** The values stand under another name. */
export const moved = (owner: string, attribute: string, to: string): Effect => ({
  owner,
  attribute,
  to,
  present: (value) => ({ told: 'moved', value, count: countOf(value) }),
});

/** Items of one component are deleted from a zone. */
export const droppedItems = (owner: string, zone: string, member: string): Effect => ({
  owner,
  attribute: zone,
  member,
  present: () => ({ told: 'dropped', value: undefined, count: 1 }),
});

/** The items of a component have another uid in all zones. */
export const movedItems = (owner: string, zone: string, member: string, to: string): Effect => ({
  owner,
  attribute: zone,
  member,
  present: (item) => ({
    told: 'moved',
    value: isRecord(item) ? { ...item, __component: to } : item,
    count: 1,
  }),
});

const ownerName = (schema: ContentSchema): string =>
  'singularName' in schema ? schema.singularName : schema.uid;

/** Where a value stands. */
interface Place {
  /** The uid of the content-type. */
  readonly type: string;
  readonly isDraft: boolean;
  /** The attributes above, with a dot at the end; empty at top level. */
  readonly path: string;
}

/** Applies the effects of a row to content, and counts what a migration must tell. */
class Walk {
  readonly #changes = new Map<string, ExpectedChange>();

  constructor(
    private readonly model: ContentModel,
    private readonly effects: readonly Effect[],
  ) {}

  get changes(): readonly ExpectedChange[] {
    return [...this.#changes.values()];
  }

  item(schema: ContentSchema, item: Item, place: Place): Item {
    const { path } = place;
    const owner = ownerName(schema);
    const entries = Object.entries(item).map(([name, value]): readonly [string, unknown] => {
      const effect = this.effects.find(
        (each) =>
          each.owner === owner &&
          each.attribute === name &&
          each.member === undefined &&
          each.present !== undefined &&
          (each.within === undefined || path.split('.').at(-2) === each.within),
      );
      const attributePath = path + name;
      if (effect?.present === undefined)
        return [name, this.#nested(schema, name, value, { ...place, path: attributePath })];
      const outcome = effect.present(value, place.isDraft);
      this.#tell(outcome, { ...place, path: attributePath });
      const result =
        outcome.value === value
          ? this.#nested(schema, name, value, { ...place, path: attributePath })
          : outcome.value;
      return [effect.to ?? name, result];
    });
    const present = new Map(entries.filter(([, value]) => value !== undefined));
    for (const effect of this.effects) {
      if (effect.owner !== owner || effect.absent === undefined || item[effect.attribute] !== undefined)
        continue;
      const outcome = effect.absent(place.isDraft);
      this.#tell(outcome, { ...place, path: path + effect.attribute });
      if (outcome.value !== undefined) present.set(effect.attribute, outcome.value);
    }
    return Object.fromEntries(present);
  }

  #tell({ told, count }: Outcome, { type, path }: Place): void {
    if (told === null || count === 0) return;
    const key = `${told} ${type} ${path}`;
    const values = (this.#changes.get(key)?.values ?? 0) + count;
    this.#changes.set(key, { kind: told, type, path, values });
  }

  #nested(schema: ContentSchema, name: string, value: unknown, place: Place): unknown {
    const attribute = schema.attributes[name];
    if (attribute?.family === 'component') {
      const component = componentOf(this.model, attribute.component);
      return mapEach(value, (item) =>
        isRecord(item) ? this.item(component, item, { ...place, path: `${place.path}.` }) : item,
      );
    }
    if (attribute?.family !== 'dynamiczone' || !Array.isArray(value)) return value;
    const items = value.filter(isRecord).flatMap((item) => {
      const uid = String(item['__component']);
      const path = `${place.path}[${uid}]`;
      const effect = this.effects.find(
        (each) => each.owner === ownerName(schema) && each.attribute === name && each.member === uid,
      );
      const walked = this.item(componentOf(this.model, uid), item, { ...place, path: `${path}.` });
      const outcome = effect?.present?.(walked, place.isDraft);
      if (outcome === undefined) return [walked];
      this.#tell(outcome, { ...place, path });
      return outcome.value === undefined ? [] : [outcome.value];
    });
    return items.length === 0 ? undefined : items;
  }
}

/** Returns the content after a migration with these effects, and the changes it must tell. */
export function applyEffects(
  model: ContentModel,
  content: Content,
  effects: readonly Effect[],
): { readonly content: Content; readonly changes: readonly ExpectedChange[] } {
  const walk = new Walk(model, effects);
  const after = Object.fromEntries(
    Object.entries(content).map(([name, versions]) => {
      const type = model.types.find(({ singularName }) => singularName === name);
      if (type === undefined) throw new RangeError(`There is no type ${name}`);
      return [
        name,
        Object.fromEntries(
          Object.entries(versions).map(([key, item]) => [
            key,
            walk.item(type, item, { type: type.uid, isDraft: key.endsWith(' draft'), path: '' }),
          ]),
        ),
      ];
    }),
  );
  return { content: after, changes: walk.changes };
}
