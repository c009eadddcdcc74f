import { KEPT_CHANGES } from './kept-types.js';
import type { Tables } from './support/test-schema-changes.js';
import { TYPE_CHANGES } from './types.js';
import { VERSION_CHANGES } from './versions.js';

/** All tables, by subject. */
export const TABLES: Tables = {
  'types that store values alike': KEPT_CHANGES,
  'types and components': TYPE_CHANGES,
  'drafts and locales': VERSION_CHANGES,
};
