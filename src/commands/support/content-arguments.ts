import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { dryRunFlag } from './flags.js';

/** What the commands about one document take. */
export const contentArguments = {
  uid: Args.string({ required: true, description: 'The type: api::article.article, or article.' }),
  documentId: Args.string({ required: true, description: 'The document.' }),
};

export const contentFlags = {
  locale: Flags.string({ description: 'The locale of the version; the default one where nothing is said.' }),
  ...dryRunFlag,
};

export const contentCompletion = { uid: 'type', locale: 'locale' } as const;
