import { CONFIG_TABLES } from '../../config/strapi/options/check-options.js';
import { applied, harmless } from '../../config/strapi/options/option.js';
import type { StrapiOption, StrapiOptions } from '../../config/strapi/options/option.js';
import {
  ATTRIBUTE_OPTIONS,
  ATTRIBUTE_TYPE_NAMES,
  COMPONENT_OPTIONS,
  COMPONENT_SCHEMA_OPTIONS,
  INFO_OPTIONS,
  SCHEMA_OPTIONS,
  SCHEMA_PLUGIN_OPTIONS,
  STRUCTURAL_OPTIONS,
  TYPE_OPTIONS,
  knownOptions,
} from '../../model/content-types/schema-options.js';
import {
  DATA_PARAMS,
  DOCUMENT_PARAMS,
  ENTITY_PARAMS,
  QUERY_PARAMS,
  SERVICE_PARAMS,
} from '../database/call-params.js';
import type { MethodParams } from '../database/call-params.js';
import { ROUTE_OPTIONS } from '../http/routes.js';

/** The table of one place, such as `config/server`. */
export interface OptionTable {
  readonly place: string;
  readonly options: StrapiOptions;
}

const placeOf = ([file = '', ...path]: readonly string[]): string =>
  file === 'middlewares' ? path.join('.') : [`config/${file}`, ...path].join(' ');

const isStructural = (type: string): type is keyof typeof STRUCTURAL_OPTIONS =>
  Object.hasOwn(STRUCTURAL_OPTIONS, type);

/** Returns the tables of attribute types. For scalar types, they list options that only that type reads. */
const attributeTables = (): readonly OptionTable[] =>
  ATTRIBUTE_TYPE_NAMES.map((type) => {
    const common = Object.keys(ATTRIBUTE_OPTIONS);
    const specific = knownOptions(type).filter((name) => !common.includes(name));
    const options = isStructural(type)
      ? STRUCTURAL_OPTIONS[type]
      : Object.fromEntries(specific.map((name): [string, StrapiOption] => [name, applied()]));
    return { place: `attribute ${type}`, options };
  });

/** Returns the tables of all options that Strapi documents, in the order in which they are printed. */
export function optionTables(): readonly OptionTable[] {
  return [
    ...CONFIG_TABLES.map(([place, options]) => ({ place: placeOf(place), options })),
    {
      place: 'config/plugins, each plugin',
      options: { enabled: applied('False: the plugin is disabled.'), resolve: applied(), config: applied() },
    },
    { place: 'config/cron-tasks', options: { '*': applied('As `cron.tasks` of config/server.') } },
    {
      place: 'other files of config/',
      options: { '*': harmless('Code reads them with `strapi.config.get`.') },
    },
    { place: 'content-type', options: TYPE_OPTIONS },
    { place: 'component', options: COMPONENT_OPTIONS },
    { place: '`info`', options: INFO_OPTIONS },
    { place: '`options` of a content-type', options: SCHEMA_OPTIONS },
    { place: '`options` of a component', options: COMPONENT_SCHEMA_OPTIONS },
    { place: '`pluginOptions`', options: SCHEMA_PLUGIN_OPTIONS },
    { place: 'all attributes', options: ATTRIBUTE_OPTIONS },
    ...attributeTables(),
    { place: '`config` of a route', options: ROUTE_OPTIONS },
  ];
}

const START = '<!-- options: written by npm run docs -->';
const END = '<!-- end of options -->';

const printRow = (place: string, [name, option]: readonly [string, StrapiOption]): string => {
  const { treatment, remark, restricts } = option;
  const here = restricts ? `${treatment} ¹` : treatment;
  return `| ${place} | \`${name}\` | ${here} | ${remark.replaceAll('|', '\\|')} |`;
};

const printTable = (): string =>
  [
    '| where | option | here | remark |',
    '| --- | --- | --- | --- |',
    ...optionTables().flatMap(({ place, options }) => {
      const rows = Object.entries<StrapiOption>(options).map((entry) => printRow(place, entry));
      return rows.length > 0 ? rows : [`| ${place} | – | applied | It has no options. |`];
    }),
  ].join('\n');

const PARAMS_START = '<!-- parameters: written by npm run docs -->';
const PARAMS_END = '<!-- end of parameters -->';

/** Returns the rows of one call. Methods with the same treatment of a parameter share a row. */
const paramRows = (call: string, params: MethodParams): readonly string[] => {
  const rows = new Map<string, string[]>();
  for (const [method, options] of Object.entries(params))
    for (const [name, { treatment, remark }] of Object.entries(options)) {
      const row = `| \`${name}\` | ${treatment} | ${remark.replaceAll('|', '\\|')} |`;
      rows.set(row, [...(rows.get(row) ?? []), method]);
    }
  const all = Object.keys(params).length;
  return [...rows].map(
    ([row, methods]) => `| ${call} | ${methods.length === all ? 'all' : methods.join(', ')} ${row}`,
  );
};

const printParams = (): string =>
  [
    '| call | methods | parameter | here | remark |',
    '| --- | --- | --- | --- | --- |',
    ...paramRows('`strapi.documents(uid)`', DOCUMENT_PARAMS),
    ...paramRows('`strapi.entityService`', ENTITY_PARAMS),
    ...paramRows('`strapi.db.query(uid)`', QUERY_PARAMS),
    ...paramRows('all three', { '`data` of writes': DATA_PARAMS }),
    ...paramRows('services', SERVICE_PARAMS),
  ].join('\n');

const withTable = (page: string, [start, end]: readonly [string, string], table: string): string => {
  const [before = '', rest = ''] = page.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
};

/** Returns the page about projects of Strapi with its tables of options and parameters. */
export function printStrapiPage(page: string): string {
  const withOptions = withTable(page, [START, END], printTable());
  return withTable(withOptions, [PARAMS_START, PARAMS_END], printParams());
}
