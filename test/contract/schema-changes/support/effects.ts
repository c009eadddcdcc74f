import { isRecord } from '../../../../src/lib/is-record.js';
import { componentOf } from '../../../../src/model/lookup.js';
import type { ContentModel, ContentSchema } from '../../../../src/model/model.js';
import type { ContentChange } from '../../../../src/migrations/content/content-plan.js';
import { mapEach } from './read-content.js';
import type { Content, Item } from './read-content.js';

/** What becomes of one value. `none`: it is as before and not told. */
interface Outcome {
  readonly told: ContentChange['kind'] | null;
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
  readonly present?: (value: unknown) => Outcome;
  /** What becomes of an item that holds no value. */
  readonly absent?: (item: Item) => Outcome;
}

/** What a preview must tell, over all versions. */
export type ExpectedChange = Pick<ContentChange, 'kind' | 'type' | 'path' | 'values'>;

const ownerName = (schema: ContentSchema): string =>
  'singularName' in schema ? schema.singularName : schema.uid;

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

  item(schema: ContentSchema, item: Item, type: string, path: string): Item {
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
        return [name, this.#nested(schema, name, value, type, attributePath)];
      const outcome = effect.present(value);
      this.#tell(outcome, type, attributePath);
      const result =
        outcome.value === value ? this.#nested(schema, name, value, type, attributePath) : outcome.value;
      return [effect.to ?? name, result];
    });
    const present = new Map(entries.filter(([, value]) => value !== undefined));
    for (const effect of this.effects) {
      if (effect.owner !== owner || effect.absent === undefined || item[effect.attribute] !== undefined)
        continue;
      const outcome = effect.absent(item);
      this.#tell(outcome, type, path + effect.attribute);
      if (outcome.value !== undefined) present.set(effect.attribute, outcome.value);
    }
    return Object.fromEntries(present);
  }

  #tell({ told, count }: Outcome, type: string, path: string): void {
    if (told === null || count === 0) return;
    const key = `${told} ${type} ${path}`;
    const values = (this.#changes.get(key)?.values ?? 0) + count;
    this.#changes.set(key, { kind: told, type, path, values });
  }

  #nested(schema: ContentSchema, name: string, value: unknown, type: string, path: string): unknown {
    const attribute = schema.attributes[name];
    if (attribute?.family === 'component') {
      const component = componentOf(this.model, attribute.component);
      return mapEach(value, (item) => (isRecord(item) ? this.item(component, item, type, `${path}.`) : item));
    }
    if (attribute?.family !== 'dynamiczone' || !Array.isArray(value)) return value;
    const items = value.filter(isRecord).flatMap((item) => {
      const uid = String(item['__component']);
      const memberPath = `${path}[${uid}]`;
      const effect = this.effects.find(
        (each) => each.owner === ownerName(schema) && each.attribute === name && each.member === uid,
      );
      const walked = this.item(componentOf(this.model, uid), item, type, `${memberPath}.`);
      const outcome = effect?.present?.(walked);
      if (outcome === undefined) return [walked];
      this.#tell(outcome, type, memberPath);
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
          Object.entries(versions).map(([key, item]) => [key, walk.item(type, item, type.uid, '')]),
        ),
      ];
    }),
  );
  return { content: after, changes: walk.changes };
}
