import { describe, expect, it } from 'vitest';
import { isRead } from '../../../../src/config/strapi/options/option.js';
import type { StrapiOptions } from '../../../../src/config/strapi/options/option.js';
import {
  ATTRIBUTE_OPTIONS,
  SCHEMA_OPTIONS,
  SCHEMA_PLUGIN_OPTIONS,
  STRUCTURAL_OPTIONS,
} from '../../../../src/model/content-types/schema-options.js';
import { buildModel } from '../../../../src/model/build-model.js';
import { definitionsFrom } from '../../../support/models.js';
import type { ProjectLiteral } from '../../../support/models.js';

type Attribute = Readonly<Record<string, unknown>>;

const OTHER_ENDS = {
  many: { type: 'relation', relation: 'morphToOne' },
  single: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' },
  list: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing' },
};

/** A type with one attribute to look at, and everything that it may refer to. */
const project = (attribute: Attribute, more: object = {}): ProjectLiteral => ({
  types: {
    thing: { localized: true, attributes: { one: attribute }, ...more },
    other: { attributes: attribute['type'] === 'relation' ? OTHER_ENDS : {} },
  },
  components: {
    'a.one': { attributes: { text: { type: 'string' } } },
    'a.two': { attributes: { text: { type: 'string' } } },
  },
});

/** The model. Null where the ends of a relation do not match. */
const textOf = (literal: ProjectLiteral): string =>
  JSON.stringify(buildModel(definitionsFrom(literal)).model, (key, value: unknown) => {
    if (key === 'options' || key === 'pluginOptions') return undefined;
    if (value instanceof RegExp) return value.source;
    return typeof value === 'bigint' ? String(value) : value;
  });

const reportsOf = (literal: ProjectLiteral): readonly string[] =>
  definitionsFrom(literal).problems.map(({ severity, message }) => `${severity} ${message}`);

type Pair = readonly [without: ProjectLiteral, given: ProjectLiteral];

const added = (base: Attribute, more: Attribute): Pair => [project(base), project({ ...base, ...more })];

const STRING = { type: 'string' };
const RELATION = { type: 'relation', relation: 'oneToMany', target: 'api::other.other' };

/** For each option that is read, a type without it and the same with it. */
const EXAMPLES: Readonly<Record<string, Pair>> = {
  required: added(STRING, { required: true }),
  private: added(STRING, { private: true }),
  writable: added(STRING, { writable: false }),
  default: added(STRING, { default: 'a' }),
  pluginOptions: added(STRING, { pluginOptions: { i18n: { localized: true } } }),
  customField: added(STRING, { type: 'customField', customField: 'plugin::multi-select.multi-select' }),
  conditions: added(STRING, { conditions: { visible: { '!!': { var: 'one' } } } }),
  searchable: added(STRING, { searchable: false }),
  'relation.relation': added(RELATION, { relation: 'oneToOne' }),
  'relation.target': added(RELATION, { target: 'api::thing.thing' }),
  'relation.mappedBy': added(RELATION, { mappedBy: 'single' }),
  'relation.inversedBy': added({ ...RELATION, relation: 'manyToOne' }, { inversedBy: 'list' }),
  'relation.morphBy': added({ ...RELATION, relation: 'morphMany' }, { morphBy: 'many' }),
  'media.multiple': added({ type: 'media' }, { multiple: true }),
  'media.allowedTypes': added({ type: 'media' }, { allowedTypes: ['images'] }),
  'component.component': added({ type: 'component', component: 'a.one' }, { component: 'a.two' }),
  'component.repeatable': added({ type: 'component', component: 'a.one' }, { repeatable: true }),
  'component.min': added({ type: 'component', component: 'a.one', repeatable: true }, { min: 1 }),
  'component.max': added({ type: 'component', component: 'a.one', repeatable: true }, { max: 1 }),
  'dynamiczone.components': added(
    { type: 'dynamiczone', components: ['a.one'] },
    { components: ['a.one', 'a.two'] },
  ),
  'dynamiczone.min': added({ type: 'dynamiczone', components: ['a.one'] }, { min: 1 }),
  'dynamiczone.max': added({ type: 'dynamiczone', components: ['a.one'] }, { max: 1 }),
  'options.draftAndPublish': [project(STRING), project(STRING, { draftAndPublish: true })],
  'options.privateAttributes': [
    project(STRING),
    project(STRING, { options: { privateAttributes: ['one'] } }),
  ],
  'pluginOptions.i18n.localized': [project(STRING), project(STRING, { localized: false })],
};

const readOptions = (prefix: string, options: StrapiOptions): readonly string[] =>
  Object.entries(options).flatMap(([name, option]) => (isRead(option) ? [`${prefix}${name}`] : []));

/** Options of Galley itself, which Strapi has not. */
const OWN = new Set(['options.cacheControl', 'options.history']);

const READ = [
  ...readOptions('', ATTRIBUTE_OPTIONS),
  ...Object.entries(STRUCTURAL_OPTIONS).flatMap(([type, options]) => readOptions(`${type}.`, options)),
  ...readOptions('options.', SCHEMA_OPTIONS),
  ...readOptions('pluginOptions.', SCHEMA_PLUGIN_OPTIONS),
].filter((name) => !OWN.has(name));

describe('the table of options of schemas', () => {
  it.each(READ)('calls %s read, which the model depends on', (name) => {
    const pair = EXAMPLES[name];
    expect(pair).toBeDefined();
    const [without, given] = (pair ?? []).map(textOf);
    expect(given).not.toBe(without);
  });

  it.each([[{ enumName: 'Kind' }, 'warning the option "enumName" has no effect here']])(
    'reports %j',
    (option, expected) => {
      expect(reportsOf(project({ ...STRING, ...option }))).toEqual([
        expect.stringContaining(expected) as string,
      ]);
    },
  );

  it('reports options of a type that nobody knows or reads', () => {
    const options = { populateCreatorFields: true, draftAndPublsh: true, comment: '' };
    expect(reportsOf(project(STRING, { options }))).toEqual([
      'warning "options.populateCreatorFields" has no effect here. There are no users of an admin panel.',
      'warning "options.draftAndPublsh" is not an option that Strapi 5 documents; ' +
        'did you mean draftAndPublish?',
    ]);
  });
});
