import * as Flags from '@oclif/core/flags';
import type { AttributeEdit } from '../project/scaffold/edit-schema.js';

/** The flags of every command. */
export const globalFlags = {
  json: Flags.boolean({
    description: 'Print one JSON document to stdout, including errors.',
    helpGroup: 'GLOBAL',
  }),
  yes: Flags.boolean({
    char: 'y',
    description: 'Answer yes to routine questions. Never authorises data loss.',
    helpGroup: 'GLOBAL',
  }),
  'no-color': Flags.boolean({ description: 'Print without colours.', helpGroup: 'GLOBAL' }),
};

/** For commands that write files, the schema or rows. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ description: 'Show what would change without changing anything.' }),
};

/** For commands that may lose data. */
export const acceptDataLossFlag = {
  'accept-data-loss': Flags.boolean({ description: 'Go ahead even if data is lost.' }),
};

/** For commands that migrate stored values. */
export const acceptInvalidFlag = {
  'accept-invalid': Flags.boolean({
    aliases: ['accept-misfits'],
    description: 'Go ahead even if stored values do not fit the new schema.',
  }),
};

const repeatable = { multiple: true, multipleNonGreedy: true } as const;

/** For commands that migrate stored values: what becomes of those that do not convert or fit. */
export const decisionFlags = {
  convert: Flags.string({
    ...repeatable,
    description:
      "New values as an SQL expression over value: article.price='round(value * 100)'. " +
      "Or after ts: as one of TypeScript: article.price='ts:Math.round(value * 100)'.",
    helpValue: '<field=expression>',
  }),
  map: Flags.string({
    ...repeatable,
    description: 'The new value of an enumeration for an old one: article.colour:blue=azure.',
    helpValue: '<field:old=new>',
  }),
  set: Flags.string({
    ...repeatable,
    description: 'The value where there is none: article.source=unknown.',
    helpValue: '<field=value>',
  }),
  'use-default': Flags.string({
    ...repeatable,
    description: 'Fill what has no value with the default of the attribute: article.source.',
    helpValue: '<field>',
  }),
};

/** The values of {@link decisionFlags}. */
export interface DecisionFlagValues {
  readonly convert?: readonly string[] | undefined;
  readonly map?: readonly string[] | undefined;
  readonly set?: readonly string[] | undefined;
  readonly 'use-default'?: readonly string[] | undefined;
}

/** For commands that change schema files and migrate the database. */
export const schemaFlags = {
  migrate: Flags.boolean({
    allowNo: true,
    default: true,
    description: 'Migrate the database at once.',
  }),
  ...acceptDataLossFlag,
  ...acceptInvalidFlag,
  ...dryRunFlag,
};

/** The values of {@link schemaFlags}. */
export interface SchemaFlagValues extends DecisionFlagValues {
  readonly migrate: boolean;
  readonly 'accept-data-loss': boolean;
  readonly 'accept-invalid': boolean;
  readonly 'dry-run': boolean;
}

export const attributeFlag = {
  attribute: Flags.string({
    char: 'a',
    multiple: true,
    multipleNonGreedy: true,
    description:
      'An attribute as name:type:options, such as title:string:required,maxLength=120. May be repeated.',
    helpValue: '<name:type>',
  }),
};

/** The flags that say where a server listens. */
export const serverFlags = {
  port: Flags.integer({
    min: 0,
    max: 65_535,
    description: 'Port to listen on. 0 picks a free one. [default: $PORT, server.port, 1337]',
  }),
  host: Flags.string({
    description: 'Address to listen on. 0.0.0.0 for all. [default: $HOST, server.host, 127.0.0.1]',
  }),
};

const toggle = (description: string) => Flags.boolean({ allowNo: true, description });

const text = (description: string, helpValue: string) => Flags.string({ description, helpValue });

/** The options of an attribute, as `cms field edit` takes them. Their names are those of the shorthand. */
export const attributeOptionFlags = {
  type: text('The new type: string, integer, enumeration, relation…', '<type>'),
  required: toggle('Refuse publishing without a value.'),
  unique: toggle('Refuse the same value in two documents.'),
  index: toggle('Index its values, so that filters and sorting by it stay fast.'),
  search: toggle('Index its texts, so that searching in them stays fast.'),
  private: toggle('Leave it out of every response.'),
  localized: toggle('Give each locale its own value.'),
  default: text('The value where a request sends none.', '<value>'),
  min: text('The smallest value, or the fewest items.', '<number>'),
  max: text('The largest value, or the most items.', '<number>'),
  'min-length': text('The fewest characters.', '<number>'),
  'max-length': text('The most characters.', '<number>'),
  regex: text('The pattern that a value must match.', '<pattern>'),
  enum: text('The values of an enumeration, separated by |.', '<a|b>'),
  'target-field': text('The attribute that a uid is made from.', '<field>'),
  generate: toggle('Make a uid from its target field where a request sends none.'),
  component: text('The component of the attribute.', '<component>'),
  components: text('The components of a dynamic zone, separated by |.', '<a|b>'),
  repeatable: toggle('Take a list of components.'),
  multiple: toggle('Take several files.'),
  'allowed-types': text('The kinds of files, separated by |.', '<images|videos>'),
  relation: text('The kind of relation: manyToOne, manyToMany…', '<kind>'),
  target: text('The type that a relation points to.', '<type>'),
  'inversed-by': text('The attribute of the target that is the other side.', '<field>'),
  'mapped-by': text('The attribute of the target that owns the relation.', '<field>'),
  unset: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'An option to remove, such as max or inversedBy. May be repeated.',
    helpValue: '<option>',
  }),
};

const NO_OPTIONS: ReadonlySet<string> = new Set(['type', 'unset']);

const camelCase = (flag: string): string =>
  flag.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Returns what the flags change of an attribute. Null where none is given. */
export function readAttributeEdit(flags: Readonly<Record<string, unknown>>): AttributeEdit | null {
  const options = Object.keys(attributeOptionFlags)
    .filter((name) => !NO_OPTIONS.has(name) && flags[name] !== undefined)
    .map((name) => ({ key: camelCase(name), value: String(flags[name]) }));
  const type = typeof flags['type'] === 'string' ? flags['type'] : undefined;
  const unset = Array.isArray(flags['unset']) ? flags['unset'].map(String) : [];
  return type === undefined && options.length === 0 && unset.length === 0 ? null : { type, options, unset };
}
