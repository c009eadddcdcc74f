import * as Flags from '@oclif/core/flags';

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

/** For commands that change schema files and migrate the database. */
export const schemaFlags = {
  migrate: Flags.boolean({
    allowNo: true,
    default: true,
    description: 'Migrate the database at once.',
  }),
  ...acceptDataLossFlag,
  ...dryRunFlag,
};

/** The values of {@link schemaFlags}. */
export interface SchemaFlagValues {
  readonly migrate: boolean;
  readonly 'accept-data-loss': boolean;
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
