import { targetsOf } from '../../../src/model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, Uid } from '../../../src/model/model.js';
import type { createRandom } from '../../support/random.js';
import { COLORS } from './tagged-site.js';

export type Random = ReturnType<typeof createRandom>;

/** A random number from 0 to `below` - 1. */
export const numberBelow = (random: Random, below: number): number => Math.floor(random.next() * below);

export type Data = Readonly<Record<string, unknown>>;

export type IdsOf = (uid: Uid) => readonly string[];

/** Creates random values of documents, which link documents that exist or existed. */
export class RandomData {
  constructor(
    private readonly model: ContentModel,
    private readonly random: Random,
    private readonly idsOf: IdsOf,
  ) {}

  /** Most edits change texts, which pages show, rather than values that lists select. */
  private attributesOf(schema: ContentSchema): readonly Attribute[] {
    const all = Object.values(schema.attributes);
    const scalars = all.filter(({ family }) => family === 'scalar');
    const texts = scalars.filter(({ type }) => type === 'string');
    return [0, ...this.random.some([1])].map(() =>
      this.random.pick(this.random.next() < 0.15 ? all : this.random.next() < 0.5 ? scalars : texts),
    );
  }

  /** Values of one or two attributes, or of all attributes of a component. */
  of(schema: ContentSchema, depth = 0): Data {
    const attributes = depth === 0 ? this.attributesOf(schema) : Object.values(schema.attributes);
    return Object.fromEntries(
      attributes.map((attribute) => [attribute.name, this.valueOf(attribute, depth)]),
    );
  }

  private valueOf(attribute: Attribute, depth: number): unknown {
    const { random } = this;
    switch (attribute.family) {
      case 'scalar':
        if (attribute.type === 'integer') return numberBelow(random, 50);
        if (attribute.type === 'boolean') return random.next() < 0.5;
        return attribute.type === 'enumeration' ? random.pick(COLORS) : `text ${numberBelow(random, 50)}`;
      case 'component':
        return attribute.repeatable
          ? random.some([1, 2]).map(() => this.itemOf(attribute.component, depth))
          : this.itemOf(attribute.component, depth);
      case 'dynamiczone':
        return random
          .some(attribute.components)
          .map((uid) => ({ __component: uid, ...this.itemOf(uid, depth) }));
      case 'relation':
      case 'media':
        return this.linksOf(attribute, depth > 0);
    }
  }

  private itemOf(uid: Uid, depth: number): Data {
    const component = this.model.componentsByUid[uid];
    return component === undefined ? {} : this.of(component, depth + 1);
  }

  private linksOf(
    attribute: Extract<Attribute, { family: 'relation' | 'media' }>,
    isNested: boolean,
  ): unknown {
    const { random } = this;
    const targets = targetsOf(attribute).filter((uid) => this.idsOf(uid).length > 0);
    if (targets.length === 0) return attribute.many ? [] : null;
    const link = (): unknown => {
      const type = random.pick(targets);
      const documentId = random.pick(this.idsOf(type));
      return attribute.target === null ? { __type: type, documentId } : documentId;
    };
    if (!attribute.many) return random.next() < 0.2 ? null : link();
    const links = random.some([1, 2, 3]).map(link);
    if (isNested || attribute.target === null || random.next() < 0.4) return links;
    return random.next() < 0.6 ? { connect: links } : { disconnect: links };
  }
}
