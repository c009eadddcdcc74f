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
    description: 'Accept routine prompts. Never authorizes data loss.',
    helpGroup: 'GLOBAL',
  }),
  'no-color': Flags.boolean({ description: 'Print without colors.', helpGroup: 'GLOBAL' }),
};

/** For commands that write files, the schema or rows. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ description: 'Show the changes without making them.' }),
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

/** Options of a flag that may be repeated, with one value each time. */
export const repeatable = { multiple: true, multipleNonGreedy: true } as const;

/** Options of a flag that takes a comma-separated list and may be repeated. */
export const commaSeparated = { ...repeatable, delimiter: ',' } as const;

/** For commands that migrate stored values: the decisions about values that do not convert or fit. */
export const decisionFlags = {
  convert: Flags.string({
    ...repeatable,
    description:
      "Compute new values from value, in SQL: article.price='round(value * 100)', or in TypeScript: " +
      "article.price='ts:Math.round(value * 100)'. May be repeated.",
    helpValue: '<field=expression>',
  }),
  map: Flags.string({
    ...repeatable,
    description: 'Replace a value of an enumeration: article.colour:blue=azure. May be repeated.',
    helpValue: '<field:old=new>',
  }),
  set: Flags.string({
    ...repeatable,
    description: 'Fill missing values with this value: article.source=unknown. May be repeated.',
    helpValue: '<field=value>',
  }),
  'use-default': Flags.string({
    ...repeatable,
    description: 'Fill missing values with the default of the attribute: article.source. May be repeated.',
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
    description: 'Migrate the database after changing the schema files.',
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
    ...repeatable,
    description:
      'Attribute as name:type:options, such as title:string:required,maxLength=120. May be repeated.',
    helpValue: '<name:type>',
  }),
};

/** The address and port of a server. */
export const serverFlags = {
  port: Flags.integer({
    min: 0,
    max: 65_535,
    description: 'Port to listen on; 0 picks a free port. [default: $PORT, server.port, 1337]',
  }),
  host: Flags.string({
    description: 'Address to listen on; 0.0.0.0 for all. [default: $HOST, server.host, 127.0.0.1]',
  }),
};

const toggle = (description: string) => Flags.boolean({ allowNo: true, description });

const text = (description: string, helpValue: string) => Flags.string({ description, helpValue });

/** The flags of `cms field edit` for the options of an attribute, named as in the shorthand. */
export const attributeOptionFlags = {
  type: text('New type: string, integer, enumeration, relation…', '<type>'),
  required: toggle('Require a value for publishing.'),
  unique: toggle('Reject a value that another document has.'),
  index: toggle('Index the values for fast filters and sorting.'),
  search: toggle('Index the text for fast searches.'),
  private: toggle('Omit the attribute from every response.'),
  localized: toggle('Store a separate value for each locale.'),
  default: text('Value to store if a request sends none.', '<value>'),
  min: text('Minimum value, or minimum number of items.', '<number>'),
  max: text('Maximum value, or maximum number of items.', '<number>'),
  'min-length': text('Minimum number of characters.', '<number>'),
  'max-length': text('Maximum number of characters.', '<number>'),
  regex: text('Pattern that values must match.', '<pattern>'),
  enum: text('Values of an enumeration, separated by |.', '<a|b>'),
  'target-field': text('Attribute to generate a uid from.', '<field>'),
  generate: toggle('Generate a uid from its target field if a request sends none.'),
  component: text('Component of the attribute.', '<component>'),
  components: text('Components of a dynamic zone, separated by |.', '<a|b>'),
  repeatable: toggle('Accept a list of components.'),
  multiple: toggle('Accept several files.'),
  'allowed-types': text('Allowed kinds of files, separated by |.', '<images|videos>'),
  relation: text('Kind of relation: manyToOne, manyToMany…', '<kind>'),
  target: text('Content-type that the relation points to.', '<type>'),
  'inversed-by': text('Attribute of the target on the inverse side.', '<field>'),
  'mapped-by': text('Attribute of the target that owns the relation.', '<field>'),
  unset: Flags.string({
    ...repeatable,
    description: 'Option to remove, such as max or inversedBy. May be repeated.',
    helpValue: '<option>',
  }),
};

const NO_OPTIONS: ReadonlySet<string> = new Set(['type', 'unset']);

const camelCase = (flag: string): string =>
  flag.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Returns the changes of an attribute from the flags. Null if none is given. */
export function readAttributeEdit(flags: Readonly<Record<string, unknown>>): AttributeEdit | null {
  const options = Object.keys(attributeOptionFlags)
    .filter((name) => !NO_OPTIONS.has(name) && flags[name] !== undefined)
    .map((name) => ({ key: camelCase(name), value: String(flags[name]) }));
  const type = typeof flags['type'] === 'string' ? flags['type'] : undefined;
  const unset = Array.isArray(flags['unset']) ? flags['unset'].map(String) : [];
  return type === undefined && options.length === 0 && unset.length === 0 ? null : { type, options, unset };
}
