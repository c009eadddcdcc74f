import { describe, expect, it } from 'vitest';
import { buildFiles, printProblem } from '../../../support/schema-files.js';
import { problemAt, thing } from '../../../support/schema-problems.js';

describe('reserved attribute names', () => {
  const names = [
    'id',
    'Id',
    'documentId',
    'document_id',
    'created_at',
    'updated_at',
    'created_by_id',
    'updated_by_id',
    'Locale',
    '__component',
    '__contentType',
    '__proto__',
    'PublishedAt',
  ];

  it.each(names)('%s', (name) => {
    expect(buildFiles(thing(`"${name}": { "type": "string" }`)).problems.map(printProblem)).toEqual([
      problemAt('error', 'reserved-name', 12, name),
    ]);
  });

  it.each(['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations'])(
    '%s is the field of that name, which every document has',
    (name) => {
      const { model, problems } = buildFiles(
        thing(`"${name}": { "type": "string" }`, '"title": { "type": "string" }'),
      );
      expect(problems.map(printProblem)).toEqual([problemAt('warning', 'reserved-name', 12, name)]);
      expect(model?.typesByUid['api::thing.thing']).toMatchObject({ ignoredAttributes: [] });
      expect(Object.keys(model?.typesByUid['api::thing.thing']?.attributes ?? {})).toEqual(['title']);
    },
  );

  it.each([
    'status',
    'meta',
    'entry_id',
    'created_by',
    'strapiVersion',
    '_strapi',
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
