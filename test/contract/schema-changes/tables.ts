import { COMPONENT_CHANGES } from './components.js';
import { CONSTRAINT_CHANGES } from './constraints.js';
import { DECISION_CHANGES } from './decisions.js';
import { KEPT_CHANGES } from './kept-types.js';
import { RELATION_CHANGES } from './relations.js';
import { RENAME_CHANGES } from './renames.js';
import { SCALAR_CHANGES } from './scalars.js';
import type { Tables } from './support/test-schema-changes.js';
import { TYPE_CHANGES } from './types.js';
import { VERSION_CHANGES } from './versions.js';
import { ZONE_CHANGES } from './zones.js';

/** All tables, by subject. */
export const TABLES: Tables = {
  'types that store values alike': KEPT_CHANGES,
  'types of scalars': SCALAR_CHANGES,
  'constraints and enumerations': CONSTRAINT_CHANGES,
  components: COMPONENT_CHANGES,
  'dynamic zones': ZONE_CHANGES,
  'relations and media': RELATION_CHANGES,
  renames: RENAME_CHANGES,
  decisions: DECISION_CHANGES,
  'content-types and new components': TYPE_CHANGES,
  'drafts and locales': VERSION_CHANGES,
};
