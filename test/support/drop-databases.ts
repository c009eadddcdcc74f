import { afterAll } from 'vitest';
import { dropOpenDatabases } from './databases.js';

// Test files share a process and its modules, whose own hooks would run after the first file only.
afterAll(dropOpenDatabases);
