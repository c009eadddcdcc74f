import type { StrapiCheck } from '../../project/check-strapi-project.js';
import type { Notice } from '../../strapi/report/project-report.js';
import type { Outcome } from '../outcome.js';
import type { Style } from '../terminal/style.js';
import { printTable } from '../terminal/table.js';
import type { TableColumn } from '../terminal/table.js';
import { countNoun } from '../../lib/count-noun.js';

const NOTICE_COLUMNS: readonly TableColumn<Notice>[] = [
  { header: 'where', value: ({ place }) => place },
  { header: 'why', value: ({ reason }) => reason },
];

const PLUGIN_COLUMNS: readonly TableColumn<StrapiCheck['plugins'][number]>[] = [
  { header: 'plugin', value: ({ name }) => name },
  { header: 'here', value: ({ state }) => state },
  { header: 'why', value: ({ reason }) => reason },
];

const ROUTE_COLUMNS: readonly TableColumn<StrapiCheck['routes'][number]>[] = [
  { header: 'method', value: ({ method }) => method },
  { header: 'path', value: ({ path }) => path },
  { header: 'file', value: ({ place }) => place },
];

const section = (title: string, rows: number, table: string): string =>
  rows === 0 ? '' : `${title}\n${table}`;

/** `41 of 43 files of server code run` */
export function printShare({ files }: Pick<StrapiCheck, 'files'>): string {
  const verb = files.total === 1 ? 'runs' : 'run';
  return `${files.running} of ${countNoun(files.total, 'file')} of server code ${verb}`;
}

/** Describes what of a Strapi project would run. Exits with 1 where mistakes would prevent the start. */
export function describeCheck(check: StrapiCheck, style: Style): Outcome {
  const notices = (title: string, rows: readonly Notice[]): string =>
    section(title, rows.length, printTable(rows, NOTICE_COLUMNS, style));
  const { routes, plugins } = check;
  const schemas = `${countNoun(check.types, 'content-type')}, ${countNoun(check.components, 'component')}`;
  const text = [
    `${schemas}\n${printShare(check)}`,
    section('Own routes', routes.length, printTable(routes, ROUTE_COLUMNS, style)),
    section('Plugins', plugins.length, printTable(plugins, PLUGIN_COLUMNS, style)),
    notices('Prevents the start', check.errors),
    notices('Does not run', check.notRunning),
    notices('Look at', check.warnings),
    notices('Not needed', check.notNeeded),
  ];
  return {
    json: check,
    text: text.filter((part) => part !== '').join('\n\n'),
    exitCode: check.errors.length === 0 ? 0 : 1,
  };
}
