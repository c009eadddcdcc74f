import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLUGIN_OPTIONS } from '../../../src/config/plugin-options.js';
import { printConfigReference } from '../../../src/config/print-reference.js';
import { SETTINGS } from '../../../src/config/settings.js';
import { graphqlOptionsOf } from '../../../src/api/graphql/graphql-options.js';

const PAGE = new URL('../../../docs/configuration.md', import.meta.url);

const sections = [SETTINGS, ...Object.values(PLUGIN_OPTIONS)];
const options = sections.flatMap((section) => Object.entries(section));

describe('the reference page of the configuration', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, printConfigReference());

  it('is what the settings print (rewrite it with UPDATE_DOCS=1)', () => {
    expect(existsSync(PAGE) && readFileSync(PAGE, 'utf8')).toBe(printConfigReference());
  });

  it.each(options)('%s has a default and an example that are allowed', (_, { check, fallback, example }) => {
    const values = [fallback, example].filter(
      (value) => value !== undefined && value !== null && value !== '',
    );
    expect(values.map((value) => check.read(value))).toEqual(values);
  });

  it('states the defaults that the GraphQL endpoint applies', () => {
    const applied = graphqlOptionsOf({ plugins: {}, environment: 'development' });
    const documented = Object.entries(PLUGIN_OPTIONS['graphql'] ?? {}).flatMap(([key, { fallback }]) =>
      typeof fallback === 'number' || key === 'endpoint' || key === 'shadowCRUD' ? [[key, fallback]] : [],
    );
    expect(applied).toMatchObject(Object.fromEntries(documented));
  });
});
