import { testSchemaChanges } from './support/test-schema-changes.js';
import { TABLES } from './tables.js';

testSchemaChanges('sqlite', TABLES);
