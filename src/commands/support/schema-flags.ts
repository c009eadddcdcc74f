import * as Flags from '@oclif/core/flags';
import { acceptDataLossFlag, dryRunFlag } from './flags.js';

/** For commands that change schema files and with them the database. */
export const schemaFlags = {
  migrate: Flags.boolean({ allowNo: true, default: true, description: 'Bring the database in line at once.' }),
  ...acceptDataLossFlag,
  ...dryRunFlag,
};

/** What {@link schemaFlags} were given as. */
export interface SchemaFlagValues {
  readonly migrate: boolean;
  readonly 'accept-data-loss': boolean;
  readonly 'dry-run': boolean;
}

export const attributeFlag = {
  attribute: Flags.string({ char: 'a', multiple: true, multipleNonGreedy: true, description: 'An attribute, as name:type:options: title:string:required,maxLength=120', helpValue: '<name:type>' }),
};
