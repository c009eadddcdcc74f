import { CONFIG_TABLES } from '../../config/strapi/options/check-options.js';
import { applied, harmless } from '../../config/strapi/options/option.js';
import type { StrapiOption, StrapiOptions } from '../../config/strapi/options/option.js';
import { ATTRIBUTE_TYPE_NAMES, knownOptions } from '../../content-types/attribute-types.js';
import {
  ATTRIBUTE_OPTIONS,
  COMPONENT_OPTIONS,
  COMPONENT_SCHEMA_OPTIONS,
  INFO_OPTIONS,
  SCHEMA_OPTIONS,
  SCHEMA_PLUGIN_OPTIONS,
  STRUCTURAL_OPTIONS,
  TYPE_OPTIONS,
} from '../../content-types/schema-options.js';
import { ROUTE_OPTIONS } from '../http/route-config.js';

/** The table of one place, such as `config/server`. */
export interface OptionTable {
  readonly place: string;
  readonly options: StrapiOptions;
}

const placeOf = ([file = '', ...path]: readonly string[]): string =>
  file === 'middlewares' ? path.join('.') : [`config/${file}`, ...path].join(' ');

const isStructural = (type: string): type is keyof typeof STRUCTURAL_OPTIONS =>
  Object.hasOwn(STRUCTURAL_OPTIONS, type);

/** The options of the types of single values are those that each type reads. */
const attributeTables = (): readonly OptionTable[] =>
  ATTRIBUTE_TYPE_NAMES.map((type) => {
    const common = Object.keys(ATTRIBUTE_OPTIONS);
    const own = knownOptions(type).filter((name) => !common.includes(name));
    const options = isStructural(type)
      ? STRUCTURAL_OPTIONS[type]
      : Object.fromEntries(own.map((name): [string, StrapiOption] => [name, applied()]));
    return { place: `attribute ${type}`, options };
  });

/** Returns the tables of all options that Strapi documents, in the order in which they are printed. */
export function optionTables(): readonly OptionTable[] {
  return [
    ...CONFIG_TABLES.map(([place, options]) => ({ place: placeOf(place), options })),
    {
      place: 'config/plugins, each plugin',
      options: { enabled: applied('False: it serves nothing.'), resolve: applied(), config: applied() },
    },
    { place: 'config/cron-tasks', options: { '*': applied('As `cron.tasks` of config/server.') } },
    {
      place: 'other files of config/',
      options: { '*': harmless('Code reads them by `strapi.config.get`.') },
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

/** Returns the page about Strapi's projects with the table of options as the code has it. */
export function printStrapiPage(page: string): string {
  const [before = '', rest = ''] = page.split(START);
  const [, after = ''] = rest.split(END);
  return `${before}${START}\n\n${printTable()}\n\n${END}${after}`;
}
