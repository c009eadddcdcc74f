import { FILE_UID, USER_UID } from '../../../src/model/content-types/builtin-types.js';
import { componentOf, targetsOf, typeOf } from '../../../src/model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, ContentType, Uid } from '../../../src/model/model.js';
import { numberBelow } from './random-data.js';
import type { Data, IdsOf, Random } from './random-data.js';
import { printGraphql } from './print-graphql.js';
import { COLORS } from './tagged-site.js';

/** A read in the form of REST's parameters. */
export interface RandomRead {
  readonly type: ContentType;
  /** Null: a list, or a single type. */
  readonly documentId: string | null;
  readonly params: Data;
}

const isLink = (attribute: Attribute): attribute is Extract<Attribute, { family: 'relation' | 'media' }> =>
  attribute.family === 'relation' || attribute.family === 'media';

/** True if the type has the attributes of the random project. */
const isOfProject = ({ uid }: ContentType): boolean => uid !== FILE_UID && uid !== USER_UID;

/**
 * Creates random reads. The mix is that of a site: half of them show one document, the others lists. Three
 * quarters populate. Of the lists, a quarter is filtered, most of those by a value or a linked document, and
 * the others by a range, a text, a component, a relation's values, `$or` or `$not`; some search; 40 % are
 * sorted; most are the first page.
 */
class ReadGenerator {
  constructor(
    private readonly model: ContentModel,
    private readonly idsOf: IdsOf,
    private readonly random: Random,
  ) {}

  private isOften(share: number): boolean {
    return this.random.next() < share;
  }

  /** A link with one target type. */
  private link(schema: ContentSchema): { readonly name: string; readonly target: ContentType } | null {
    const links = Object.values(schema.attributes)
      .filter(isLink)
      .filter(({ target }) => target !== null);
    if (links.length === 0) return null;
    const { name, target } = this.random.pick(links);
    return { name, target: typeOf(this.model, target ?? '') };
  }

  /** The conditions of most lists: one value, or one linked document. */
  private equality(type: ContentType): Data {
    const { random } = this;
    const link = this.link(type);
    const ids = link === null ? [] : this.idsOf(link.target.uid);
    if (link !== null && ids.length > 0 && this.isOften(0.5))
      return { [link.name]: { documentId: { $eq: random.pick(ids) } } };
    return this.isOften(0.7)
      ? { color: { $eq: random.pick(COLORS) } }
      : { isBig: { $eq: random.next() < 0.5 } };
  }

  private filter(type: ContentType, depth = 0): Data {
    const { random } = this;
    if (!isOfProject(type)) return {};
    if (this.isOften(0.7)) return this.equality(type);
    const link = this.link(type);
    switch (numberBelow(random, depth === 0 ? 6 : 3)) {
      case 0:
        return { count: random.pick([{ $gt: numberBelow(random, 50) }, { $between: [10, 30] }]) };
      case 1:
        return { text: { $contains: `${numberBelow(random, 9)}` } };
      case 2:
        return { seo: { title: { $notNull: true } } };
      case 3:
        return link === null ? {} : { [link.name]: { documentId: { $notNull: true } } };
      case 4:
        return { $or: [this.filter(type, 1), { $not: this.filter(type, 1) }] };
      default:
        if (link === null) return {};
        if (isOfProject(link.target)) return { [link.name]: this.filter(link.target, 1) };
        return {
          [link.name]:
            link.target.uid === FILE_UID ? { name: { $contains: '1' } } : { blocked: { $eq: true } },
        };
    }
  }

  private sort(type: ContentType): readonly string[] {
    const link = this.link(type);
    if (link !== null && isOfProject(link.target) && this.isOften(0.2)) return [`${link.name}.count`];
    return [this.random.pick(['text:desc', 'count', 'updatedAt:desc', 'createdAt', 'createdAt:desc', 'id'])];
  }

  private target(type: ContentType, depth: number): Data | boolean {
    if (type.uid === FILE_UID) return this.isOften(0.5) || { fields: ['name'] };
    if (type.uid === USER_UID)
      return this.isOften(0.5) || { fields: ['username'], populate: { plains: true } };
    if (this.isOften(0.1)) return { count: true };
    return {
      ...(this.isOften(0.1) ? { fields: ['text', 'count', 'color', 'isBig'] } : {}),
      ...(this.isOften(0.03) ? { sort: this.sort(type), filters: this.filter(type, 1) } : {}),
      ...(depth < 2 && this.isOften(0.4) ? { populate: this.populate(type, depth + 1) } : {}),
    };
  }

  private populate(schema: ContentSchema, depth = 0): Data {
    const names = Object.values(schema.attributes).filter(({ family }) => family !== 'scalar');
    if (names.length === 0) return {};
    const chosen = Array.from({ length: 1 + numberBelow(this.random, 2) }, () => this.random.pick(names));
    const entries = chosen.map((attribute) => [attribute.name, this.populated(attribute, depth)] as const);
    const isLocalized = 'localized' in schema && schema.localized;
    return {
      ...Object.fromEntries(entries),
      ...(isLocalized && this.isOften(0.1) ? { localizations: true } : {}),
    };
  }

  private populated(attribute: Attribute, depth: number): unknown {
    const ofComponent = (uid: Uid): Data => ({ populate: this.populate(componentOf(this.model, uid), 2) });
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
          ? {
              on: Object.fromEntries(
                targetsOf(attribute)
                  .filter((uid) => uid.startsWith('api::'))
                  .map((uid) => [uid, { fields: ['documentId'] }]),
              ),
            }
          : this.target(typeOf(this.model, target), depth);
      }
    }
  }

  /** Parameters that only lists have. */
  private listParams(type: ContentType): Data {
    const { random } = this;
    const filters = [0, 1].filter(() => this.isOften(0.15)).map(() => this.filter(type));
    const isSearch = this.isOften(0.03);
    const sort = isSearch && this.isOften(0.5) ? ['_score'] : this.isOften(0.4) ? this.sort(type) : null;
    return {
      ...(filters.length > 0 ? { filters: { $and: filters } } : {}),
      ...(isSearch ? { _q: `${numberBelow(random, 9)}` } : {}),
      ...(sort === null ? {} : { sort }),
      pagination: random.pick([
        { pageSize: 25 },
        { pageSize: 25 },
        { pageSize: 4, page: random.pick([1, 2]) },
      ]),
    };
  }

  read(types: readonly ContentType[]): RandomRead {
    const { random } = this;
    const type = random.pick(types);
    const ids = this.idsOf(type.uid);
    const isList = type.kind === 'collectionType' && (ids.length === 0 || this.isOften(0.5));
    const locale = random.pick(['en', 'en', 'en', 'fr', 'fr', 'fr', isList ? '*' : 'en']);
    const hasLocale = type.localized && this.isOften(0.8);
    return {
      type,
      documentId: isList || type.kind === 'singleType' ? null : random.pick(ids),
      params: {
        ...(hasLocale ? { locale } : {}),
        ...(this.isOften(0.05) ? { fields: ['text', 'count', 'color', 'isBig'] } : {}),
        ...(this.isOften(0.75) ? { populate: this.populate(type) } : {}),
        ...(isList ? this.listParams(type) : {}),
      },
    };
  }
}

/** Prints parameters as the query string of REST. */
const printParams = (value: unknown, name = ''): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, each]) =>
    printParams(each, name === '' ? key : `${name}[${key}]`),
  );
};

const printRest = ({ type, documentId, params }: RandomRead): string => {
  const name = type.kind === 'singleType' ? type.singularName : type.pluralName;
  return `/api/${name}${documentId === null ? '' : `/${documentId}`}?${printParams(params).join('&')}`;
};

/** Longer requests are not cached. */
const MAX_LENGTH = 3900;

/** Returns the addresses of random reads, half of them of REST and half of GraphQL. */
export function randomReads(
  model: ContentModel,
  { idsOf, types }: { readonly idsOf: IdsOf; readonly types: readonly ContentType[] },
  random: Random,
  size: number,
): readonly string[] {
  const generator = new ReadGenerator(model, idsOf, random);
  const paths: string[] = [];
  while (paths.length < size) {
    const isGraphql = paths.length % 2 === 1;
    const reads = isGraphql && random.next() < 0.2 ? [0, 1] : [0];
    const [first, ...others] = reads.map(() => generator.read(types));
    if (first === undefined) break;
    const path = isGraphql ? printGraphql(model, [first, ...others], random) : printRest(first);
    if (path.length < MAX_LENGTH) paths.push(path);
  }
  return paths;
}
