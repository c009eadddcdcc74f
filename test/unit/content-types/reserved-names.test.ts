import { describe, expect, it } from 'vitest';
import { buildFiles, printProblem } from '../../support/schema-files.js';
import { problemAt, thing } from '../../support/schema-problems.js';

describe('reserved attribute names', () => {
  const names = [
    'id',
    'documentId',
    'document_id',
    'createdAt',
    'updatedAt',
    'publishedAt',
    'created_by_id',
    'updated_by_id',
    'createdBy',
    'updatedBy',
    'entry_id',
    'status',
    'localizations',
    'meta',
    'locale',
    '__component',
    '__contentType',
    '__proto__',
    'strapiVersion',
    '_strapi',
    '__strapi_x',
    'PublishedAt',
    'ENTRY_ID',
  ];

  it.each(names)('%s', (name) => {
    expect(buildFiles(thing(`"${name}": { "type": "string" }`)).problems.map(printProblem)).toEqual([
      problemAt('error', 'reserved-name', 12, name),
    ]);
  });

  it.each([
    'component',
    'contentType',
    'idea',
    'metadata',
    'statusText',
    'version',
    'document',
    'constructor',
    'toString',
    'select',
    'order',
    'my-name',
    'AND',
  ])('%s is not reserved', (name) => {
    const { model, problems } = buildFiles(thing(`"${name}": { "type": "string" }`));
    expect(problems).toEqual([]);
    expect(Object.keys(model?.typesByUid['api::thing.thing']?.attributes ?? {})).toEqual([name]);
  });
});
