import { isRecord } from '../../lib/is-record.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { readStoredTarget } from '../../model/component-target.js';
import type {
  ComponentAttribute,
  ContentModel,
  ContentSchema,
  DynamicZoneAttribute,
} from '../../model/model.js';

import type { ComponentIdSource } from './component-ids.js';

type Values = Record<string, JsonValue>;

/** A link that a component holds. */
export interface ComponentLink {
  readonly component: string;
  readonly id: number;
  readonly attribute: string;
  /** Places of targets, from 1. */
  readonly pos: number;
  readonly target: string;
  readonly documentId: string;
}

const isValues = (value: JsonValue): value is Values => isRecord(value);

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string');

/**
 * Turns stored components into those of an export. Their ids, unique within a version, become unique within
 * their kind: whoever visits the same rows in the same order with such ids gets the same ones.
 */
export class ComponentNumbering {
  readonly #model: ContentModel;
  readonly #ids: ComponentIdSource;

  constructor(model: ContentModel, ids: ComponentIdSource) {
    this.#model = model;
    this.#ids = ids;
  }

  /** Returns the value of an attribute, and adds the links in it to `links`. */
  convert(
    attribute: ComponentAttribute | DynamicZoneAttribute,
    value: JsonValue,
    links: ComponentLink[],
  ): JsonValue {
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    const converted = items.filter(isValues).flatMap((item) => {
      const kind = item['__component'];
      const named = typeof kind === 'string' ? kind : '';
      const uid = attribute.family === 'component' ? attribute.component : named;
      const schema = this.#model.componentsByUid[uid];
      if (schema === undefined) return [];
      const own = this.#convertItem(schema, item, links);
      return [attribute.family === 'component' ? own : { ...own, __component: uid }];
    });
    const isList = attribute.family === 'dynamiczone' || attribute.repeatable;
    return isList ? converted : (converted[0] ?? null);
  }

  #convertItem(schema: ContentSchema, item: Values, links: ComponentLink[]): Values {
    const { uid } = schema;
    const id = this.#ids.next(uid, item['id']);
    const values: Values = { id };
    for (const attribute of Object.values(schema.attributes)) {
      const { name } = attribute;
      if (attribute.family === 'scalar') values[name] = item[name] ?? null;
      else if (attribute.family === 'component' || attribute.family === 'dynamiczone')
        values[name] = this.convert(attribute, item[name] ?? null, links);
      else
        for (const [index, stored] of textsOf(item[name]).entries()) {
          const linked = readStoredTarget(attribute, stored);
          if (linked === null || !Object.hasOwn(this.#model.typesByUid, linked.type)) continue;
          const { type: target, documentId } = linked;
          links.push({ component: uid, id, attribute: name, pos: index + 1, target, documentId });
        }
    }
    return values;
  }
}
