import { isInputObjectType, isObjectType, printType } from 'graphql';
import { expect, it } from 'vitest';
import { buildProjectSchema } from '../../../../../src/api/graphql/schema/build-schema.js';
import { loadFixtureModel } from '../../../../support/models.js';

it('has an aggregate of each collection type, whose types no content-type can have', async () => {
  const options = { shadowCRUD: true, isLocale: () => true };
  const schema = await buildProjectSchema(await loadFixtureModel('magazine'), options, undefined);
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => name.startsWith('Aggregate_Article') || name === 'Aggregate_Unit')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(types.every((type) => isObjectType(type) || isInputObjectType(type) || 'getValues' in type)).toBe(
    true,
  );
  const root = Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(({ name }) => name.endsWith('_aggregate'))
    .map(({ name, type, args }) => `${name}(${args.map((each) => each.name).join(', ')}): ${String(type)}`);
  const sdl = [root.join('\n'), ...types.map(printType)].join('\n\n');
  await expect(`${sdl}\n`).toMatchFileSnapshot('golden/aggregates.txt');
});
