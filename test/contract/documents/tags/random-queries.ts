import type {
  Attribute,
  ContentSchema,
  ContentType,
  ContentModel,
  Uid,
} from '../../../../src/model/model.js';
import { componentOf, targetsOf, typeOf } from '../../../../src/model/lookup.js';
import { FILE_UID } from '../../../../src/model/content-types/builtin-types.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import type { ReadQuery, Selection } from '../../../../src/query/query.js';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { COLORS, LOCALES, numberBelow } from './random-site.js';
import type { Random, RandomSite } from './random-site.js';

/** A query as a transport parses it. */
export interface RandomQuery {
  readonly query: ReadQuery;
  readonly documentId: string | null;
  readonly description: string;
}

type Params = Readonly<Record<string, unknown>>;

const OPTIONS = {
  limits: { defaultLimit: 25, maxLimit: 100, populateDepth: 20, maxNodes: 1000 },
  access: { canFind: () => true },
  defaultLocale: 'en',
};

const isLink = (attribute: Attribute): attribute is Extract<Attribute, { family: 'relation' | 'media' }> =>
  attribute.family === 'relation' || attribute.family === 'media';

/** Creates random parameters of reads. */
class QueryGenerator {
  constructor(
    private readonly model: ContentModel,
    private readonly site: Pick<RandomSite, 'idsOf'>,
    private readonly random: Random,
  ) {}

  private attributes<A extends Attribute>(
    schema: ContentSchema,
    is: (attribute: Attribute) => attribute is A,
  ): readonly A[] {
    return Object.values(schema.attributes).filter(is);
  }

  /** A link with one target type. */
  private link(schema: ContentSchema): { readonly name: string; readonly target: ContentType } | null {
    const links = this.attributes(schema, isLink).filter(({ target }) => target !== null);
    if (links.length === 0) return null;
    const { name, target } = this.random.pick(links);
    return { name, target: typeOf(this.model, target ?? '') };
  }

  /** The conditions of most lists: one value, or one linked document. */
  private equality(type: ContentType): Params {
    const { random } = this;
    const link = this.link(type);
    const ids = link === null ? [] : this.site.idsOf(link.target.uid);
    if (link !== null && ids.length > 0 && random.next() < 0.5)
      return { [link.name]: { documentId: random.pick(ids) } };
    return random.next() < 0.7
      ? { color: { $eq: random.pick(COLORS) } }
      : { isBig: { $eq: random.next() < 0.5 } };
  }

  filter(type: ContentType, depth = 0): Params {
    const { random } = this;
    if (random.next() < 0.7) return this.equality(type);
    const link = this.link(type);
    switch (numberBelow(random, depth === 0 ? 6 : 3)) {
      case 0:
        return { count: { $gt: numberBelow(random, 50) } };
      case 1:
        return { text: { $contains: `${numberBelow(random, 9)}` } };
      case 2:
        return { seo: { title: { $notNull: true } } };
      case 3:
        return link === null ? {} : { [link.name]: { $notNull: true } };
      case 4:
        return { $or: [this.filter(type, 1), { $not: this.filter(type, 1) }] };
      default:
        if (link === null) return {};
        return {
          [link.name]:
            link.target.uid === FILE_UID ? { name: { $contains: '1' } } : this.filter(link.target, 1),
        };
    }
  }

  private sort(type: ContentType): readonly string[] {
    const link = this.link(type);
    const isOfLink = link !== null && this.random.next() < 0.2;
    if (isOfLink && link.target.uid !== FILE_UID) return [`${link.name}.count`];
    return [this.random.pick(['text:desc', 'count', 'updatedAt:desc', 'createdAt', 'createdAt:desc', 'id'])];
  }

  private target(type: ContentType, depth: number): Params | boolean {
    const { random } = this;
    if (type.uid === FILE_UID) return random.next() < 0.5 || { fields: ['name'] };
    if (random.next() < 0.1) return { count: true };
    return {
      ...(random.next() < 0.1 ? { fields: ['text', 'count', 'color', 'isBig'] } : {}),
      ...(random.next() < 0.03 ? { sort: this.sort(type), filters: this.filter(type, 1) } : {}),
      ...(depth < 2 && random.next() < 0.4 ? { populate: this.populate(type, depth + 1) } : {}),
    };
  }

  populate(schema: ContentSchema, depth = 0): Params {
    const names = Object.values(schema.attributes).filter(({ family }) => family !== 'scalar');
    const chosen = Array.from({ length: 1 + numberBelow(this.random, 2) }, () => this.random.pick(names));
    const entries = chosen.map((attribute) => [attribute.name, this.populated(attribute, depth)] as const);
    const localizations =
      'localized' in schema && schema.localized && this.random.next() < 0.1 ? { localizations: true } : {};
    return { ...Object.fromEntries(entries), ...localizations };
  }

  private populated(attribute: Attribute, depth: number): unknown {
    const ofComponent = (uid: Uid): unknown => ({ populate: this.populate(componentOf(this.model, uid), 2) });
    switch (attribute.family) {
      case 'scalar':
        return true;
      case 'component':
        return ofComponent(attribute.component);
      case 'dynamiczone':
        return { on: Object.fromEntries(attribute.components.map((uid) => [uid, ofComponent(uid)])) };
      case 'relation':
      case 'media': {
        const { target } = attribute;
        return target === null
          ? { on: Object.fromEntries(targetsOf(attribute).map((uid) => [uid, { fields: ['documentId'] }])) }
          : this.target(typeOf(this.model, target), depth);
      }
    }
  }

  params(type: ContentType, isList: boolean): Params {
    const { random } = this;
    const locale = random.pick([...LOCALES, ...LOCALES, ...LOCALES, '*']);
    const filters = [0, 1].filter(() => random.next() < 0.15).map(() => this.filter(type));
    return {
      ...(type.localized && (isList || locale !== '*') ? { locale } : {}),
      ...(random.next() < 0.05 ? { fields: ['text', 'count', 'color', 'isBig'] } : {}),
      ...(random.next() < 0.75 ? { populate: this.populate(type) } : {}),
      ...(isList && filters.length > 0 ? { filters: { $and: filters } } : {}),
      ...(isList && random.next() < 0.4 ? { sort: this.sort(type) } : {}),
      ...(isList ? { pagination: { pageSize: random.pick([10, 25]), page: random.pick([1, 1, 1, 2]) } } : {}),
    };
  }
}

/** Renames the keys of populated attributes and omits all fields, as the selection of a GraphQL query may. */
const withAliases = (selection: Selection): Selection => ({
  ...selection,
  populate: selection.populate.map((node) => {
    const key = `alias_${node.key}`;
    if (node.kind === 'link' || node.kind === 'component' || node.kind === 'localizations')
      return { ...node, key, selection: withAliases(node.selection) };
    return { ...node, key };
  }),
});

/** Returns random reads of lists and documents, half of them as REST parses them and half as GraphQL does. */
export function randomQueries(
  model: ContentModel,
  site: RandomSite,
  random: Random,
  size: number,
): readonly RandomQuery[] {
  const generator = new QueryGenerator(model, site, random);
  const queries: RandomQuery[] = [];
  while (queries.length < size) {
    const type = random.pick(site.types);
    const ids = site.idsOf(type.uid);
    const isList = ids.length === 0 || random.next() < 0.5;
    const params = generator.params(type, isList);
    const documentId = isList ? null : random.pick(ids);
    const description = `${type.singularName} ${String(documentId)} ${JSON.stringify(params)}`;
    try {
      const parsed = parseReadQuery(model, type.uid, params, OPTIONS);
      const query = isList ? parsed : { ...parsed, page: null };
      const isAliased = queries.length % 2 === 1;
      queries.push({
        query: isAliased ? { ...query, selection: withAliases(query.selection) } : query,
        documentId,
        description: isAliased ? `aliased ${description}` : description,
      });
    } catch (error) {
      if (!isGalleyError(error)) throw error;
    }
  }
  return queries;
}
