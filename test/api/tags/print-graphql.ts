import { FILE_UID, USER_UID } from '../../../src/model/content-types/builtin-types.js';
import { camelCase, pascalCase } from '../../../src/lib/names.js';
import { componentOf, typeOf } from '../../../src/model/lookup.js';
import type { Attribute, ContentModel, ContentSchema } from '../../../src/model/model.js';
import { isRecord } from '../../../src/lib/records.js';
import type { Random } from './random-data.js';
import type { RandomRead } from './random-reads.js';

/** Prints parameters of REST as values of GraphQL: `$eq` is `eq`. */
const printValue = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key.replace('$', '')}: ${printValue(each)}`)
    .join(', ')}}`;
};

const printArguments = (args: Readonly<Record<string, unknown>>): string => {
  const printed = Object.entries(args).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${printValue(value)}`],
  );
  return printed.length === 0 ? '' : `(${printed.join(', ')})`;
};

const SYSTEM_FIELDS = ['documentId', 'updatedAt', 'createdAt', 'publishedAt'];

const parametersOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** Writes selections with random fields and aliases, some without ids. */
class SelectionPrinter {
  constructor(
    private readonly model: ContentModel,
    private readonly random: Random,
  ) {}

  private scalarsOf(schema: ContentSchema): readonly string[] {
    if ('uid' in schema && schema.uid === FILE_UID)
      return ['name', 'caption', 'url', 'alternativeText', 'focalPoint'];
    if ('uid' in schema && schema.uid === USER_UID) return ['username'];
    const names = Object.values(schema.attributes)
      .filter(({ family }) => family === 'scalar')
      .map(({ name }) => name);
    return 'singularName' in schema ? [...names, ...this.random.some(SYSTEM_FIELDS)] : [...names, 'id'];
  }

  private aliased(name: string): string {
    return this.random.next() < 0.5 ? `alias_${name}: ${name}` : name;
  }

  private ofLink(attribute: Extract<Attribute, { family: 'relation' | 'media' }>, value: unknown): string {
    const { name, target, many } = attribute;
    const { filters, sort, count, on, ...params } = parametersOf(value);
    if (target === null) {
      const members = Object.keys(parametersOf(on)).map((uid) => {
        const { typeName } = typeOf(this.model, uid);
        return `... on ${typeName} { documentId text }`;
      });
      return `${this.aliased(name)} { __typename ${members.join(' ')} }`;
    }
    const type = typeOf(this.model, target);
    const selection = count === true ? '{ documentId }' : this.print(type, params);
    if (!many) return `${this.aliased(name)} ${selection}`;
    const args = printArguments({ filters, sort });
    return this.random.next() < 0.2
      ? `${this.aliased(`${name}_connection`)}${args} { nodes ${selection} }`
      : `${this.aliased(name)}${args} ${selection}`;
  }

  private populated(schema: ContentSchema, name: string, value: unknown): string {
    if (name === 'localizations') return `localizations { locale text }`;
    const attribute = schema.attributes[name];
    switch (attribute?.family) {
      case 'relation':
      case 'media':
        return this.ofLink(attribute, value);
      case 'component':
        return `${this.aliased(name)} ${this.print(componentOf(this.model, attribute.component), value)}`;
      case 'dynamiczone': {
        const on = Object.entries(parametersOf(parametersOf(value)['on']));
        const members = on.map(([uid, params]) => {
          const typeName = `Component${uid.split('.').map(pascalCase).join('')}`;
          return `... on ${typeName} ${this.print(componentOf(this.model, uid), params)}`;
        });
        return `${this.aliased(name)} { __typename ${members.join(' ')} }`;
      }
      default:
        return '';
    }
  }

  print(schema: ContentSchema, value: unknown): string {
    const scalars = this.scalarsOf(schema);
    const fields = new Set([this.random.pick(scalars), ...scalars.filter(() => this.random.next() < 0.9)]);
    const populate = Object.entries(parametersOf(parametersOf(value)['populate']));
    const populated = populate.map(([name, each]) => this.populated(schema, name, each));
    return `{ ${[...fields, ...populated].join(' ')} }`;
  }
}

const printRoot = (
  printer: SelectionPrinter,
  random: Random,
  { type, documentId, params }: RandomRead,
  index: number,
): string => {
  const { locale, filters, sort, pagination, _q, ...selected } = params;
  const selection = printer.print(type, selected);
  const alias = `root${index}`;
  const singular = camelCase(type.singularName);
  const ofOne = printArguments({ documentId: documentId ?? undefined, locale });
  if (type.kind === 'singleType' || documentId !== null) return `${alias}: ${singular}${ofOne} ${selection}`;
  const plural = camelCase(type.pluralName);
  const kind = random.next();
  if (kind < 0.05)
    return `${alias}: ${plural}_connection${printArguments({ filters, locale, _q })} { pageInfo { total } }`;
  const args = printArguments({ filters, sort, pagination, locale, _q });
  return kind < 0.3
    ? `${alias}: ${plural}_connection${args} { nodes ${selection} pageInfo { total pageCount } }`
    : `${alias}: ${plural}${args} ${selection}`;
};

/** Prints reads as the address of a query of GraphQL. */
export function printGraphql(model: ContentModel, reads: readonly RandomRead[], random: Random): string {
  const printer = new SelectionPrinter(model, random);
  const roots = reads.map((read, index) => printRoot(printer, random, read, index));
  return `/graphql?query=${encodeURIComponent(`{ ${roots.join(' ')} }`)}`;
}
