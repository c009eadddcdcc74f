import * as Flags from '@oclif/core/flags';

/** Every command has these. */
export const globalFlags = {
  json: Flags.boolean({ description: 'Print one JSON document on stdout, errors included.', helpGroup: 'GLOBAL' }),
  yes: Flags.boolean({ char: 'y', description: 'Accept routine steps without asking. Never authorises data loss.', helpGroup: 'GLOBAL' }),
  'no-color': Flags.boolean({ description: 'No colours.', helpGroup: 'GLOBAL' }),
};

/** For commands that write files, schema or rows. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ description: 'Show what would change, and change nothing.' }),
};

/** For commands that may lose data. */
export const acceptDataLossFlag = {
  'accept-data-loss': Flags.boolean({ description: 'Go ahead although data is lost.' }),
};
