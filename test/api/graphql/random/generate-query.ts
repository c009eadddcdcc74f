import { getNamedType, isInputObjectType, isLeafType, isObjectType, isUnionType } from 'graphql';
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import { fc } from '../../../support/properties.js';
import { DOCUMENT_IDS } from './content.js';

interface RandomQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Gen = Parameters<Parameters<ReturnType<typeof fc.gen>['map']>[0]>[0];

const MAX_DEPTH = 4;

/** Argument values as GraphQL prints them, by the name of the argument. */
const ARGUMENT_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  pagination: [
    { limit: 2 },
    { page: 2, pageSize: 1 },
    { start: 1, limit: -1 },
    {},
    { limit: 200 },
    { after: '', limit: 2 },
  ],
  sort: ['documentId:desc', ['label', 'documentId'], ['id:desc'], []],
  status: [{ name: 'DRAFT' }, { name: 'PUBLISHED' }],
  locale: ['fr', 'en', '*'],
  hasPublishedVersion: [true, false],
  documentId: DOCUMENT_IDS,
};

const FILTERS: Readonly<Record<string, readonly unknown[]>> = {
  label: [{ containsi: 'o' }, { ne: 'Two' }, { null: true }],
  text: [{ notNull: true }],
  documentId: [{ in: ['p1', 't1', 'p3'] }, { ne: 'p1' }],
  main: [{ label: { eq: 'Two' } }],
  tone: [{ eq: 'loud' }],
};

const printValue = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  return `{${entries.map(([key, each]) => `${key}: ${printValue(each)}`).join(', ')}}`;
};

const isEnumValue = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'name' in value;

/** Writes one query after the choices of a generator. */
class QueryWriter {
  readonly #pick: Gen;
  readonly #fragments: string[] = [];
  readonly #variables = new Map<string, { readonly type: string; readonly value: unknown }>();
  #names = 0;

  constructor(pick: Gen) {
    this.#pick = pick;
  }

  #one<T>(values: readonly T[]): T {
    const value = values[this.#pick(fc.nat, { max: values.length - 1 })];
    if (value === undefined) throw new Error('There is nothing to choose from.');
    return value;
  }

  #chance(percent: number): boolean {
    return this.#pick(fc.integer, { min: 1, max: 100 }) <= percent;
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  #variable(type: string, value: unknown): string {
    const name = this.#name('v');
    this.#variables.set(name, { type, value });
    return `$${name}`;
  }

  #directive(): string {
    if (!this.#chance(12)) return '';
    const value = this.#chance(60);
    const condition = this.#chance(50) ? this.#variable('Boolean!', value) : String(value);
    return ` @${this.#one(['include', 'skip'])}(if: ${condition})`;
  }

  #filters({ type }: GraphQLArgument): unknown {
    const input = getNamedType(type);
    if (!isInputObjectType(input)) return undefined;
    const names = Object.keys(FILTERS).filter((name) => name in input.getFields());
    if (names.length === 0) return {};
    const name = this.#one(names);
    const filter = { [name]: this.#one(FILTERS[name] ?? []) };
    return this.#chance(20) ? { not: filter } : filter;
  }

  #argument(argument: GraphQLArgument): readonly string[] {
    const { name, type } = argument;
    const isNeeded = String(type).endsWith('!');
    if (!isNeeded && !this.#chance(35)) return [];
    const choices = ARGUMENT_VALUES[name];
    const value = name === 'filters' ? this.#filters(argument) : choices && this.#one(choices);
    if (value === undefined) return [];
    if (isEnumValue(value)) return [`${name}: ${value.name}`];
    const isVariable = this.#chance(40);
    return [`${name}: ${isVariable ? this.#variable(String(type), value) : printValue(value)}`];
  }

  #arguments({ args }: GraphQLField<unknown, unknown>): string {
    const texts = args.flatMap((argument) => this.#argument(argument));
    return texts.length === 0 ? '' : `(${texts.join(', ')})`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    // Without an alias, fields with different arguments could not be merged.
    const isAliased = this.#chance(field.args.length > 0 ? 100 : 30);
    const alias = isAliased ? `${this.#name('a')}: ` : '';
    const selection = isLeafType(getNamedType(field.type))
      ? ''
      : ` ${this.#selectionOf(field.type, depth + 1)}`;
    return `${alias}${field.name}${this.#arguments(field)}${this.#directive()}${selection}`;
  }

  #selectionOf(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isObjectType(named)) return this.#objectSelection(named, depth);
    const members = isUnionType(named) ? named.getTypes() : [];
    const parts = members
      .filter((member) => this.#chance(member.name === 'Error' ? 5 : 45) && depth < MAX_DEPTH + 2)
      .map((member) => `... on ${member.name}${this.#directive()} ${this.#memberSelection(member, depth)}`);
    return `{ ${['__typename', ...parts].join(' ')} }`;
  }

  /** Members of a union may have fields of different types under the same name, so that all get aliases. */
  #memberSelection(type: GraphQLObjectType, depth: number): string {
    const fields = this.#fields(type, depth).map((field) => {
      const name = `${this.#name('m')}: ${field.name}`;
      return isLeafType(getNamedType(field.type))
        ? name
        : `${name}${this.#arguments(field)} ${this.#selectionOf(field.type, depth + 1)}`;
    });
    return `{ ${fields.join(' ')} }`;
  }

  #fields(type: GraphQLObjectType, depth: number): readonly GraphQLField<unknown, unknown>[] {
    const fields = Object.values(type.getFields()).filter(
      (field) => depth < MAX_DEPTH || isLeafType(getNamedType(field.type)) || field.name === 'nodes',
    );
    // Connections have few fields.
    const shown = fields.some(({ name }) => name === 'nodes') ? fields : [];
    const count = this.#pick(fc.integer, { min: 1, max: 4 });
    return [...new Set([...shown, ...Array.from({ length: count }, () => this.#one(fields))])];
  }

  #objectSelection(type: GraphQLObjectType, depth: number): string {
    const parts = this.#fields(type, depth).map((field) => this.#field(field, depth));
    if (this.#chance(20))
      parts.splice(this.#chance(50) ? 0 : parts.length, 0, `${this.#name('t')}: __typename`);
    if (this.#chance(15))
      parts.push(`... on ${type.name}${this.#directive()} { ...${this.#fragment(type, depth)} }`);
    if (this.#chance(15)) parts.unshift(`... { __typename }`);
    return `{ ${parts.join(' ')} }`;
  }

  #fragment(type: GraphQLObjectType, depth: number): string {
    const name = this.#name('F');
    const fields = this.#fields(type, depth + 1).map((field) => this.#field(field, depth + 1));
    this.#fragments.push(`fragment ${name} on ${type.name} { ${fields.join(' ')} }`);
    return name;
  }

  write(schema: GraphQLSchema, roots: readonly string[]): RandomQuery {
    const queryFields = schema.getQueryType()?.getFields() ?? {};
    const count = this.#chance(75) ? 1 : 2;
    const fields = Array.from({ length: count }, () => {
      const field = queryFields[this.#one(roots)];
      if (field === undefined) throw new Error('The schema lacks a root field.');
      return `${this.#name('r')}: ${this.#field(field, 0).replace(/^a\d+: /u, '')}`;
    });
    const definitions = [...this.#variables].map(([name, { type }]) => `$${name}: ${type}`);
    const head = definitions.length === 0 ? 'query' : `query (${definitions.join(', ')})`;
    return {
      query: [`${head} { ${fields.join(' ')} }`, ...this.#fragments].join('\n'),
      variables: Object.fromEntries([...this.#variables].map(([name, { value }]) => [name, value])),
    };
  }
}

/** Random queries of some root fields of a schema. */
export function randomQuery(schema: GraphQLSchema, roots: readonly string[]) {
  return fc.gen().map((pick) => new QueryWriter(pick).write(schema, roots));
}
