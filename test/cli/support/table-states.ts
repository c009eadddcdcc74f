import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExampleState } from './example-states.js';

const WITH_TABLES: ExampleState = {
  prepare: ({ root }) => {
    writeFileSync(join(root, 'people.csv'), 'Name\nAda\n');
    writeFileSync(join(root, 'people.map.yaml'), 'type: author\ncolumns:\n  Name: name\n');
    writeFileSync(join(root, 'people.jsonl'), '{"name": "Bo"}\n');
  },
};

/** What the examples of imports of tables need. */
export const TABLE_STATES: Readonly<Record<string, ExampleState>> = {
  "cms import people.csv --type author --map 'Name=name' --dry-run": WITH_TABLES,
  "cms import people.csv --type author --map 'Name=name' --save-map people.map.yaml --yes": WITH_TABLES,
  'cms import people.csv --map-file people.map.yaml --dry-run': WITH_TABLES,
  'cms import people.jsonl --type author --key name --yes': WITH_TABLES,
};
